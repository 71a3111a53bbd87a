package page

import (
	"fmt"
	"io/fs"
	"net/url"
	"sort"
	"strconv"

	"whoop/bench"
)

// column is the head of a table's column; numbers are sorted by their value.
type column struct {
	Name   string
	Number bool
}

// cell is a text, what it is sorted by ("" for the text itself), and the filter of the
// runs it counts.
type cell struct{ Text, Sort, Link, Class string }

// table is a table of summaries.
type table struct {
	ID, Title string
	Columns   []column
	Rows      [][]cell
}

// summaries are the tables per configuration, property (where there are several) and
// family.
func summaries(r *bench.Results) []table {
	var families, properties []bench.Summary
	names := map[string]bool{}
	for _, s := range r.Summaries {
		switch {
		case s.Property != "":
			properties = append(properties, s)
			names[s.Property] = true
		case s.Family != "":
			families = append(families, s)
		}
	}
	out := []table{summary("summary", "Configurations", "", r.Overall())}
	if len(names) > 1 {
		sort.SliceStable(properties, func(i, j int) bool { return properties[i].Property < properties[j].Property })
		out = append(out, summary("properties", "Properties", "property", properties))
	}
	if len(families) > 0 {
		sort.SliceStable(families, func(i, j int) bool { return families[i].Family < families[j].Family })
		out = append(out, summary("families", "Families", "family", families))
	}
	return out
}

// summary makes a table; by is what its rows are about beside the configuration:
// property, family, or "".
func summary(id, title, by string, list []bench.Summary) table {
	t := table{ID: id, Title: title}
	if by != "" {
		t.Columns = append(t.Columns, column{Name: by})
	}
	t.Columns = append(t.Columns, column{Name: "configuration"})
	for _, n := range []string{"tasks", "correct true", "correct false", "unknown", "wrong true", "wrong false", "CPU (s)", "score", "max score", "share"} {
		t.Columns = append(t.Columns, column{n, true})
	}
	for i := range list {
		t.Rows = append(t.Rows, summaryRow(by, &list[i]))
	}
	return t
}

func summaryRow(by string, s *bench.Summary) []cell {
	var out []cell
	q := url.Values{"config": {s.Config}}
	if by != "" {
		q.Set(by, s.Family+s.Property)
		out = append(out, cell{Text: s.Family + s.Property})
	}
	count := func(n int, category, class string) cell {
		c := cell{Text: strconv.Itoa(n)}
		if n == 0 {
			c.Class = "zero"
			return c
		}
		q.Set("category", category)
		c.Class, c.Link = class, "#runs?"+q.Encode()
		q.Del("category")
		return c
	}
	share := cell{Text: "–", Sort: "-1"} // nothing can be scored
	if s.MaxScore > 0 {
		share = cell{Text: fmt.Sprintf("%.0f%%", 100*s.Share), Sort: number(s.Share)}
	}
	return append(out, cell{Text: s.Config, Link: "#runs?" + q.Encode()}, cell{Text: strconv.Itoa(s.Tasks)},
		count(s.CorrectTrue, "correct true", "good"), count(s.CorrectFalse, "correct false", "good"), count(s.Unknown, anyOf+"no answer", ""),
		count(s.WrongTrue, "wrong true", "bad"), count(s.WrongFalse, "wrong false", "bad"),
		cell{Text: fmt.Sprintf("%.1f", s.CPUSeconds), Sort: number(s.CPUSeconds)}, cell{Text: strconv.Itoa(s.Score)},
		cell{Text: strconv.Itoa(s.MaxScore)}, share)
}

// number is a value for the sorting, with all its digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// row is a run in the table of runs.
type row struct {
	*bench.Run
	N                        int // its index
	Title                    string
	Category, Group, Class   string
	CPU, Wall, Memory        string // as shown: seconds, seconds, MB
	CPUSort, WallSort        string
	LogLink, WitnessLink     string // "" where there is none
	ExpectedText, AnswerText string
}

// runColumns are the columns of the table of runs, as rows has them; the links are in one
// more, which cannot be sorted.
func runColumns() []column {
	return []column{{Name: "task"}, {Name: "property"}, {Name: "configuration"}, {Name: "expected"}, {Name: "answer"}, {Name: "category"},
		{"score", true}, {"CPU (s)", true}, {"wall (s)", true}, {"memory (MB)", true}}
}

func rows(runs []bench.Run) []row {
	var out []row
	for i := range runs {
		r := &runs[i]
		x := row{Run: r, N: i, Title: title(r.Task, r.Property) + " under " + r.Config, Category: category(r), Group: group(r),
			CPU: fmt.Sprintf("%.3f", r.CPUSeconds), Wall: fmt.Sprintf("%.3f", r.WallSeconds), Memory: fmt.Sprintf("%.1f", float64(r.MemoryBytes)/1e6),
			CPUSort: number(r.CPUSeconds), WallSort: number(r.WallSeconds), LogLink: link(r.Log), WitnessLink: link(r.Witness),
			ExpectedText: r.Expected.String(), AnswerText: r.Verdict.String()}
		switch x.Group {
		case "correct":
			x.Class = "good"
		case "wrong":
			x.Class = "bad"
		}
		out = append(out, x)
	}
	return out
}

// link is a relative link to a file in the output directory, "" for one that is not in
// it.
func link(name string) string {
	if name == "" || !fs.ValidPath(name) {
		return ""
	}
	return (&url.URL{Path: name}).String()
}
