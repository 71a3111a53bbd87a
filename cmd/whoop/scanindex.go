package main

import (
	"fmt"
	"html/template"
	"io"
	"path/filepath"
)

// writeIndex writes the tables of all modules.
func writeIndex(dir string, all []scanned) error {
	if err := output(nil, "--output", filepath.Join(dir, "index.tsv"), func(w io.Writer) error { return indexTable(w, all) }); err != nil {
		return err
	}
	return output(nil, "--output", filepath.Join(dir, "index.html"), func(w io.Writer) error { return indexPage.Execute(w, all) })
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

// indexPage is the index of the reports.
var indexPage = template.Must(template.New("index").Funcs(template.FuncMap{"mb": func(n int64) int64 { return n >> 20 }}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>whoop scan</title>
<style>
body { font-family: sans-serif; margin: 1em 2em }
table { border-collapse: collapse }
th, td { padding: .15em .7em; text-align: right; border-bottom: 1px solid #ddd }
td:first-child, th:first-child, td:last-child, td.v { text-align: left }
.racy { color: #a00 } .unknown { color: #850 } .race-free { color: #070 }
</style></head><body>
<h1>{{len .}} modules</h1>
<table><thead><tr><th>module<th>files<th>verdict<th>entry points<th>race-free pairs<th>racy<th>unknown<th>fields<th>seconds<th>MB<th>problem</tr></thead>
<tbody>{{range .}}
<tr><td>{{if .Report}}<a href="{{.Report}}.txt">{{.Module}}</a> <a href="{{.Report}}.json">json</a>{{else}}{{.Module}}{{end}}<td>{{len .Files}}<td class="v {{.Verdict}}">{{.Verdict}}<td>{{.Entries}}<td>{{.Free}}<td>{{.Racy}}<td>{{.Unknown}}<td>{{.Fields}}<td>{{printf "%.1f" .Seconds}}<td>{{mb .Memory}}<td>{{.Problem}}</tr>{{end}}
</tbody></table></body></html>
`))
