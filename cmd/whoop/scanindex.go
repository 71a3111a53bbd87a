package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"whoop/report"
)

// writeIndex writes the tables of all modules below the paths.
func writeIndex(dir string, paths []string, all []scanned) error {
	if err := output(nil, "--output", filepath.Join(dir, "index.tsv"), func(w io.Writer) error { return indexTable(w, all) }); err != nil {
		return err
	}
	return output(nil, "--output", filepath.Join(dir, "index.html"), func(w io.Writer) error {
		return report.IndexHTML(w, "scan", strings.Join(paths, " "), version, indexModules(all))
	})
}

func indexTable(w io.Writer, all []scanned) error {
	fmt.Fprintln(w, "module\tfiles\tverdict\tentry points\trace-free\tracy\tunknown\tfields\traces\tseconds\tMB\tproblem")
	for _, x := range all {
		if _, err := fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\t%s\n", x.Module, len(x.Files), x.Verdict, x.Entries,
			x.Free, x.Racy, x.Unknown, x.Fields, x.Races, x.Seconds, x.Memory>>20, x.Problem); err != nil {
			return err
		}
	}
	return nil
}

// indexModules are the lines of the page.
func indexModules(all []scanned) []report.Module {
	var out []report.Module
	for _, x := range all {
		m := report.Module{Name: x.Module, Verdict: x.Verdict, Problem: x.Problem, Entries: x.Entries, Free: x.Free, Racy: x.Racy,
			Unknown: x.Unknown, First: x.First, Findings: x.Findings, Seconds: x.Seconds, Memory: x.Memory}
		if x.Report != "" {
			m.Page = x.Report + ".html"
			m.More = []report.ModuleFile{{Name: "text", Link: x.Report + ".txt"}, {Name: "json", Link: x.Report + ".json"}}
		}
		out = append(out, m)
	}
	return out
}
