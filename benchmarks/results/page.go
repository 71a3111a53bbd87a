package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"whoop/bench"
	"whoop/benchmarks/expect"
)

// Page is what docs/results.md shows.
type Page struct {
	Date, Commit, Machine string
	Sets                  []measured    `json:"-"`
	Suites                []suite       `json:"-"`
	Explored              []exploration `json:"-"`
}

// measured is a set and its runs.
type measured struct {
	set
	runs []run
}

// suite is a run of `whoop bench`.
type suite struct {
	name string
	bench.Results
}

// exploration is a line of Go's benchmark of the optimal strategy.
type exploration struct{ program, seconds, rate string }

// benchLine matches such a line.
var benchLine = regexp.MustCompile(`(?m)^BenchmarkOptimal/(\w+?)(?:-\d+)?\s.*?([\d.]+) cpu-s/op\s+([\d.]+) executions/cpu-s`)

// read takes up the results of `whoop bench` and of Go's benchmarks below dir. Files that
// are not there leave their table out.
func (p *Page) read(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "check", "*", "results.json"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		s := suite{name: filepath.Base(filepath.Dir(f))}
		if err := json.Unmarshal(text, &s.Results); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		p.Suites = append(p.Suites, s)
	}
	text, err := os.ReadFile(filepath.Join(dir, "explore.txt"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, m := range benchLine.FindAllStringSubmatch(string(text), -1) {
		p.Explored = append(p.Explored, exploration{m[1], m[2], m[3]})
	}
	return nil
}

// write writes the page in Markdown.
func (p *Page) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "# Results\n\n`make results` wrote this page on %s, at commit %s.\nMachine: %s.\n", p.Date, p.Commit, p.Machine)
	b.WriteString("Seconds are of the processor, of all runs together unless a table says otherwise.\n")
	p.corpus(b)
	p.bounded(b)
	p.verified(b)
	p.checked(b)
	p.explored(b)
}

// corpus writes the table of the programs whose lines say what is expected of verify.
func (p *Page) corpus(b *bytes.Buffer) {
	t := table{b: b, title: "## verify: our own programs\n\nLines marked `RACE!` race and must be reported;" +
		" known false alarms are marked `RACE`\n([where a test goes](contributing/tests.md)).",
		head: []string{"set", "programs", "racy lines", "missed", "known false alarms", "other false alarms", "undecided", "seconds"}}
	for _, m := range p.Sets {
		if m.Command != "verify" || !m.Marked {
			continue
		}
		var sum expect.Outcome
		for _, x := range m.runs {
			o := x.outcome(x.raceLines())
			if x.open() { // what is not reported is said to be unknown
				o.Missed = nil
			}
			sum.Add(o)
		}
		t.row(m.Title, len(m.runs), sum.Races, len(sum.Missed), len(sum.Known), len(sum.Alarms), m.undecided(), m.seconds())
	}
}

// bounded writes the table of bmc.
func (p *Page) bounded(b *bytes.Buffer) {
	t := table{b: b, title: "## bmc: our own programs\n\nEach bug was replayed before it was reported.",
		head: []string{"set", "programs", "racy lines", "shown", "shown and not racy", "programs with bugs", "undecided", "seconds"}}
	for _, m := range p.Sets {
		if m.Command != "bmc" {
			continue
		}
		var sum expect.Outcome
		bugs := 0
		for _, x := range m.runs {
			sum.Add(x.outcome(x.bugLines()))
			if x.Exit == 1 {
				bugs++
			}
		}
		t.row(m.Title, len(m.runs), sum.Races, sum.Races-len(sum.Missed), len(sum.Alarms), bugs, m.undecided(), m.seconds())
	}
}

// verified writes the tables of programs that others wrote, a row a program.
func (p *Page) verified(b *bytes.Buffer) {
	for _, m := range p.Sets {
		if m.Marked {
			continue
		}
		t := table{b: b, title: "## verify: " + m.Title,
			head: []string{"program", "entry points", "pairs", "race-free", "racy", "unknown", "fields with races", "seconds", "MB"}}
		for _, x := range m.runs {
			name := strings.TrimSuffix(filepath.Base(x.Name), ".i")
			if filepath.Base(x.Name) == packagesFile {
				name = strings.ReplaceAll(filepath.Base(filepath.Dir(x.Name)), "_", "/")
			}
			r := x.read()
			if r == nil {
				t.row(name, "no report: "+firstLine(x.Error))
				continue
			}
			n := map[string]int{}
			for _, pair := range r.Pairs {
				n[pair.Verdict]++
			}
			fields := map[string]bool{}
			for _, race := range r.Races {
				fields[race.Field] = true
			}
			t.row(name, len(r.EntryPoints), len(r.Pairs), n["race-free"], n["racy"], n["unknown"], len(fields), fmt.Sprintf("%.1f", x.CPU), x.Memory/1e6)
		}
	}
}

// checked writes the table of `whoop bench`, a row for each suite, configuration and
// property.
func (p *Page) checked(b *bytes.Buffer) {
	t := table{b: b, title: "## check: tasks in the style of SV-COMP\n\nScores are those of SV-COMP ([bench.md](reference/bench.md)).",
		head: []string{"suite", "configuration", "property", "tasks", "correct true", "correct false", "unknown", "wrong", "score", "of", "seconds", "limit (s)"}}
	for _, s := range p.Suites {
		name := s.name
		if !s.Complete {
			name += " (incomplete)"
		}
		for _, x := range s.Summaries {
			if x.Family == "" {
				property := x.Property
				if property == "" {
					property = "all"
				}
				t.row(name, x.Config, property, x.Tasks, x.CorrectTrue, x.CorrectFalse, x.Unknown, x.Wrong(), x.Score, x.MaxScore,
					fmt.Sprintf("%.0f", x.CPUSeconds), s.CPULimit)
			}
		}
	}
}

// explored writes the table of optimal exploration.
func (p *Page) explored(b *bytes.Buffer) {
	t := table{b: b, title: "## explore: `optimal-dpor`, one worker", head: []string{"program", "seconds", "executions a second"}}
	for _, x := range p.Explored {
		t.row(x.program, x.seconds, x.rate)
	}
}

// table writes a Markdown table, its title and head with the first row.
type table struct {
	b     *bytes.Buffer
	title string
	head  []string
	begun bool
}

// row writes a row; cells that are missing stay empty.
func (t *table) row(cells ...any) {
	if !t.begun {
		fmt.Fprintf(t.b, "\n%s\n\n| %s |\n|%s\n", t.title, strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
		t.begun = true
	}
	for i := range t.head {
		c := any("")
		if i < len(cells) {
			c = cells[i]
		}
		fmt.Fprintf(t.b, "| %v ", c)
	}
	t.b.WriteString("|\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
