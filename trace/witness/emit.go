package witness

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// FromTrace describes a trace of p by waypoints: one for each statement of a thread whose
// steps others may notice, in the order in which they were taken (one for each step where
// a thread is left within a statement), one for each input value, and the targets. p must
// have a main function and must be C: the formats know nothing else. The trace is
// replayed first. The program's files are read, to hash them and to find where statements
// begin.
func FromTrace(p *ir.Program, t *trace.Trace, meta Meta) (*Violation, error) {
	return fromTrace(p, t, meta, newSources(nil))
}

func fromTrace(p *ir.Program, t *trace.Trace, meta Meta, src *sources) (*Violation, error) {
	if !t.Main {
		return nil, errors.New("a witness describes executions of a main function, and this trace is of a driver's entry points")
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return nil, err
	}
	h, err := t.Harness(p)
	if err != nil {
		return nil, err
	}
	if _, err := trace.Replay(m, h, t); err != nil {
		return nil, fmt.Errorf("the trace does not replay: %w", err)
	}
	if meta, err = complete(meta, p, t.Bug.Kind, src); err != nil {
		return nil, err
	}
	t = calm(m, h, t, src)
	r := newRecorder(m, h, t, src)
	if err := r.run(); err != nil {
		return nil, err
	}
	v := &Violation{Meta: meta}
	e := &emitter{v: v, src: src, single: r.s.NumThreads() == 1}
	ends, early, err := targets(r, &t.Bug)
	v.early = early
	if err != nil {
		return nil, err
	}
	if f := h.Roots[0].Func; f != nil {
		if args := r.arguments(f); args != "" {
			e.first = args
			if at := entry(f); len(r.out) == 0 || r.out[0].fn != f.Name || !r.out[0].visible || src.statement(r.out[0].pos) != src.statement(at) {
				r.out = append([]moment{{pos: at, fn: f.Name, value: args}}, r.out...)
			}
		}
	}
	e.all(r.out, ends)
	return v, nil
}

// Complete fills in what Meta leaves open of a program's witness: its files with their
// hashes, the data model, and the specification that a kind of bug violates.
func (m Meta) Complete(p *ir.Program, kind string) (Meta, error) {
	return complete(m, p, kind, newSources(nil))
}

// complete fills in what the caller left open.
func complete(meta Meta, p *ir.Program, kind string, src *sources) (Meta, error) {
	if meta.Specification == "" {
		if meta.Specification = Specification(kind); meta.Specification == "" {
			return meta, fmt.Errorf("no property of the formats is violated by %q", kind)
		}
	}
	if len(meta.Files) == 0 {
		meta.Files = files(p, src)
	}
	if meta.DataModel == "" {
		meta.DataModel = "LP64"
	}
	if meta.Hashes != nil {
		return meta, nil
	}
	meta.Hashes = map[string]string{}
	for _, f := range meta.Files {
		b, err := src.read(f)
		if err != nil {
			return meta, fmt.Errorf("the program's file cannot be hashed: %w", err)
		}
		h := sha256.Sum256(b)
		meta.Hashes[f] = hex.EncodeToString(h[:])
	}
	return meta, nil
}

// files are the program's files: the input; or those that functions are defined in, where
// the input is not one file.
func files(p *ir.Program, src *sources) []string {
	if _, err := src.read(p.Name); err == nil {
		return []string{p.Name}
	}
	var out []string
	for _, f := range p.Funcs {
		if len(f.Blocks) > 0 && f.Pos.File != "" && !slices.Contains(out, f.Pos.File) {
			out = append(out, f.Pos.File)
		}
	}
	slices.Sort(out)
	if out == nil {
		return []string{p.Name}
	}
	return out
}

// targets are where the bug shows. A trace of a race may have been shortened to where the
// race is only by the order of what happens, and a thread is not yet before its access:
// early says so.
func targets(r *recorder, b *trace.Bug) (ends []moment, early string, err error) {
	at := func(id interp.ThreadID, p trace.Place) moment {
		m := moment{thread: id, pos: ir.Pos{File: p.File, Line: p.Line, Col: p.Column}}
		if int(id) < r.s.NumThreads() {
			if st := r.s.Stack(id); len(st) > 0 && st[0].Func != nil {
				m.fn = st[0].Func.Name
			}
		}
		return m
	}
	var out []moment
	switch b.Kind {
	case "race":
		out = []moment{at(b.Thread, b.At), at(b.Other, b.AtToo)}
		for _, m := range out {
			if p, ok := ahead(r.s, m.thread); !ok || p.Pos != m.pos && !section(p) {
				early = fmt.Sprintf("the trace ends before the race: thread %d is at %s, not before %s", m.thread, p.Pos, m.pos)
			}
		}
	case "deadlock":
		for i := range r.s.NumThreads() {
			if id := interp.ThreadID(i); !r.s.Ended(id) {
				out = append(out, at(id, trace.PlaceOf(r.s.Next(id).Pos)))
			}
		}
	default:
		out = []moment{at(b.Thread, b.At)}
	}
	for _, m := range out {
		if m.pos.Line == 0 {
			return nil, "", fmt.Errorf("the place of the %s is not known", b.Kind)
		}
	}
	return out, early, nil
}

