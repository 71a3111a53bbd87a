package report

import (
	"io"

	"whoop/diag"
	"whoop/ir"
)

// The types below are the documented schema (docs/reference/json.md); arrays are never
// null.
type (
	jsonReport struct {
		Schema      int              `json:"schema"`
		Tool        string           `json:"tool"`
		Version     string           `json:"version"`
		Command     string           `json:"command"`
		Input       string           `json:"input"`
		Verdict     diag.Verdict     `json:"verdict"`
		EntryPoints []jsonEntry      `json:"entry_points"`
		Pairs       []jsonPair       `json:"pairs"`
		Excluded    []jsonExcluded   `json:"excluded"`
		LookedAt    jsonLooked       `json:"looked_at"`
		Left        []jsonLeft       `json:"not_looked_at"`
		Regions     jsonRegions      `json:"regions"`
		Races       []jsonRace       `json:"races"`
		Guards      []jsonGuard      `json:"guards"`
		LockOrders  [][2]jsonOrder   `json:"lock_orders"`
		Findings    []jsonFinding    `json:"findings"`
		Accepted    []jsonAcceptance `json:"accepted"`
		Assumptions []jsonAssumption `json:"assumptions"`
		Notes       []string         `json:"notes"`
		Counters    jsonCounters     `json:"counters"`
		Stages      []jsonStage      `json:"points_to"`
		Seconds     float64          `json:"seconds"`
	}
	jsonEntry struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
		Kind string `json:"kind"`
	}
	jsonPair struct {
		First   string       `json:"first"`
		Second  string       `json:"second"`
		Verdict diag.Verdict `json:"verdict"`
		Reason  string       `json:"reason"`
		Seconds float64      `json:"seconds"`
	}
	jsonExcluded struct {
		First  string `json:"first"`
		Second string `json:"second"`
		Reason string `json:"reason"`
	}
	jsonLooked struct {
		Packages  int      `json:"packages"`
		Functions int      `json:"functions"`
		Callbacks int      `json:"callbacks"`
		Unseen    []string `json:"unseen"`
	}
	jsonLeft struct {
		Kind   string `json:"kind"`
		Name   string `json:"name"`
		Reason string `json:"reason"`
		File   string `json:"file"`
		Line   int    `json:"line"`
	}
	jsonRegions struct {
		Total int `json:"total"`
		Racy  int `json:"racy"`
	}
	jsonGuard struct {
		Field  string `json:"field"`
		Lock   string `json:"lock"`
		Held   int    `json:"held"`
		Places int    `json:"places"`
	}
	jsonRace struct {
		Kind      string        `json:"kind"`
		Region    string        `json:"region"`
		Field     string        `json:"field"`
		Same      bool          `json:"same_object"`
		Why       string        `json:"why"`
		AlsoPairs []string      `json:"also_pairs"`
		Among     []jsonAmong   `json:"also_among,omitempty"`
		Accesses  [2]jsonAccess `json:"accesses"`
		// Confirmed is left out where no execution is known that shows the race.
		Confirmed *jsonConfirmed `json:"confirmed,omitempty"`
	}
	// jsonAmong is pairs: each of First with each of Second.
	jsonAmong struct {
		First  []string `json:"first"`
		Second []string `json:"second"`
	}
	jsonConfirmed struct {
		Preemptions  int    `json:"preemptions"`
		Interleaving string `json:"interleaving"`
	}
	jsonAccess struct {
		Kind       string   `json:"kind"`
		Order      ir.Order `json:"order"`
		EntryPoint string   `json:"entry_point"`
		Function   string   `json:"function"`
		File       string   `json:"file"`
		Line       int      `json:"line"`
		Column     int      `json:"column"`
		Locks      []string `json:"locks"`
		Calls      []string `json:"calls"`
	}
	jsonOrder struct {
		EntryPoint string `json:"entry_point"`
		Function   string `json:"function"`
		Held       string `json:"held"`
		HeldFile   string `json:"held_file"`
		HeldLine   int    `json:"held_line"`
		Wanted     string `json:"wanted"`
		File       string `json:"file"`
		Line       int    `json:"line"`
	}
	jsonAssumption struct {
		Kind string `json:"kind"`
		File string `json:"file"`
		Line int    `json:"line"`
		Text string `json:"text"`
	}
	jsonStage struct {
		Stage   string  `json:"stage"`
		Rounds  int     `json:"rounds"`
		Nodes   int     `json:"nodes"`
		Edges   int     `json:"edges"`
		Members int     `json:"members"`
		Sets    int     `json:"sets"`
		Seconds float64 `json:"seconds"`
		Ended   bool    `json:"ended"`
	}
	jsonCounters struct {
		Queries     int `json:"queries"`
		Candidates  int `json:"candidates"`
		Dropped     int `json:"dropped"`
		Obligations int `json:"obligations"`
		Inlined     int `json:"inlined"`
	}
)

