package report

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"whoop/diag"
	"whoop/internal/web"
	"whoop/ir"
	"whoop/trace"
)

// The page is one file that needs nothing else: its style and its script are in it.
var (
	//go:embed web/page.html
	webTemplate string
	//go:embed web/style.css
	webStyle string
	//go:embed web/page.js
	webScript string
)

// webPage is what the template sees, of any command; what is empty is left out.
type webPage struct {
	Command, Input, Tool, Version string
	Verdict, Class                string // Class is the colour
	Summary, Assumed, Seconds     string
	Index                         *webIndex
	Races                         []webRace
	Bugs                          []webBug
	Matrix                        *webMatrix
	NoPairs                       bool
	Excluded                      []ir.Exclusion
	Tables                        []webTable
	Undecided, Orders, Accepted   []string
	Findings                      []diag.Finding
	Notes                         []string
	KindGroups                    []*kindGroup
	Excerpts                      []webExcerpt
	src                           *sources
	excerpts                      map[string]bool
}

// webTable is a table of texts.
type webTable struct {
	Title string
	Head  []string
	Rows  [][]string
}

// webSide is a place of a race or another bug.
type webSide struct {
	Kind, Entry, Anchor string
	Pos                 ir.Pos
	Held, Calls         []string
	Excerpt             template.HTML
}

// webBug is a bug that an execution shows.
type webBug struct {
	N                             int
	Open                          bool
	Title, Message, Guesses, Also string
	Again                         string // the command that replays it
	Sides                         []webSide
	Run                           *webRun
}

// webRun is an execution as the page's script draws it.
type webRun struct {
	Summary, Text string
	Data          webSteps
}

// webSteps is the data of an execution: a lane for each thread.
type webSteps struct {
	Threads []string  `json:"threads"`
	Steps   []webStep `json:"steps"`
}

type webStep struct {
	Lane      int      `json:"lane"`
	Func      string   `json:"func,omitempty"`
	Text      string   `json:"text"`
	Line      string   `json:"line,omitempty"` // the source line
	At        string   `json:"at,omitempty"`   // which excerpt shows it
	Locks     []string `json:"locks,omitempty"`
	Before    string   `json:"before,omitempty"` // what is said above it
	Preempted bool     `json:"preempted,omitempty"`
	Last      bool     `json:"last,omitempty"`
}

// webExcerpt is source lines that the script shows.
type webExcerpt struct {
	ID   string
	HTML template.HTML
}

// newWebPage is a page without contents.
func newWebPage(command, input, version string) *webPage {
	return &webPage{Command: command, Input: input, Tool: "whoop", Version: version, src: newSources(), excerpts: map[string]bool{}}
}

// assume adds the assumptions.
func (p *webPage) assume(as []ir.Assumption) {
	if len(as) > 0 {
		p.KindGroups, p.Assumed = grouped(as), plural(len(as), "assumption")
	}
}

