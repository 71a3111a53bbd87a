package page

import (
	"fmt"
	"html/template"
	"sort"
	"strconv"
	"strings"
	"time"

	"whoop/bench"
)

// view is what the template sees.
type view struct {
	Style                 template.CSS
	Script                template.JS
	StyleHash, ScriptHash string

	Missing     string // what was not done, "" where all was
	Facts       []fact
	Configs     []fact // configurations and their command lines
	Notes       []string
	Summaries   []table
	Wrong       []row
	Quantiles   []figure
	Comparisons []comparison
	Filters     []filter
	Columns     []column
	Runs        []row
	Logs        []logText
}

// fact is a name with what belongs to it.
type fact struct{ Name, Text string }

// comparison is two sides of a pair.
type comparison struct {
	Title          string
	Scatter        *figure // nil where there is no task in common
	Numbers        []fact
	Contradictions []string
}

func newView(r *bench.Results, o Options) (*view, error) {
	v := &view{Style: template.CSS(style()), Script: template.JS(script()), StyleHash: hash(style()), ScriptHash: hash(script()),
		Facts: facts(r, o.Made), Notes: r.Notes, Summaries: summaries(r), Filters: filters(r.Runs), Columns: runColumns(), Runs: rows(r.Runs)}
	if !r.Complete {
		v.Missing = fmt.Sprintf("Incomplete: %d of %d runs were done.", len(r.Runs), r.Planned)
	}
	for _, c := range r.Configs {
		v.Configs = append(v.Configs, fact{c.Name, strings.Join(c.Args, " ")})
	}
	for i := range v.Runs {
		if r.Runs[i].Class.Wrong() {
			v.Wrong = append(v.Wrong, v.Runs[i])
		}
	}
	var err error
	if v.Quantiles, err = quantiles(r); err != nil {
		return nil, err
	}
	if v.Comparisons, err = comparisons(r); err != nil {
		return nil, err
	}
	v.Logs, err = embed(r.Runs, o)
	return v, err
}

// facts are how the runs were made.
func facts(r *bench.Results, made time.Time) []fact {
	limit := func(n float64, unit string) string {
		if n == 0 {
			return "none"
		}
		return strconv.FormatFloat(n, 'f', -1, 64) + " " + unit
	}
	out := []fact{{"verifier", r.Tool}, {"version", r.Version}, {"runs", fmt.Sprintf("%d of %d", len(r.Runs), r.Planned)},
		{"CPU time limit", limit(r.CPULimit, "s")}, {"wall time limit", limit(r.WallLimit, "s")}, {"memory limit", limit(float64(r.MemoryLimit)/1e6, "MB")},
		{"runs at once", strconv.Itoa(r.Jobs)}, {"memory counted by", r.Accounting}}
	if !made.IsZero() {
		out = append(out, fact{"made", made.UTC().Format(time.RFC3339)})
	}
	return out
}

func comparisons(r *bench.Results) ([]comparison, error) {
	var out []comparison
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		v := comparison{Title: c.First + " against " + c.Second, Numbers: numbers(c)}
		if len(c.Pairs) > 0 {
			f, err := scatter(fmt.Sprintf("scatter-%d", i+1), c, r.CPULimit)
			if err != nil {
				return nil, err
			}
			v.Scatter = &f
		}
		for k := range c.Pairs {
			if p := &c.Pairs[k]; p.Contradiction() {
				v.Contradictions = append(v.Contradictions,
					fmt.Sprintf("%s: %s against %s", title(p.Task, p.Property), p.First.Verdict, p.Second.Verdict))
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// numbers are what a comparison comes to.
func numbers(c *bench.Comparison) []fact {
	n := func(name string, v int) fact { return fact{name, strconv.Itoa(v)} }
	out := []fact{n("decided alike by both", c.Both), n("decided by "+c.First+" alone", c.OnlyFirst), n("decided by "+c.Second+" alone", c.OnlySecond),
		n("contradictions", c.Contradicts), n("runs without a partner", c.Unmatched)}
	if c.Both == 0 {
		return out
	}
	f := func(name, format string, v ...any) fact { return fact{name, fmt.Sprintf(format, v...)} }
	return append(out, f("CPU time of those decided alike", "%.1f s and %.1f s", c.FirstCPU, c.SecondCPU),
		f("ratio, geometric mean", "%.2f", c.GeoMean), f("ratio, median", "%.2f", c.Median), f("ratio of the totals", "%.2f", c.Total))
}

// filter is a choice that narrows down the runs.
type filter struct {
	Name    string // of the rows' data attribute
	Label   string
	Options []option
}

// option is a value of a filter, with the number of runs that have it.
type option struct{ Value, Text string }

// filters are the choices that make a difference: those with several values.
func filters(runs []bench.Run) []filter {
	var out []filter
	add := func(name, label string, keep bool, of func(*bench.Run) string) {
		f := filter{Name: name, Label: label}
		count := map[string]int{}
		for i := range runs {
			count[of(&runs[i])]++
		}
		values := make([]string, 0, len(count))
		for v := range count {
			values = append(values, v)
		}
		sort.Strings(values)
		for _, v := range values {
			f.Options = append(f.Options, option{v, fmt.Sprintf("%s (%d)", v, count[v])})
		}
		if keep || len(values) > 1 {
			out = append(out, f)
		}
	}
	add("category", "category", true, category)
	for _, o := range groups(runs) {
		out[0].Options = append([]option{o}, out[0].Options...)
	}
	add("family", "family", true, func(r *bench.Run) string { return r.Family })
	add("config", "configuration", true, func(r *bench.Run) string { return r.Config })
	add("property", "property", false, func(r *bench.Run) string { return r.Property })
	return out
}

// groups are the categories taken together, in the reverse of the order they are shown
// in.
func groups(runs []bench.Run) []option {
	var out []option
	for _, g := range []string{"no answer", "correct", "wrong"} {
		n := 0
		for i := range runs {
			if group(&runs[i]) == g {
				n++
			}
		}
		if n > 0 {
			out = append(out, option{anyOf + g, fmt.Sprintf("any %s (%d)", g, n)})
		}
	}
	return out
}

// anyOf begins the value of a filter for a group of categories; page.js knows it.
const anyOf = "any:"
