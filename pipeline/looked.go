package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/ir"
)

// unseenCalls lists the calls through pointers that lead to code that is not seen, and
// the threads that run such code.
func unseenCalls(p *ir.Program, al *alias.Result) []string {
	var out []string
	for _, a := range runsUnseen(p, al) {
		out = append(out, fmt.Sprintf("%s: %s", a.Pos, a.Text))
	}
	return out
}

// runsUnseen is the same as assumptions that an execution makes which passes over it.
func runsUnseen(p *ir.Program, al *alias.Result) []ir.Assumption {
	var out []ir.Assumption
	for _, in := range p.Instrs() {
		if _, registers := in.(*ir.Register); registers || !al.RunsUnseen(in) {
			continue
		}
		a := ir.Assumption{Kind: "extern-call", Pos: in.At(), Text: "a function that is not seen is called"}
		if _, spawns := in.(*ir.Spawn); spawns {
			a.Text = "a thread runs a function that is not seen"
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// looked says what the report of a program is about.
func looked(p *ir.Program) diag.Looked {
	out := diag.Looked{Packages: p.Seen.Packages, Functions: p.Seen.Functions, Left: p.Seen.Left}
	for _, f := range p.Funcs {
		if p.Seen.Functions == 0 && len(f.Blocks) > 0 {
			out.Functions++
		}
	}
	unseen, calls := slices.Clone(p.Seen.Unknown), []ir.Assumption(nil)
	for _, a := range p.Assumptions {
		switch a.Kind {
		case "callback", "extern-callback", "callback-target":
			out.Callbacks++
		case "extern-call":
			if !p.TypeSafe { // Go's are those of libraries: see Seen.Unknown
				calls = append(calls, a)
			}
		}
	}
	if out.Callbacks > 0 || !tablesOnly(p) {
		unseen = append(unseen, calls...)
	}
	for _, a := range unseen {
		what, _, _ := strings.Cut(a.Text, ":")
		if what = fmt.Sprintf("%s: %s", a.Pos, what); !slices.Contains(out.Unseen, what) {
			out.Unseen = append(out.Unseen, what)
		}
	}
	return out
}

// tablesOnly reports whether a program is a module of the kernel of which only tables and
// the load and unload functions make functions known. Threads of the kernel run what they
// are given: those entries, whoever calls them.
func tablesOnly(p *ir.Program) bool {
	return len(p.Entries) > 0 && !slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool {
		return e.Spawned || e.Kind == "main" || !(e.Kind == "init" || e.Kind == "exit" || strings.Contains(e.Kind, "."))
	})
}
