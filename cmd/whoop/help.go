package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is flags that have to do with the same thing.
type flagGroup struct {
	title string
	names string // separated by blanks
}

// flagGroups are the headings of flags in help and in the reference, in this order. Each
// flag of a command is in one of them.
var flagGroups = []flagGroup{
	{"What is asked", "property pairs to engine strategy first keep-going warnings hot fairness check-locks check-races check-overflow check-leaks config compare list since builtin"},
	{"How far it looks", "csb rounds unroll recursion yields rounds-only before threads failures bound seed confirm executions states max-events max-size steps deviations proofs reads-from observers uniprocessor solver inline"},
	{"Time, memory, processors", "timeout wall query-timeout memory jobs workers processes checkpoint fresh"},
	{"What is known already", "no-ignore baseline write-baseline vs"},
	{"Output", "format output color all stats verbose width trace witness witnesses save-witness dump-smt"},
	{"Input", "entry-points models kernel tool"},
	{"Input in C", "include-dir define include data-model no-system-headers system-headers kernel-headers ignore-externs"},
	{"Input in Go", "root tests tags open-calls no-cache"},
}

// examples are what the help of each command ends with. A test parses them.
var examples = map[string]string{
	"verify": `whoop verify prog.c                              # a C program, or a driver
whoop verify ./...                               # Go packages
whoop verify --format html -o races.html ./...   # a page
whoop verify drivers/watchdog/sp805_wdt.c --kernel build
whoop verify --write-baseline known.json . && whoop verify --baseline known.json .`,
	"bmc": `whoop bmc prog.c                                 # all executions with two preemptions
whoop bmc prog.c --csb 3 --unroll 4 --property assert
whoop bmc driver.c --pairs dev_read,dev_write    # one pair of a driver
whoop bmc . --root TestCache                     # a test of a Go package
whoop bmc . --root TestServer --property goroutine-leak`,
	"explore": `whoop explore prog.c                             # all executions, or many
whoop explore prog.c --strategy optimal-dpor --workers 4
whoop explore prog.c --strategy pct --executions 100000 --seed 7
whoop explore . --root TestQueue --format html -o bug.html`,
	"check": `whoop check --property no-data-race prog.c
whoop check --property unreach-call --timeout 60s --witness out.yml task.i
whoop check --property no-deadlock --engine states prog.c`,
	"replay": `whoop replay whoop-traces/1/bug-1.json            # step by step, as text
whoop replay --format html -o bug.html whoop-traces/1/bug-1.json
whoop replay --witness witness.yml task.i`,
	"check-file": `make C=2 CHECK="whoop check-file" drivers/watchdog/
whoop check-file --fail -Iinclude -DDEBUG prog.c`,
	"scan": `whoop scan drivers/char --kernel build           # all modules of a folder
whoop scan drivers/char --kernel build --since v6.1
whoop scan drivers/char --kernel build --list    # only what there is`,
	"emit": `whoop emit prog.c                                # the intermediate representation
whoop emit --to boogie --pairs dev_read,dev_write driver.c
whoop emit --to smtlib --csb 2 prog.c`,
	"entry-points": `whoop entry-points driver.c -o ep.yaml           # then edit it
whoop verify driver.c --entry-points ep.yaml`,
	"bench": `whoop bench benchmarks/svcomp --timeout 30s --jobs 4
whoop bench tasks.set --compare bmc:mr,bmc:epp
whoop bench tasks.set --vs other/results.csv`,
	"version": "whoop version",
}

// groupedFlags are the flags of a command by their groups; those of none come last.
func groupedFlags(cmd *cobra.Command) (out []struct {
	Title string
	Flags *pflag.FlagSet
}) {
	add := func(title string, has func(name string) bool) {
		fs := pflag.NewFlagSet(title, pflag.ContinueOnError)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if has(f.Name) && !f.Hidden {
				fs.AddFlag(f)
			}
		})
		if fs.HasAvailableFlags() {
			out = append(out, struct {
				Title string
				Flags *pflag.FlagSet
			}{title, fs})
		}
	}
	grouped := map[string]bool{}
	for _, g := range flagGroups {
		names := strings.Fields(g.names)
		for _, n := range names {
			grouped[n] = true
		}
		add(g.title, func(name string) bool { return slices.Contains(names, name) })
	}
	add("Others", func(name string) bool { return !grouped[name] })
	return out
}

// helpWidth is how wide the text of flags is.
const helpWidth = 110

// helpTemplate is cobra's, with the flags in groups.
const helpTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableLocalFlags}}{{groups .}}{{end}}{{if .HasAvailableSubCommands}}

"{{.CommandPath}} [command] --help" has the flags of a command, and examples.{{end}}
`

// helpOf gives all commands below root examples and flags in groups.
func helpOf(root *cobra.Command) {
	cobra.AddTemplateFunc("groups", func(cmd *cobra.Command) string {
		var b strings.Builder
		for _, g := range groupedFlags(cmd) {
			fmt.Fprintf(&b, "\n\n%s:\n%s", g.Title, strings.TrimRight(g.Flags.FlagUsagesWrapped(helpWidth), " \n"))
		}
		return b.String()
	})
	root.SetUsageTemplate(helpTemplate)
	root.Example = "  whoop verify prog.c    # are there races?\n  whoop bmc prog.c       # how does one come about?\n  whoop verify ./...     # Go packages"
	for _, c := range root.Commands() {
		if e := examples[c.Name()]; e != "" {
			c.Example = "  " + strings.ReplaceAll(e, "\n", "\n  ")
		}
	}
}
