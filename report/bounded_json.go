package report

import (
	"encoding/json"
	"io"
	"maps"

	"whoop/diag"
)

// The schema of bmc (docs/json.md); arrays are never null.
type (
	jsonBounded struct {
		Schema        int              `json:"schema"`
		Tool          string           `json:"tool"`
		Version       string           `json:"version"`
		Command       string           `json:"command"`
		Input         string           `json:"input"`
		Answer        diag.Answer      `json:"answer"`
		Yields        string           `json:"yields"`
		CSB           int              `json:"csb"`
		Unroll        int              `json:"unroll"`
		Properties    []string         `json:"properties"`
		Runs          []jsonRun        `json:"runs"`
		Assumptions   []jsonAssumption `json:"assumptions"`
		Notes         []string         `json:"notes"`
		VerifySeconds float64          `json:"verify_seconds"`
		Seconds       float64          `json:"seconds"`
	}
	jsonRun struct {
		Threads    []string           `json:"threads"`
		Answer     diag.Answer        `json:"answer"`
		Reason     string             `json:"reason"`
		CSB        int                `json:"csb"`
		Rounds     int                `json:"rounds"`
		AllRounds  bool               `json:"all_rounds"`
		Exhaustive bool               `json:"all_switches"`
		Unrolled   bool               `json:"all_iterations"`
		Proved     bool               `json:"proved_race_free"`
		NotCovered []jsonAssumption   `json:"not_covered"`
		Bugs       []jsonBug          `json:"bugs"`
		Yields     int                `json:"yields"`
		YieldsBy   map[string]int     `json:"yields_by_mode"`
		Counters   map[string]int     `json:"counters"`
		Phases     map[string]float64 `json:"phases"`
		Seconds    float64            `json:"seconds"`
	}
	jsonBug struct {
		Kind    string      `json:"kind"`
		Message string      `json:"message"`
		CSB     int         `json:"csb"`
		Places  []jsonPlace `json:"places"`
		Guesses []jsonPlace `json:"guesses"`
		Trace   string      `json:"trace"`
	}
	jsonPlace struct {
		Thread   string `json:"thread"`
		Function string `json:"function"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Column   int    `json:"column"`
	}
)

// BoundedJSON prints the report of bmc as documented in docs/json.md.
func BoundedJSON(w io.Writer, r *diag.BoundedReport) error {
	j := jsonBounded{Schema: 1, Tool: r.Tool, Version: r.Version, Command: r.Command, Input: r.Input, Answer: r.Answer(), Yields: r.Yields,
		CSB: r.CSB, Unroll: r.Unroll, Properties: r.Properties, Runs: []jsonRun{}, Assumptions: jsonAssumptions(r.Assumptions),
		Notes: append([]string{}, r.Notes...), VerifySeconds: r.VerifySeconds, Seconds: r.Seconds}
	for _, x := range r.Runs {
		j.Runs = append(j.Runs, runJSON(&x))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(j)
}

func runJSON(x *diag.Run) jsonRun {
	out := jsonRun{Threads: x.Threads, Answer: x.Answer, Reason: x.Reason, CSB: x.CSB, Rounds: x.Rounds, AllRounds: x.AllRounds,
		Exhaustive: x.Exhaustive, Unrolled: x.Unrolled, Proved: x.Proved, NotCovered: jsonAssumptions(x.Assumptions), Bugs: []jsonBug{},
		Yields: x.Yields, YieldsBy: map[string]int{}, Counters: x.Counters, Phases: map[string]float64{}, Seconds: x.Seconds}
	maps.Copy(out.YieldsBy, x.YieldsBy)
	for k, v := range x.Phases {
		out.Phases[k] = v.Seconds()
	}
	for _, b := range x.Bugs {
		jb := jsonBug{Kind: b.Kind, Message: b.Message, CSB: b.CSB, Places: []jsonPlace{}, Guesses: []jsonPlace{}, Trace: b.Trace}
		for _, g := range b.Guesses {
			jb.Guesses = append(jb.Guesses, jsonPlace{File: g.File, Line: g.Line, Column: g.Col})
		}
		for _, p := range []diag.BugPlace{b.Place, b.Other} {
			if p.Pos.Line > 0 {
				jb.Places = append(jb.Places, jsonPlace{p.Thread, p.Function, p.Pos.File, p.Pos.Line, p.Pos.Col})
			}
		}
		out.Bugs = append(out.Bugs, jb)
	}
	return out
}
