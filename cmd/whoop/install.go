package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"whoop/pipeline"
	"whoop/pipeline/check"
)

// manCommand writes what make install puts beside the program.
func manCommand() *cobra.Command {
	return &cobra.Command{Use: "man DIR", Short: "Write man pages of all commands, and completion for shells, below DIR", Hidden: true, Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error { return writeShare(cmd.Root(), args[0]) }}
}

// writeShare writes man/man1/whoop*.1, and completion where shells of Debian look for it.
func writeShare(root *cobra.Command, dir string) error {
	man := filepath.Join(dir, "man", "man1")
	if err := os.MkdirAll(man, 0o755); err != nil {
		return err
	}
	root.DisableAutoGenTag = true // pages do not depend on the day
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "WHOOP", Section: "1", Source: "whoop " + version, Manual: "whoop"}, man); err != nil {
		return err
	}
	for _, c := range []struct {
		file  string
		write func(string) error
	}{
		{"bash-completion/completions/whoop", func(f string) error { return root.GenBashCompletionFileV2(f, true) }},
		{"zsh/site-functions/_whoop", root.GenZshCompletionFile},
		{"fish/vendor_completions.d/whoop.fish", func(f string) error { return root.GenFishCompletionFile(f, true) }},
	} {
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := c.write(file); err != nil {
			return err
		}
	}
	return nil
}

// completeValues lets shells complete the values of flags that are one of a few.
func completeValues(root *cobra.Command) {
	for _, c := range root.Commands() {
		values := map[string][]string{"color": colors, "yields": pipeline.Yields, "engine": engines, "warnings": warningModes,
			"solver": pipeline.Solvers[:], "strategy": pipeline.Strategies, "fairness": {"strong", "weak"}, "data-model": {"LP64", "ILP32"},
			"open-calls": {pipeline.OpenConfined, pipeline.OpenAny}, "property": append(slices.Clone(pipeline.Properties), pipeline.Memory),
			"format": {"text", "json", "html"}}
		switch c.Name() {
		case "verify":
			values["format"] = formats
		case "replay":
			values["format"] = []string{"text", "html"}
		case "explore":
			values["property"] = []string{pipeline.Leak}
		case "check":
			values["property"] = check.Names()
		}
		for flag, vs := range values {
			if c.Flags().Lookup(flag) == nil {
				continue
			}
			err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(vs, cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic(err) // there is no such flag, or it has one already
			}
		}
	}
}
