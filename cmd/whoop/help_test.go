package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestHelp: every command has examples, which are command lines that it takes, and each
// of its flags is in a group.
func TestHelp(t *testing.T) {
	for _, c := range rootCommand().Commands() {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.Example == "" {
			t.Errorf("%s has no example", c.Name())
		}
		for _, g := range groupedFlags(c) {
			if g.Title != "Others" {
				continue
			}
			g.Flags.VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" {
					t.Errorf("%s: --%s is in no group", c.Name(), f.Name)
				}
			})
		}
		for _, line := range strings.Split(c.Example, "\n") {
			line, _, _ = strings.Cut(line, "#")
			for _, cmd := range strings.Split(line, "&&") {
				takes(t, strings.Fields(cmd))
			}
		}
	}
	seen := map[string]bool{}
	for _, g := range flagGroups {
		for _, n := range strings.Fields(g.names) {
			if seen[n] {
				t.Errorf("--%s is in two groups", n)
			}
			seen[n] = true
		}
	}
}

// takes checks that there is such a command with such flags.
func takes(t *testing.T, words []string) {
	t.Helper()
	if len(words) == 0 || words[0] != "whoop" {
		return // make
	}
	root := rootCommand()
	c, args, err := root.Find(words[1:])
	if err == nil && !c.DisableFlagParsing {
		err = c.ParseFlags(args)
	}
	if err == nil && !c.DisableFlagParsing {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: %v", strings.Join(words, " "), err)
	}
}
