package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"whoop/diag"
)

// Module is a program of a run over many, each with pages of its own.
type Module struct {
	Name    string
	Verdict diag.Verdict
	// Page is the address of its report; "" where there is none, for the reason Problem.
	Page, Problem string
	// More are further files of it, by what they are called.
	More []ModuleFile
	// Free, Racy, Unknown and Accepted count its pairs of entry points.
	Entries, Free, Racy, Unknown, Accepted int
	// First are the first findings, and Findings is how many there are.
	First    []string
	Findings int
	Seconds  float64
	Memory   int64 // in bytes
}

// ModuleFile is a file about a module.
type ModuleFile struct{ Name, Link string }

// maxFirst is how many races of a program its line names.
const maxFirst = 3

// FirstFindings names the first races of a report, those that its page begins with, and
// says how many there are.
func FirstFindings(r *diag.Report) (first []string, n int) {
	fs := raceFindings(r)
	for _, f := range fs[:min(len(fs), maxFirst)] {
		first = append(first, f.title())
	}
	return first, len(fs)
}

// IndexHTML prints the index of the reports of many modules as one self-contained page.
func IndexHTML(w io.Writer, command, input, version string, modules []Module) error {
	p := newWebPage(command, input, version)
	p.Index = &webIndex{Noun: "modules", Cost: true}
	for _, m := range modules {
		x := webProgram{Module: m, ID: m.Name}
		for i, f := range m.First {
			x.Races = append(x.Races, webLink{f, fmt.Sprintf("%s#race-%d", m.Page, i+1)})
		}
		x.Rest = m.Findings - len(m.First)
		p.Index.Programs = append(p.Index.Programs, x)
	}
	p.Index.sort()
	p.Verdict, p.Summary = string(p.Index.worst()), p.Index.summary()
	p.Class = p.Verdict
	return p.write(w)
}

// webIndex is the programs of a page, one a line.
type webIndex struct {
	Noun     string
	Cost     bool // what each has cost is known
	Programs []webProgram
}

// webProgram is a program's line. Its links lead to its report: a page of its own, or the
// part of this page that is about it.
type webProgram struct {
	Module
	// ID is how races say that they are of it.
	ID    string
	Races []webLink
	Rest  int
}

type webLink struct {
	Text string
	Link string
}

// index is the programs of a report; nil where there are not several.
func (p *webPage) index(r *diag.Report, findings []raceFinding) *webIndex {
	if len(r.Programs) < 2 {
		return nil
	}
	of := programOf(r)
	ix := &webIndex{Noun: "programs", Programs: make([]webProgram, len(r.Programs))}
	for i, x := range r.Programs {
		m := &ix.Programs[i]
		m.Name, m.ID, m.Entries = x.Name, fmt.Sprint(i), len(x.Entries)
	}
	for _, x := range r.Pairs {
		if i, ok := of[x.First]; ok {
			ix.Programs[i].count(x.Verdict)
		}
	}
	for n, f := range findings {
		for _, i := range f.programs(of) {
			m := &ix.Programs[i]
			if m.Findings++; len(m.Races) < maxFirst {
				m.Races = append(m.Races, webLink{f.title(), fmt.Sprintf("#race-%d", n+1)})
			} else {
				m.Rest++
			}
		}
	}
	for i := range ix.Programs {
		ix.Programs[i].decide()
	}
	ix.sort()
	return ix
}

// count counts a pair.
func (m *Module) count(v diag.Verdict) {
	switch v {
	case diag.RaceFree:
		m.Free++
	case diag.Racy:
		m.Racy++
	case diag.Accepted:
		m.Accepted++
	default:
		m.Unknown++
	}
}

// decide makes the verdict of a program from its pairs.
func (m *Module) decide() {
	switch {
	case m.Racy > 0 || m.Findings > 0:
		m.Verdict = diag.Racy
	case m.Unknown > 0:
		m.Verdict = diag.Unknown
	case m.Accepted > 0:
		m.Verdict = diag.Accepted
	case m.Free > 0:
		m.Verdict = diag.RaceFree
	default:
		m.Verdict = diag.Nothing
	}
}

// programOf says of entry points which program they are of, by its number.
func programOf(r *diag.Report) map[string]int {
	out := map[string]int{}
	for i, x := range r.Programs {
		for _, e := range x.Entries {
			out[e] = i
		}
	}
	return out
}

// programs lists the programs that a finding is of.
func (f raceFinding) programs(of map[string]int) []int {
	var out []int
	for _, g := range append([]raceGroup{f.raceGroup}, f.same...) {
		for _, x := range g.races {
			if i, ok := of[x.First.Entry]; ok && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	return out
}

// grave orders verdicts: what is to be looked at first.
var grave = []diag.Verdict{diag.Racy, diag.Unknown, diag.Accepted, diag.RaceFree, diag.Nothing}

// sort puts those first that have races, most of them first.
func (ix *webIndex) sort() {
	slices.SortStableFunc(ix.Programs, func(a, b webProgram) int {
		return cmp.Or(slices.Index(grave, a.Verdict)-slices.Index(grave, b.Verdict), b.Findings-a.Findings, b.Unknown-a.Unknown, strings.Compare(a.Name, b.Name))
	})
}

func (ix *webIndex) worst() diag.Verdict {
	if len(ix.Programs) == 0 {
		return diag.Nothing
	}
	return ix.Programs[0].Verdict
}

// summary counts the programs of each verdict.
func (ix *webIndex) summary() string {
	n := map[diag.Verdict]int{}
	for _, x := range ix.Programs {
		n[x.Verdict]++
	}
	var parts []string
	for _, v := range grave {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	return fmt.Sprintf("%d %s: %s", len(ix.Programs), ix.Noun, strings.Join(parts, ", "))
}

// Verdicts are the verdicts that occur, for the filter.
func (ix *webIndex) Verdicts() []diag.Verdict {
	return slices.DeleteFunc(slices.Clone(grave), func(v diag.Verdict) bool {
		return !slices.ContainsFunc(ix.Programs, func(x webProgram) bool { return x.Verdict == v })
	})
}

// Columns are the heads of the table's columns that are sorted by.
func (ix *webIndex) Columns() []webColumn {
	out := []webColumn{{strings.TrimSuffix(ix.Noun, "s"), false}, {"verdict", false}, {"entry points", true}, {"race-free", true}, {"racy", true}, {"unknown", true}}
	if ix.Cost {
		out = append(out, webColumn{"seconds", true}, webColumn{"MB", true})
	}
	return append(out, webColumn{"races", true})
}

type webColumn struct {
	Name   string
	Number bool
}

// Grave is the place of a program's verdict among all, to sort by.
func (x webProgram) Grave() int { return slices.Index(grave, x.Verdict) }

// Megabytes is its memory.
func (x webProgram) Megabytes() int64 { return x.Memory >> 20 }

// number is a count in a table; 0 is little to look at.
func number(n int) template.HTML {
	if n == 0 {
		return `<span class="zero">0</span>`
	}
	return template.HTML(fmt.Sprint(n))
}
