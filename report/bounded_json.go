package report

import (
	"encoding/json"
	"io"
	"maps"

	"whoop/diag"
)

// The schema of bmc (docs/reference/json.md); arrays are never null.
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
		ByProperty    []jsonProperty   `json:"by_property"`
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
		ByProperty []jsonProperty     `json:"by_property"`
		CSB        int                `json:"csb"`
		Rounds     int                `json:"rounds"`
		AllRounds  bool               `json:"all_rounds"`
		Exhaustive bool               `json:"all_switches"`
		Unrolled   bool               `json:"all_iterations"`
		Proved     bool               `json:"proved_race_free"`
		Skipped    bool               `json:"not_checked,omitempty"`
		NotCovered []jsonAssumption   `json:"not_covered"`
		Bugs       []jsonBug          `json:"bugs"`
		Yields     int                `json:"yields"`
		YieldsBy   map[string]int     `json:"yields_by_mode"`
		Counters   map[string]int     `json:"counters"`
		Phases     map[string]float64 `json:"phases"`
		Seconds    float64            `json:"seconds"`
	}
	jsonProperty struct {
		Property    string      `json:"property"`
		Answer      diag.Answer `json:"answer"`
		NotFollowed int         `json:"not_followed"`
	}
	jsonBug struct {
		Kind    string      `json:"kind"`
		Message string      `json:"message"`
		CSB     int         `json:"csb"`
		Places  []jsonPlace `json:"places"`
		Waits   []jsonWait  `json:"waits"`
		OnlyIf  bool        `json:"only_if"`
		Guesses []jsonPlace `json:"guesses"`
		Trace   string      `json:"trace"`
	}
	jsonWait struct {
		jsonPlace
		Does string     `json:"does"`
		Held []jsonHeld `json:"held"`
	}
	jsonHeld struct {
		Lock   string `json:"lock"`
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	}
	jsonPlace struct {
		Thread   string `json:"thread"`
		Function string `json:"function"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Column   int    `json:"column"`
	}
)

// BoundedJSON prints the report of bmc as documented in docs/reference/json.md.
func BoundedJSON(w io.Writer, r *diag.BoundedReport) error {
	j := jsonBounded{Schema: 1, Tool: r.Tool, Version: r.Version, Command: r.Command, Input: r.Input, Answer: r.Answer(), Yields: r.Yields,
		CSB: r.CSB, Unroll: r.Unroll, Properties: r.Properties, ByProperty: []jsonProperty{}, Runs: []jsonRun{}, Assumptions: jsonAssumptions(r.Assumptions),
		Notes: append([]string{}, r.Notes...), VerifySeconds: r.VerifySeconds, Seconds: r.Seconds}
	for _, p := range r.ByProperty() {
		j.ByProperty = append(j.ByProperty, jsonProperty{p.Property, p.Answer, p.NotFollowed})
	}
	for i := range r.Runs {
		x := runJSON(&r.Runs[i])
		for _, p := range r.Properties {
			x.ByProperty = append(x.ByProperty, jsonProperty{p, r.Of(&r.Runs[i], p), len(r.Runs[i].NotFollowed(p))})
		}
		j.Runs = append(j.Runs, x)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(j)
}

func runJSON(x *diag.Run) jsonRun {
	out := jsonRun{Threads: x.Threads, Answer: x.Answer, Reason: x.Reason, ByProperty: []jsonProperty{}, CSB: x.CSB, Rounds: x.Rounds, AllRounds: x.AllRounds,
		Exhaustive: x.Exhaustive, Unrolled: x.Unrolled, Proved: x.Proved, NotCovered: jsonAssumptions(x.Assumptions), Bugs: []jsonBug{},
		Skipped: x.Skipped, Yields: x.Yields, YieldsBy: map[string]int{}, Counters: x.Counters, Phases: map[string]float64{}, Seconds: x.Seconds}
	maps.Copy(out.YieldsBy, x.YieldsBy)
	for k, v := range x.Phases {
		out.Phases[k] = v.Seconds()
	}
	for _, b := range x.Bugs {
		out.Bugs = append(out.Bugs, bugJSON(&b))
	}
	return out
}

func bugJSON(b *diag.Bug) jsonBug {
	out := jsonBug{Kind: b.Kind, Message: b.Message, CSB: b.CSB, Places: []jsonPlace{}, Waits: []jsonWait{}, OnlyIf: b.OnlyIf(), Guesses: []jsonPlace{}, Trace: b.Trace}
	for _, g := range b.Guesses {
		out.Guesses = append(out.Guesses, jsonPlace{File: g.File, Line: g.Line, Column: g.Col})
	}
	for _, w := range b.Waits {
		j := jsonWait{jsonPlace: placeJSON(w.BugPlace), Does: w.Does, Held: []jsonHeld{}}
		for _, h := range w.Held {
			j.Held = append(j.Held, jsonHeld{h.Lock, h.Pos.File, h.Pos.Line, h.Pos.Col})
		}
		out.Waits = append(out.Waits, j)
		out.Places = append(out.Places, j.jsonPlace)
	}
	if len(b.Waits) > 0 {
		return out
	}
	for _, p := range []diag.BugPlace{b.Place, b.Other} {
		if p.Pos.Line > 0 {
			out.Places = append(out.Places, placeJSON(p))
		}
	}
	return out
}

func placeJSON(p diag.BugPlace) jsonPlace {
	return jsonPlace{p.Thread, p.Function, p.Pos.File, p.Pos.Line, p.Pos.Col}
}
