package page

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"

	"whoop/bench"
	"whoop/bench/plot"
	"whoop/bench/task"
)

// figure is a plot with what is written below it.
type figure struct {
	ID      string
	SVG     template.HTML // made by package plot, which escapes all text
	Caption string
}

func draw(id, caption string, render func(io.Writer) error) (figure, error) {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return figure{}, fmt.Errorf("plot %s: %w", id, err)
	}
	return figure{ID: id, SVG: template.HTML(b.String()), Caption: caption}, nil
}

// quantiles draws all configurations by score and by the number of right answers.
func quantiles(r *bench.Results) ([]figure, error) {
	d := plot.QuantileData{Title: "Score", ByScore: true, Limit: r.CPULimit}
	for _, c := range r.Configs {
		s := plot.Series{Name: c.Name}
		for i := range r.Runs {
			x := &r.Runs[i]
			if x.Config != c.Name {
				continue
			}
			s.Results = append(s.Results, plot.Result{Seconds: x.CPUSeconds, Solved: x.Class.Correct(), Score: x.Score, Title: title(x.Task, x.Property)})
			if x.Class.Correct() && x.CPUSeconds > d.Limit {
				d.Limit = 0 // results of another limit: the axis ends where they do
			}
		}
		d.Series = append(d.Series, s)
	}
	score, err := draw("quantile-score", "What score the right answers add up to, the fastest first, after the wrong ones have been taken off. Further right is better, lower is faster.",
		func(w io.Writer) error { return plot.Quantile(w, d) })
	if err != nil {
		return nil, err
	}
	d.Title, d.ByScore = "Right answers", false
	count, err := draw("quantile-time", "How many tasks are solved when each may take the CPU time on the left.",
		func(w io.Writer) error { return plot.Quantile(w, d) })
	return []figure{score, count}, err
}

// scatter draws the CPU times of a comparison.
func scatter(id string, c *bench.Comparison, limit float64) (figure, error) {
	d := plot.ScatterData{XLabel: c.First, YLabel: c.Second, Limit: limit,
		Classes: []string{"TRUE", "FALSE", "wrong answer", "contradiction", "no answer"}}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		pt := plot.Point{X: p.First.CPUSeconds, Y: p.Second.CPUSeconds, XOut: out(p.First), YOut: out(p.Second), Class: pairClass(p),
			Title: title(p.Task, p.Property)}
		if pt.XOut == "" && pt.X > d.Limit || pt.YOut == "" && pt.Y > d.Limit {
			d.Limit = 0
		}
		d.Points = append(d.Points, pt)
	}
	return draw(id, fmt.Sprintf("CPU time of each task: below the diagonal %s is faster.", c.Second), func(w io.Writer) error { return plot.Scatter(w, d) })
}

// out says why a side has no answer, "" where it has one.
func out(a bench.Answer) string {
	if a.Verdict.Decided() {
		return ""
	}
	return strings.ToLower(a.Verdict.Kind.String())
}

// pairClass is how a pair looks in a scatter.
func pairClass(p *bench.Pair) string {
	switch {
	case p.Contradiction():
		return "contradiction"
	case p.First.Class.Wrong() || p.Second.Class.Wrong():
		return "wrong answer"
	case p.First.Verdict.Decided():
		return p.First.Verdict.Kind.String()
	case p.Second.Verdict.Decided():
		return p.Second.Verdict.Kind.String()
	}
	return "no answer"
}

// title names a task and its property.
func title(name, property string) string {
	if property == "" {
		return name
	}
	return name + " (" + property + ")"
}

// category is how a run ended, for people: its class, or why there was no answer.
func category(r *bench.Run) string {
	if r.Class == task.Undecided {
		switch r.Verdict.Kind {
		case task.Timeout, task.OutOfMemory, task.Error:
			return strings.ToLower(r.Verdict.Kind.String())
		}
	}
	return r.Class.String()
}

// group is what a category is part of: correct, wrong, no answer, or itself.
func group(r *bench.Run) string {
	switch {
	case r.Class.Correct():
		return "correct"
	case r.Class.Wrong():
		return "wrong"
	case r.Class == task.Undecided:
		return "no answer"
	}
	return r.Class.String()
}
