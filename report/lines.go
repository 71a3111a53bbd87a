package report

import (
	"fmt"
	"io"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// GNU prints a line for each race and each warning, as compilers do: editors, reviewdog
// and the logs of builds find their way from it to the source.
//
//	file:line:column: warning: message [rule]
//	file:line:column: note: the other access: …
func GNU(w io.Writer, r *diag.Report) error {
	t := &text{w: w}
	for _, f := range raceFindings(r) {
		x := f.races[0]
		t.printf("%s: warning: %s races with %s at %s on %s: %s%s [%s]\n", linePlace(x.First.Pos), side(x.First), x.Second.Kind, x.Second.Pos, f.title(), x.Why, more(f.raceGroup), kindOf(x))
		t.printf("%s: note: the other access: %s\n", linePlace(x.Second.Pos), side(x.Second))
	}
	for _, f := range r.Findings {
		t.printf("%s: %s: %s [%s]\n", linePlace(f.Pos), f.Level, f.Message, f.Kind)
		for _, x := range f.Related {
			t.printf("%s: note: %s\n", linePlace(x.Pos), x.Message)
		}
	}
	return t.err
}

// linePlace is a place as compilers write it; what has none is about whoop.
func linePlace(p ir.Pos) string {
	if p.File == "" {
		return "whoop"
	}
	return p.String()
}

// more says of a group how many races there are beside its first.
func more(g raceGroup) string {
	if n := len(g.races) - 1; n > 0 {
		return fmt.Sprintf(" (and %s on it)", plural(n, "more race"))
	}
	return ""
}

// Markdown prints the report for the summary of a job: what came out, the races as a
// table, and the rest folded.
func Markdown(w io.Writer, r *diag.Report) error {
	t := &text{w: w}
	sign := map[diag.Verdict]string{diag.RaceFree: "✅", diag.Racy: "❌", diag.Unknown: "❔"}[r.Verdict]
	t.printf("### %s\n\n%s\n", strings.TrimSpace(sign+" whoop: "+md(r.Input)+": "+string(r.Verdict)), md(summary(r)))
	if fs := raceFindings(r); len(fs) > 0 {
		t.printf("\n| | memory | access | the other one | why |\n|---|---|---|---|---|\n")
		for i, f := range fs {
			x := f.races[0]
			t.printf("| %d | %s | %s | %s | %s |\n", i+1, md(f.title()+more(f.raceGroup)), cell(x.First), cell(x.Second), md(x.Why))
		}
	}
	if len(r.Findings) > 0 {
		t.printf("\n| warning | place | |\n|---|---|---|\n")
		for _, f := range r.Findings {
			t.printf("| %s | `%s` | %s |\n", md(f.Kind), f.Pos, md(f.Message))
		}
	}
	if why := reasons(r); len(why) > 0 {
		t.printf("\n")
		for _, s := range why {
			t.printf("- %s\n", md(s))
		}
	}
	if len(r.Assumptions) > 0 {
		t.printf("\n<details><summary>this holds under %s</summary>\n\n", plural(len(r.Assumptions), "assumption"))
		for _, k := range grouped(r.Assumptions) {
			for _, g := range k.Texts {
				t.printf("- %s: %s\n", md(k.Kind), md(g.Text))
			}
		}
		t.printf("\n</details>\n")
	}
	return t.err
}

// cell is an access in a cell of a table.
func cell(a diag.Access) string {
	return fmt.Sprintf("%s at `%s` by %s, holding %s", a.Kind, a.Pos, md(a.Entry), md(Holding(a)))
}

// md is a text in which nothing means anything to Markdown.
func md(s string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "`", "\\`", "[", "\\[", "\n", " ").Replace(s)
}