// JSON prints the report by the documented schema.
func JSON(w io.Writer, r *diag.Report) error {
	out := jsonReport{Schema: 1, Tool: r.Tool, Version: r.Version, Command: r.Command, Input: r.Input, Verdict: r.Verdict,
		EntryPoints: []jsonEntry{}, Pairs: []jsonPair{}, Excluded: []jsonExcluded{}, Races: []jsonRace{}, Guards: []jsonGuard{}, LockOrders: [][2]jsonOrder{}, Findings: jsonFindings(r.Findings), Accepted: jsonAccepted(r.Accepted),
		Regions: jsonRegions(r.Regions), Notes: append([]string{}, r.Notes...), Counters: jsonCounters(r.Counters), Stages: []jsonStage{}, Seconds: r.Seconds}
	for _, x := range r.Stages {
		out.Stages = append(out.Stages, jsonStage{x.Name, x.Rounds, x.Nodes, x.Edges, x.Members, x.Sets, x.Time.Seconds(), x.Ended})
	}
	for _, e := range r.Entries {
		out.EntryPoints = append(out.EntryPoints, jsonEntry{e.Name, e.Pos.File, e.Pos.Line, e.Kind})
	}
	for _, x := range r.Excluded {
		out.Excluded = append(out.Excluded, jsonExcluded{x.A, x.B, x.Reason})
	}
	for _, o := range r.Orders {
		out.LockOrders = append(out.LockOrders, [2]jsonOrder{orderJSON(o.First), orderJSON(o.Second)})
	}
	for _, x := range r.Races {
		out.Races = append(out.Races, raceJSON(x))
	}
	for _, g := range r.Guards {
		out.Guards = append(out.Guards, jsonGuard(g))
	}
	l := r.Looked
	out.LookedAt, out.Left = jsonLooked{l.Packages, l.Functions, l.Callbacks, append([]string{}, l.Unseen...)}, []jsonLeft{}
	for _, x := range l.Left {
		out.Left = append(out.Left, jsonLeft{x.Kind, x.Name, x.Why, x.Pos.File, x.Pos.Line})
	}
	out.Assumptions = jsonAssumptions(r.Assumptions)
	return writeFields(w, out, map[string]elements{"pairs": {len(r.Pairs), func(i int) any {
		p := r.Pairs[i]
		return jsonPair{p.First, p.Second, p.Verdict, p.Reason, p.Seconds}
	}}})
}

func raceJSON(x diag.Race) jsonRace {
	out := jsonRace{kindOf(x), x.Region, fieldOf(x), x.Same, x.Why, append([]string{}, x.Pairs...), nil, [2]jsonAccess{accessJSON(x.First), accessJSON(x.Second)}, nil}
	for _, a := range x.Among {
		out.Among = append(out.Among, jsonAmong(a))
	}
	if b := x.Confirmed; b != nil {
		out.Confirmed = &jsonConfirmed{b.Preemptions, Interleaving(b.Execution)}
	}
	return out
}

func accessJSON(a diag.Access) jsonAccess {
	out := jsonAccess{Kind: a.Kind, Order: a.Order, EntryPoint: a.Entry, Function: a.Function, File: a.Pos.File, Line: a.Pos.Line, Column: a.Pos.Col,
		Locks: append([]string{}, a.Locks...), Calls: []string{}}
	for _, f := range a.Calls {
		out.Calls = append(out.Calls, f.Function+" at "+f.Pos.String())
	}
	return out
}

func jsonAssumptions(as []ir.Assumption) []jsonAssumption {
	out := make([]jsonAssumption, 0, len(as))
	for _, a := range as {
		out = append(out, assumptionJSON(a))
	}
	return out
}

func assumptionJSON(a ir.Assumption) jsonAssumption {
	return jsonAssumption{a.Kind, a.Pos.File, a.Pos.Line, a.Text}
}

func orderJSON(s diag.OrderSide) jsonOrder {
	return jsonOrder{s.EntryPoint, s.Function, s.Held, s.HeldAt.File, s.HeldAt.Line, s.Wanted, s.WantedAt.File, s.WantedAt.Line}
}
