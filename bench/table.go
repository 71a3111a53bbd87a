package bench

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"whoop/bench/task"
	"whoop/internal/table"
)

// Brief writes the most important of Table: what a terminal has room for.
func Brief(w io.Writer, r *Results) error {
	var b bytes.Buffer
	incomplete(&b, r)
	summaries(&b, "", r.Overall())
	wrong(&b, r.Runs)
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		fmt.Fprintf(&b, "%s against %s\n", c.First, c.Second)
		numbers(&b, c)
	}
	notes(&b, r)
	_, err := w.Write(b.Bytes())
	return err
}

func incomplete(b *bytes.Buffer, r *Results) {
	if !r.Complete {
		fmt.Fprintf(b, "INCOMPLETE: %d of %d runs were done\n\n", len(r.Runs), r.Planned)
	}
}

func notes(b *bytes.Buffer, r *Results) {
	for _, n := range r.Notes {
		fmt.Fprintf(b, "note: %s\n", n)
	}
}

// Table writes the results for people: how each configuration did in all, by property and
// by family, every wrong answer, and the comparisons.
func Table(w io.Writer, r *Results) error {
	var b bytes.Buffer
	incomplete(&b, r)
	var all, properties, families []Summary
	for _, s := range r.Summaries {
		switch {
		case s.Property != "":
			properties = append(properties, s)
		case s.Family != "":
			families = append(families, s)
		default:
			all = append(all, s)
		}
	}
	summaries(&b, "", all)
	summaries(&b, "property", properties)
	summaries(&b, "family", families)
	wrong(&b, r.Runs)
	for i := range r.Comparisons {
		comparison(&b, &r.Comparisons[i])
	}
	notes(&b, r)
	_, err := w.Write(b.Bytes())
	return err
}

func summaries(b *bytes.Buffer, by string, list []Summary) {
	if len(list) == 0 {
		return
	}
	head := []string{"config", "tasks", "correct true", "correct false", "unknown", "wrong true", "wrong false", "CPU (s)", "score", "max score", "share"}
	left := 1
	if by != "" {
		head = append([]string{by}, head...)
		left = 2
	}
	t := table.New(left, head...)
	for _, s := range list {
		row := []string{s.Config, fmt.Sprint(s.Tasks), fmt.Sprint(s.CorrectTrue), fmt.Sprint(s.CorrectFalse), fmt.Sprint(s.Unknown),
			fmt.Sprint(s.WrongTrue), fmt.Sprint(s.WrongFalse), fmt.Sprintf("%.1f", s.CPUSeconds), fmt.Sprint(s.Score),
			fmt.Sprint(s.MaxScore), fmt.Sprintf("%.0f%%", 100*s.Share)}
		if by != "" {
			row = append([]string{s.Family + s.Property}, row...)
		}
		t.Append(row...)
	}
	_ = t.Render(b) // a buffer takes everything
	if by == "" {
		for _, s := range list {
			fmt.Fprintf(b, "%s: unknown: %d timeouts, %d out of memory, %d errors, %d others", s.Config, s.Timeouts, s.OutOfMemory, s.Errors,
				s.Unknown-s.Timeouts-s.OutOfMemory-s.Errors)
			if s.Missing > 0 {
				fmt.Fprintf(b, "; %d answers that nothing is expected for", s.Missing)
			}
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
}

// wrong lists the wrong answers.
func wrong(b *bytes.Buffer, runs []Run) {
	any := false
	for _, r := range runs {
		if r.Class.Wrong() {
			fmt.Fprintf(b, "WRONG: %s (%s) under %s: %s, expected %s, see %s\n", r.Task, r.Property, r.Config, r.Verdict, r.Expected, r.Log)
			any = true
		}
	}
	if any {
		b.WriteByte('\n')
	}
}

// comparison writes a table of the tasks that at least one side decides, and the numbers.
func comparison(b *bytes.Buffer, c *Comparison) {
	fmt.Fprintf(b, "%s against %s\n\n", c.First, c.Second)
	t := table.New(4, "task", "property", c.First, c.Second, "CPU (s)", "CPU (s)", "ratio")
	rows := 0
	for _, p := range c.Pairs {
		if !p.First.Verdict.Decided() && !p.Second.Verdict.Decided() {
			continue
		}
		rows++
		r := ""
		switch {
		case p.Ratio > 0:
			r = fmt.Sprintf("%.2f", p.Ratio)
		case p.Contradiction():
			r = "CONTRADICTION"
		}
		t.Append(p.Task, p.Property, side(p.First), side(p.Second), seconds(p.First.CPUSeconds), seconds(p.Second.CPUSeconds), r)
	}
	if rows > 0 {
		_ = t.Render(b) // a buffer takes everything
	}
	numbers(b, c)
}

// numbers writes what a comparison comes to.
func numbers(b *bytes.Buffer, c *Comparison) {
	fmt.Fprintf(b, "decided alike by both: %d; by %s alone: %d; by %s alone: %d; contradictions: %d; runs without a partner: %d\n",
		c.Both, c.First, c.OnlyFirst, c.Second, c.OnlySecond, c.Contradicts, c.Unmatched)
	if c.Both > 0 {
		fmt.Fprintf(b, "CPU time of these %d: %.1f s and %.1f s; ratio: geometric mean %.2f, median %.2f, of the totals %.2f\n",
			c.Both, c.FirstCPU, c.SecondCPU, c.GeoMean, c.Median, c.Total)
	}
	b.WriteByte('\n')
}

// side is an answer in a few words.
func side(a Answer) string {
	if a.Class.Wrong() {
		return a.Verdict.Kind.String() + " (wrong)"
	}
	if a.Verdict.Kind == task.Error {
		return "ERROR"
	}
	return strings.ToUpper(a.Verdict.Kind.String())
}
