package witness

import (
	"maps"
	"slices"
	"strconv"

	"whoop/ir"
	"whoop/ir/interp"
)

// names reports whether a waypoint is of a thread.
func (r *search) names(p *Waypoint, id interp.ThreadID) bool {
	t, ok := r.bind[p.Thread]
	return !ok || t == id
}

// locate converts a waypoint's place to a position in a file of the program; without a
// column it may be anywhere in the line.
func (r *search) locate(l Location, file string) (ir.Pos, bool) {
	p := ir.Pos{File: file, Line: l.Line, Col: l.Column}
	if p.Col == 0 && l.Offset > 0 {
		if s := r.src.of(file); s != nil && l.Offset < len(s.text) {
			if q := s.pos(file, l.Offset); l.Line == 0 || q.Line == l.Line {
				p = q
			}
		}
	}
	return p, p.Line > 0
}

// here reports whether a step at a position is of the statement that a waypoint's place
// names.
func (r *search) here(l Location, at ir.Pos) (ir.Pos, bool) {
	if at.Line == 0 || !sameFile(l.File, at.File, r.m.IR.Name) {
		return at, false
	}
	p, ok := r.locate(l, at.File)
	if !ok {
		return p, false
	}
	if p.Col == 0 {
		return p, at.Line == p.Line || r.src.statement(at).Line == p.Line
	}
	return p, r.src.statement(at) == r.src.statement(p)
}

// matches reports whether a thread that is before a step is where a waypoint says. The
// start of a statement is passed once an execution of it; a place inside is passed in the
// middle of one, before a step that others may notice.
func (r *search) matches(w *walk, p *Waypoint, id interp.ThreadID, next interp.Place, vis bool) bool {
	l := p.At
	if l.Line == 0 && l.Offset == 0 {
		return false
	}
	at, ok := r.here(l, next.Pos)
	if !ok {
		return false
	}
	st := r.src.statement(next.Pos)
	pl := w.of(id)
	if pl.seen == nil || pl.at != st {
		return true
	}
	fresh := !pl.seen[instr(next)]
	if at.Col > 0 && at != r.src.statement(at) && pl.steps > 0 {
		return fresh && vis
	}
	return !fresh
}

// after passes waypoints that a step shows: entered and left functions, branches.
func (r *search) after(w *walk, id interp.ThreadID, at interp.Place, ev *interp.Event) {
	if w.i >= len(r.points) {
		return
	}
	p := &r.points[w.i]
	if !r.names(p, id) {
		return
	}
	switch p.Type {
	case FunctionEnter:
		if r.enters(w, p, id, at, ev) {
			w.passed(id, at.Pos)
		}
	case FunctionReturn:
		if _, ok := at.Instr.(*ir.Call); ok && r.call(p.At, at.Pos) {
			w.passed(id, at.Pos) // the value of a function of the program is what it is
		}
	case Branching:
		b, ok := at.Term.(*ir.Branch)
		if _, here := r.here(p.At, at.Pos); ok && here && w.s.Status() == interp.Running && (r.v.After || goes(b, w.s.Next(id), p.Constraint)) {
			w.passed(id, at.Pos)
		}
	}
}

func (r *search) enters(w *walk, p *Waypoint, id interp.ThreadID, at interp.Place, ev *interp.Event) bool {
	if p.At.Line > 0 {
		_, assign := at.Instr.(*ir.Assign)
		return at.Instr != nil && !assign && r.call(p.At, at.Pos)
	}
	st := w.s.Stack(id)
	_, call := at.Instr.(*ir.Call)
	return (call || ev.Kind == interp.Start) && len(st) > 0 && st[0].Func != nil && (p.Enters == "" || st[0].Func.Name == p.Enters)
}

// call reports whether a waypoint's place is that of the call at a position: its closing
// parenthesis, or anywhere before.
func (r *search) call(l Location, at ir.Pos) bool {
	if at.Line == 0 || !sameFile(l.File, at.File, r.m.IR.Name) {
		return false
	}
	p, ok := r.locate(l, at.File)
	end, closed := r.src.closing(at)
	switch {
	case !ok:
		return false
	case !closed:
		return p.Line == at.Line
	case l.Column == 0:
		return p.Line >= r.src.statement(at).Line && p.Line <= end.Line && (p.Col == 0 || !end.Less(p))
	}
	return p == end || p == at
}

// goes reports whether a branch has gone the way a waypoint says.
func goes(b *ir.Branch, next interp.Place, way string) bool {
	in := func(to *ir.Block) bool {
		if len(to.Instrs) > 0 {
			return next.Instr == to.Instrs[0]
		}
		return next.Term == to.Term
	}
	switch way {
	case "true":
		return in(b.Then)
	case "false":
		return in(b.Else)
	}
	return true // a case: its value is not followed
}

