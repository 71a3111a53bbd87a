package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestReference: docs/reference/command-line.md is what the commands say of themselves.
// After a change: go test ./cmd/whoop -run Reference -update.
func TestReference(t *testing.T) {
	const path = "../../docs/reference/command-line.md"
	got := reference(rootCommand())
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("go test ./cmd/whoop -run Reference -update (-file +commands):\n%s", d)
	}
}

// reference describes root's commands and their flags in Markdown.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Command line\n\nGenerated from the commands: " +
		"`go test ./cmd/whoop -run Reference -update`.\n")
	for _, c := range root.Commands() {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		fmt.Fprintf(&b, "\n## whoop %s\n\n", c.Use)
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		b.WriteString(text + "\n")
		if c.Example != "" {
			b.WriteString("\n  " + strings.ReplaceAll(c.Example, "\n", "\n  ") + "\n")
		}
		for _, g := range groupedFlags(c) {
			var rows strings.Builder
			g.Flags.VisitAll(func(f *pflag.Flag) { rows.WriteString(row(f)) })
			if rows.Len() > 0 {
				fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n%s", g.Title, rows.String())
			}
		}
	}
	return b.String()
}

// row is a flag's row of the table, empty for hidden ones and for --help.
func row(f *pflag.Flag) string {
	if f.Hidden || f.Name == "help" {
		return ""
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" &&
		!strings.Contains(usage, "(default") {
		usage += " (default " + d + ")"
	}
	return fmt.Sprintf("| `%s` | %s |\n", name, strings.ReplaceAll(usage, "|", "\\|"))
}