// write prints the page.
func (p *webPage) write(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{"places": allPlaces, "number": number,
		"style":  func() template.CSS { return template.CSS(web.Style + webStyle) },
		"script": func() template.JS { return template.JS(web.Script + webScript) }}).Parse(webTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// run is an execution for the page; nil for none.
func (p *webPage) run(x *trace.Execution) *webRun {
	if x == nil {
		return nil
	}
	out := &webRun{Text: Interleaving(x), Summary: fmt.Sprintf("%s, %s", count(x.Switches, "context switch", "context switches"),
		count(x.Preemptions, "of them a preemption", "of them preemptions"))}
	lanes := map[int]int{}
	for _, s := range x.Steps {
		if _, ok := lanes[int(s.Thread)]; !ok {
			lanes[int(s.Thread)] = len(lanes)
			out.Data.Threads = append(out.Data.Threads, threadName(x, int(s.Thread)))
		}
	}
	began := false // the accesses of a race
	var empty *webStep
	for _, run := range runs(x.Steps) {
		turns := 0
		for _, f := range fold(telling(run)) {
			if turns += f.turns; f.turns > 0 {
				continue
			}
			for _, s := range f.steps {
				step := p.step(x, s, lanes[int(s.Thread)], &began)
				if turns > 0 {
					step.Before = count(turns, "more iteration like this", "more iterations like this")
					turns = 0
				}
				if empty != nil && step.Before == "" { // what it says is said of this one
					step.Before, step.Preempted = empty.Before, empty.Preempted
				}
				if empty = nil; step.Text == "" {
					empty = &step
					continue
				}
				out.Data.Steps = append(out.Data.Steps, step)
			}
		}
	}
	return out
}

// step is a step for the page.
func (p *webPage) step(x *trace.Execution, s trace.Step, lane int, began *bool) webStep {
	out := webStep{Lane: lane, Func: s.Func, Text: s.Text, Locks: s.Locks, Last: s.Last}
	if _, lib := trace.Library(s.Pos); !lib && s.Pos.Line > 0 {
		out.Line = fmt.Sprintf("%s:%d", filepath.Base(s.Pos.File), s.Pos.Line)
		if line, ok := p.src.line(s.Pos); ok {
			out.Line += "  " + strings.TrimSpace(line)
		}
		out.At = p.keep(s.Pos)
	}
	switch race := x.Trace.Bug.Kind == "race"; {
	case s.Again:
		out.Before = "from here on, again and again"
	case s.Last && race && !*began:
		*began = true
		out.Before = "side by side: " + threadName(x, int(x.Trace.Bug.Thread)) + " and " + threadName(x, int(x.Trace.Bug.Other))
	case s.Last && race:
	case s.Switch:
		why := "which waits or has ended"
		if out.Preempted = s.Preempted; s.Preempted {
			why = "which could have gone on"
		}
		out.Before = fmt.Sprintf("↷ %s → %s (%s)", threadName(x, int(s.From)), threadName(x, int(s.Thread)), why)
	}
	return out
}

// threadName names a thread of an execution.
func threadName(x *trace.Execution, t int) string {
	if t >= 0 && t < len(x.Threads) {
		return x.Threads[t]
	}
	return fmt.Sprintf("T%d", t)
}

// keep adds the lines around a place to the page, once, and returns their name; "" where
// they cannot be read.
func (p *webPage) keep(at ir.Pos) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s:%d", at.File, at.Line)
	id := fmt.Sprintf("x%08x", h.Sum32())
	known, seen := p.excerpts[id]
	if !seen {
		html := p.src.excerpt(at, nil)
		known = html != ""
		if p.excerpts[id] = known; known {
			p.Excerpts = append(p.Excerpts, webExcerpt{id, html})
		}
	}
	if !known {
		return ""
	}
	return id
}

// bug is a bug for the page; the first ones are open.
func (p *webPage) bug(n int, threads []string, b *diag.Bug, in []string) webBug {
	out := webBug{N: n, Open: n <= 2, Title: bugTitle(n, threads, b), Message: b.Message, Run: p.run(b.Execution)}
	if len(b.Waits) > 0 || b.Kind == "race" && b.Message == "data race" { // the title says it
		out.Message = ""
	}
	if len(b.Guesses) > 0 {
		out.Guesses = "only if code not seen, or not followed, yields what it does here: " + someOf(b.Guesses)
	}
	if list := alsoIn(threads, in); len(list) > 0 {
		out.Also = strings.Join(list, ", ")
	}
	if b.Trace != "" {
		out.Again = "whoop replay " + shellWord(b.Trace)
	}
	places := []diag.BugWait{{BugPlace: b.Place}, {BugPlace: b.Other}}
	if len(b.Waits) > 0 {
		places = b.Waits
	}
	for _, w := range places {
		if w.Pos.Line == 0 {
			continue
		}
		s := webSide{Kind: strings.TrimSpace(w.Thread + " " + w.Does), Pos: w.Pos, Excerpt: p.src.excerpt(w.Pos, nil)}
		for _, h := range w.Held {
			s.Held = append(s.Held, fmt.Sprintf("%s, taken at %s", h.Lock, h.Pos))
		}
		out.Sides = append(out.Sides, s)
	}
	return out
}

// shellWord is a word as a shell reads it.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%", c)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
