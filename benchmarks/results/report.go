package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"whoop/benchmarks/expect"
)

// report is the part of the JSON reports of verify and bmc that the tables need
// (docs/reference/json.md).
type report struct {
	Verdict     string            `json:"verdict"`
	Answer      string            `json:"answer"`
	EntryPoints []json.RawMessage `json:"entry_points"`
	Pairs       []struct {
		Verdict string `json:"verdict"`
	} `json:"pairs"`
	Races []struct {
		Field    string  `json:"field"`
		Accesses []place `json:"accesses"`
	} `json:"races"`
	Runs []struct {
		Answer string `json:"answer"`
		Bugs   []struct {
			Kind   string  `json:"kind"`
			Places []place `json:"places"`
		} `json:"bugs"`
	} `json:"runs"`
}

type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// read is the run's report, nil if there is none.
func (x run) read() *report {
	if len(x.Report) == 0 {
		return nil
	}
	var r report
	if json.Unmarshal(x.Report, &r) != nil {
		return nil
	}
	return &r
}

// outcome holds lines against the marks of the run's file.
func (x run) outcome(got map[int]bool) expect.Outcome {
	want, err := expect.Read(x.File, x.Defines...)
	if err != nil {
		return expect.Outcome{}
	}
	return expect.Compare(want, got)
}

// raceLines are the lines of the run's file that verify's races name.
func (x run) raceLines() map[int]bool {
	out := map[int]bool{}
	if r := x.read(); r != nil {
		for _, race := range r.Races {
			x.lines(out, race.Accesses)
		}
	}
	return out
}

// bugLines are the lines of the run's file that the races of bmc name.
func (x run) bugLines() map[int]bool {
	out := map[int]bool{}
	if r := x.read(); r != nil {
		for _, one := range r.Runs {
			for _, bug := range one.Bugs {
				if bug.Kind == "race" {
					x.lines(out, bug.Places)
				}
			}
		}
	}
	return out
}

// lines adds the places that are in the run's file.
func (x run) lines(out map[int]bool, places []place) {
	for _, p := range places {
		if filepath.Base(p.File) == filepath.Base(x.File) {
			out[p.Line] = true
		}
	}
}

// undecided counts the programs without an answer, or with a pair that has none.
func (m measured) undecided() int {
	n := 0
	for _, x := range m.runs {
		if x.open() {
			n++
		}
	}
	return n
}

// open reports whether there is no report of a run, or something in it is unknown.
func (x run) open() bool {
	r := x.read()
	if r == nil || r.Verdict == "unknown" || r.Answer == "unknown" {
		return true
	}
	for _, p := range r.Pairs {
		if p.Verdict == "unknown" {
			return true
		}
	}
	return false
}

// seconds adds up the processor time.
func (m measured) seconds() string {
	s := 0.0
	for _, x := range m.runs {
		s += x.CPU
	}
	return fmt.Sprintf("%.0f", s)
}