// section reports whether a place is the beginning of an atomic section.
func section(p interp.Place) bool {
	_, ok := p.Instr.(*ir.AtomicBegin)
	if _, await := p.Instr.(*ir.Await); await {
		ok = true
	}
	return ok
}

// emitter turns moments into waypoints.
type emitter struct {
	v      *Violation
	src    *sources
	single bool   // only one thread: no names
	first  string // the constraint of the first waypoint: main's arguments
}

// group is what a thread does in a statement without a break.
type group struct {
	thread interp.ThreadID
	at     ir.Pos // where the statement begins
	steps  []moment
}

func (e *emitter) all(ms, ends []moment) {
	gs := e.groups(ms)
	for i, g := range gs {
		e.group(g, continues(gs, i))
	}
	var last Segment
	for _, m := range ends {
		last = append(last, e.waypoint(Target, m, e.src.statement(m.pos)))
	}
	e.v.Segments = append(e.v.Segments, last)
}

// groups joins moments of one thread in one execution of one statement.
func (e *emitter) groups(ms []moment) []group {
	var out []group
	for _, m := range ms {
		at := e.src.statement(m.pos)
		n := len(out) - 1
		if n < 0 || out[n].thread != m.thread || out[n].at != at || m.visible && out[n].has(m.instr) {
			out = append(out, group{thread: m.thread, at: at})
			n++
		}
		out[n].steps = append(out[n].steps, m)
	}
	return out
}

// has reports whether a step was taken already: the statement is executed again.
func (g *group) has(in any) bool {
	for _, m := range g.steps {
		if m.visible && m.instr == in {
			return true
		}
	}
	return false
}

// continues reports whether a group goes on with a statement in whose middle its thread
// was left.
func continues(gs []group, i int) bool {
	for k := i - 1; k >= 0; k-- {
		if h := gs[k]; h.thread == gs[i].thread {
			return h.at == gs[i].at && h.steps[len(h.steps)-1].more
		}
	}
	return false
}

// group adds the waypoints of a group: one at the start of the statement; and one inside
// it where the thread goes on with it, and for each further step where the thread is left
// in its middle, so that it is clear how far it goes.
func (e *emitter) group(g group, inside bool) {
	said, each := false, g.steps[len(g.steps)-1].more
	for i, m := range g.steps {
		at := g.at
		if inside {
			at = e.src.inside(m.pos)
		}
		switch {
		case !m.visible && m.call:
			if i == 0 && g.anyVisible() {
				e.add(e.waypoint(Assumption, m, at))
				said, inside = true, true
			}
			at, _ := e.src.closing(m.pos)
			w := e.waypoint(FunctionReturn, m, at)
			w.Constraint, w.Enters = m.value, e.src.callee(m.pos)
			e.add(w)
		case !m.visible:
			w := e.waypoint(Assumption, m, at)
			w.Constraint = m.value
			e.add(w)
			said, inside = true, true
		case !said || each:
			if said && i > 0 && !g.steps[i-1].visible {
				continue // the waypoint that came before the value
			}
			w := e.waypoint(Assumption, m, at)
			for _, id := range m.created {
				w.Creates = strconv.Itoa(int(id))
			}
			e.add(w)
			said, inside = true, true
		}
	}
}

func (g *group) anyVisible() bool {
	for _, m := range g.steps {
		if m.visible {
			return true
		}
	}
	return false
}

func (e *emitter) add(w Waypoint) { e.v.Segments = append(e.v.Segments, Segment{w}) }

func (e *emitter) waypoint(t Type, m moment, at ir.Pos) Waypoint {
	w := Waypoint{Type: t, At: Location{File: at.File, Line: at.Line, Column: at.Col, Function: m.fn}}
	if t == Assumption {
		if w.Constraint = "1"; e.first != "" && len(e.v.Segments) == 0 {
			w.Constraint = e.first
		}
	}
	if !e.single {
		w.Thread = strconv.Itoa(int(m.thread))
	}
	if s := e.src.of(at.File); s != nil {
		w.At.Offset, _ = s.offset(at.Line, at.Col)
	}
	return w
}