// answer is what a query is told, and what else it may be told at the cost of a
// deviation.
func (r *search) answer(w *walk, q *interp.Query) (uint64, []uint64) {
	if w.i < len(r.points) {
		p := &r.points[w.i]
		if p.Type == FunctionReturn && r.names(p, q.Thread) && r.call(p.At, q.Pos) {
			if as, _ := atoms(p.Constraint); len(as) == 1 && w.passed(q.Thread, q.Pos) {
				return returned(q, as[0]), nil
			}
		}
	}
	if q.Instr == nil && q.Term == nil && q.N == 0 {
		return r.argument(q), nil
	}
	switch {
	case q.Kind == interp.InFailure:
		return 0, nil // nothing fails of which the witness does not say so
	case q.N > 0:
		var others []uint64
		for k := 1; k < min(q.N, maxAlternatives); k++ {
			others = append(others, uint64(k))
		}
		return 0, others
	}
	hints, first := r.hints(w, q)
	if first && len(hints) > 0 {
		return hints[0], append(hints[1:], 0)
	}
	return 0, append(hints, 1)
}

// argument is what main is given: what the first waypoints say of the parameter.
func (r *search) argument(q *interp.Query) uint64 {
	r.args = append(r.args[:min(q.Index, len(r.args))], *q)
	name := argument(r.h.Roots[0].Func, r.args)
	for i := 0; i < min(maxHints, len(r.points)) && name != ""; i++ {
		as, _ := atoms(r.points[i].Constraint)
		for _, a := range as {
			if a.name == name {
				return a.solution()
			}
		}
	}
	return 0
}

// returned is the answer that makes a call return what the waypoint says.
func returned(q *interp.Query, a atom) uint64 {
	if q.Kind != interp.InFailure {
		return a.solution()
	}
	_, spawn := q.Instr.(*ir.Spawn)
	_, alloc := q.Instr.(*ir.Alloc)
	zero := a.op == "==" && a.big == 0
	if alloc && zero || spawn && !zero {
		return 1
	}
	return 0
}

// hints are the constants that the next waypoints' constraints compare with; first: the
// next one is about the statement of the query, so that its constant is likely the
// answer.
func (r *search) hints(w *walk, q *interp.Query) (out []uint64, first bool) {
	for i := w.i; i < min(w.i+maxHints, len(r.points)); i++ {
		p := &r.points[i]
		as, _ := atoms(p.Constraint)
		for _, a := range as {
			if a.name != `\result` && a.solution() != 0 {
				_, here := r.here(p.At, q.Pos)
				first = first || i == w.i && here && len(out) == 0
				out = append(out, a.solution())
			}
		}
	}
	// A waypoint at the statement that was just passed may be the one that says.
	if i := w.i - 1; i >= 0 && r.names(&r.points[i], q.Thread) {
		if _, here := r.here(r.points[i].At, q.Pos); here {
			as, _ := atoms(r.points[i].Constraint)
			for _, a := range as {
				if a.name != `\result` {
					out, first = append([]uint64{a.solution()}, out...), true
				}
			}
		}
	}
	return out, first
}

// Bounds on what is tried.
const (
	maxAlternatives = 8
	maxHints        = 3
)

// bindings are the ways in which the witness's labels may name the threads, the likeliest
// first: by their numbers, by their numbers from 1, in the order in which the labels
// occur.
func bindings(v *Violation) []map[string]interp.ThreadID {
	ls := labels(v)
	order := map[string]interp.ThreadID{}
	for i, l := range ls {
		order[l] = interp.ThreadID(i)
	}
	least, numbers := 0, map[string]interp.ThreadID{}
	for i, l := range ls {
		n, err := strconv.Atoi(l)
		if err != nil || n < 0 || n > maxThreads {
			return []map[string]interp.ThreadID{order}
		}
		numbers[l] = interp.ThreadID(n)
		if i == 0 || n < least {
			least = n
		}
	}
	out := []map[string]interp.ThreadID{numbers}
	if least > 0 {
		from := map[string]interp.ThreadID{}
		for l, n := range numbers {
			from[l] = n - interp.ThreadID(least)
		}
		out = append(out, from)
	}
	if !maps.Equal(numbers, order) {
		out = append(out, order)
	}
	return out
}

// maxThreads is the largest number of a thread that is taken for one.
const maxThreads = 1000

// labels are the names of the threads, in the order in which they occur.
func labels(v *Violation) []string {
	var out []string
	for _, s := range v.Segments {
		for _, w := range s {
			for _, l := range []string{w.Thread, w.Creates} {
				if l != "" && !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	return out
}
