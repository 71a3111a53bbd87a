// Command protocols looks for the bugs that are seeded in the programs here, by each
// strategy of whoop explore:
//
//	go run ./benchmarks/protocols -states 20000
//
// It prints a table in Markdown: how many states, or executions, a strategy takes until
// it finds a bug. README.md has it, and says what the programs are.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/pipeline"
)

// protocol is a program, and how many bugs are seeded in it.
type protocol struct {
	name string
	bugs int
	// late are the threads, by their number, that the custom explorer puts off: what
	// fails, and who comes last.
	late []int
}

var protocols = []protocol{
	{"twophase", 4, []int{3}}, {"chain", 8, []int{7}}, {"paxos", 5, []int{5, 6}}, {"multipaxos", 3, []int{5}},
	{"tms", 4, []int{6}}, {"stop", 2, []int{5}},
}

func main() {
	var opt options
	flag.Int64Var(&opt.states, "states", 20000, "states of a strategy that visits them, at most")
	flag.Int64Var(&opt.executions, "executions", 400, "executions of a strategy that draws them, at most")
	flag.IntVar(&opt.seeds, "seeds", 3, "seeds of a strategy that depends on one: the median counts")
	dir := flag.String("dir", "benchmarks/protocols", "where the programs are")
	only := flag.String("only", "", "only programs whose name matches")
	by := flag.String("by", "", "only strategies whose name matches")
	flag.Parse()
	if match, err := regexp.Compile(*by); err == nil {
		columns = slices.DeleteFunc(columns, func(c column) bool { return !match.MatchString(c.name) })
	}
	if err := run(*dir, *only, opt); err != nil {
		fmt.Fprintln(os.Stderr, "protocols:", err)
		os.Exit(1)
	}
}

// run prints the table. With bug 0, nothing may be found.
func run(dir, only string, opt options) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	fmt.Printf("| bug |")
	for _, c := range columns {
		fmt.Printf(" %s |", c.name)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(columns)))
	t := &table{}
	for _, x := range protocols {
		if !match.MatchString(x.name) {
			continue
		}
		for bug := range x.bugs + 1 {
			p, err := load(filepath.Join(dir, x.name), bug)
			if err != nil {
				return err
			}
			row := measure(p, x, opt)
			if bug == 0 {
				if err := clean(x.name, row); err != nil {
					return err
				}
				continue
			}
			t.add(fmt.Sprintf("%s %d", x.name, bug), row)
		}
	}
	t.summary()
	return nil
}

// load is a program with one of its bugs.
func load(dir string, bug int) (*ir.Program, error) {
	tmp, err := os.MkdirTemp("", "protocols")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, name := range []string{"main.go", "go.mod"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		text := strings.Replace(string(data), "const bug = 0", fmt.Sprintf("const bug = %d", bug), 1)
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return pipeline.Load(tmp, pipeline.Options{Root: "main"})
}

// clean checks that nothing was found in a program without a bug.
func clean(name string, row []int64) error {
	for i, n := range row {
		if n > 0 {
			return fmt.Errorf("%s finds something in %s without a bug", columns[i].name, name)
		}
	}
	return nil
}
