package pipeline

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/bmc"
	"whoop/ir"
)

// preparer finds what runs before the entry points of a pair: the init entries, and
// entries that set up what they get.
type preparer struct {
	p     *ir.Program
	init  []bmc.Root
	regs  *ir.Registrations
	binds *ir.Bindings
	turns int // how often other entries may have run before the roots, in histories
}

// newPreparer is for histories of so many turns of the other entries, as
// BMCOptions.Before has it.
func newPreparer(p *ir.Program, before int) *preparer {
	if before == 0 {
		before = 1
	}
	x := &preparer{p: p, regs: ir.RegistrationsOf(p), binds: ir.BindingsOf(p), turns: max(before, 0)}
	for _, e := range p.Entries {
		if e.Init {
			x.init = append(x.init, root(e))
		}
	}
	// A module is initialised before its devices are probed.
	sort.SliceStable(x.init, func(i, k int) bool { return x.init[i].Entry.Kind == "init" && x.init[k].Entry.Kind != "init" })
	return x
}

// prepare fills in what runs before a job's roots. A file that is read was opened: the
// entry that opens it is run once for all roots that share files, and once for each root
// that has a file for itself; in other pairs, one may have been opened before, or not. A
// handler that neither an init entry nor the roots register is registered by another
// entry, which is run.
func (x *preparer) prepare(j *job) {
	roots := entriesOf(j.h.Roots)
	j.h.Init = slices.Clone(x.init)
	for _, o := range ir.Openers(roots) {
		e := x.p.EntryByName(o.Name)
		j.taken = append(j.taken, x.objects(roots, e)...)
		if e.Init {
			continue
		}
		n := o.Own
		if o.Shared {
			n++
		}
		if n > 1 && j.once == nil {
			j.once = &bmc.Harness{Init: append(slices.Clone(j.h.Init), root(e)), Roots: j.h.Roots[:1], Registered: x.regs.Before(entriesOf(x.init), roots[:1])}
			j.opens = e
		}
		for range n {
			j.h.Init = append(j.h.Init, root(e))
		}
	}
	for _, e := range x.before(roots) {
		if !slices.Contains(entriesOf(j.h.Init), e) {
			j.h.Init = append(j.h.Init, root(e))
			for _, c := range x.closers(e, roots) {
				j.h.Init = append(j.h.Init, root(c))
			}
		}
	}
	for _, r := range roots {
		if e := x.registrar(r, append(entriesOf(j.h.Init), roots...)); e != nil {
			j.h.Init = append(j.h.Init, root(e))
			j.taken = append(j.taken, ir.Assumption{Kind: "registered", Pos: r.Pos, Text: fmt.Sprintf("%s is called with what %s registers it with, which has run before", r.Name, e.Name)})
		}
		if e := x.starter(r, append(entriesOf(j.h.Init), roots...)); e != nil {
			j.h.Init = append(j.h.Init, root(e))
			j.taken = append(j.taken, ir.Assumption{Kind: "registered", Pos: r.Pos, Text: fmt.Sprintf("%s is started by %s, which has run before", r.Name, e.Name)})
		}
	}
	if len(j.h.Init) > len(x.init) {
		j.plain = &bmc.Harness{Init: x.init, Roots: j.h.Roots, Registered: x.regs.Before(entriesOf(x.init), roots)}
	}
	j.h.Registered = x.regs.Before(entriesOf(j.h.Init), roots)
	for _, r := range roots {
		if e := x.outside(r, roots); e != nil && slices.Contains(j.h.Registered, ir.Starting(r.Func)) {
			j.taken = append(j.taken, ir.Assumption{Kind: "registered", Pos: r.Pos, Text: fmt.Sprintf("%s may have been started before by %s, of which nothing else is followed then", r.Name, e.Name)})
		}
	}
	j.history = x.history(j, roots)
	j.open = x.others(j, roots)
}

// history is the harness in which each entry, but for those that end something, may have
// run before the roots, or not, turn by turn; nil where that are none.
func (x *preparer) history(j *job, roots []*ir.Entry) *bmc.Harness {
	h := &bmc.Harness{Init: slices.Clone(j.h.Init), Roots: j.h.Roots}
	for range x.turns {
		for _, e := range x.p.Entries {
			if !e.Init && !e.Exit && !e.Spawned && !e.Closes() {
				h.Init = append(h.Init, root(e))
			}
		}
	}
	if len(h.Init) == len(j.h.Init) {
		return nil
	}
	h.Registered = x.regs.Before(entriesOf(h.Init), roots)
	return h
}

// before are the entries that may run before roots, or not: those that open something,
// and those among the roots that register or start others of them, where they may overlap
// themselves.
func (x *preparer) before(roots []*ir.Entry) []*ir.Entry {
	var out []*ir.Entry
	for _, e := range x.p.Entries {
		inside := slices.Contains(roots, e)
		if e.Init || e.Exit || e.Spawned || inside && !e.Multi {
			continue
		}
		opens := slices.ContainsFunc(x.p.Entries, func(o *ir.Entry) bool {
			return slices.ContainsFunc(o.Same, func(s ir.SameArgument) bool { return s.Of == e.Name })
		})
		registers := inside && slices.ContainsFunc(roots, func(h *ir.Entry) bool {
			return h != e && (x.regs.Own(e, ir.Bound(h.Func)) || x.regs.Own(e, ir.Starting(h.Func)))
		})
		if opens || registers {
			out = append(out, e)
		}
	}
	return out
}

// outside is an entry that is none of the roots and may start one of them; nil where
// there is none, and where that takes no instruction.
func (x *preparer) outside(r *ir.Entry, roots []*ir.Entry) *ir.Entry {
	for _, e := range x.p.Entries {
		if x.binds.Started(r.Func) && !e.Init && !slices.Contains(roots, e) && x.regs.Own(e, ir.Starting(r.Func)) {
			return e
		}
	}
	return nil
}

// closers are the entries that close what e, one of the roots, has opened before the
// roots run, and started one of them: after that it may be opened again, with the handler
// still about to run. None where roots use what is open.
func (x *preparer) closers(e *ir.Entry, roots []*ir.Entry) []*ir.Entry {
	starts := slices.ContainsFunc(roots, func(h *ir.Entry) bool { return h != e && x.regs.Own(e, ir.Starting(h.Func)) })
	of := func(s ir.SameArgument) bool { return s.Of == e.Name }
	if !starts || !slices.Contains(roots, e) || slices.ContainsFunc(roots, func(r *ir.Entry) bool { return slices.ContainsFunc(r.Same, of) }) {
		return nil
	}
	var out []*ir.Entry
	for _, c := range x.p.Entries {
		if c.Closes() && !c.Exit && slices.ContainsFunc(c.Same, of) {
			out = append(out, c)
		}
	}
	return out
}

// objects are the assumptions about what roots get from a run of e.
func (x *preparer) objects(roots []*ir.Entry, e *ir.Entry) []ir.Assumption {
	var out []ir.Assumption
	for _, r := range roots {
		if !slices.ContainsFunc(r.Same, func(s ir.SameArgument) bool { return s.Of == e.Name }) {
			continue
		}
		how := "which returned 0"
		if e.Init {
			how = "the one device there is"
		}
		a := ir.Assumption{Kind: "same-object", Pos: r.Pos, Text: fmt.Sprintf("%s (%s) gets what %s (%s) got, %s", r.Name, r.Kind, e.Name, e.Kind, how)}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// registrar is the entry that is run for handler r to be registered; nil where something
// that is run does so, or nothing.
func (x *preparer) registrar(r *ir.Entry, run []*ir.Entry) *ir.Entry {
	if len(x.binds.Static(r.Func)) > 0 {
		return nil
	}
	return x.first(ir.Bound(r.Func), r, run)
}

// starter is the entry that is run for an object of handler r to be started, where that
// takes an instruction; nil where something that is run does so, or nothing, and where an
// init entry registers it: what other entries have started since then may run.
func (x *preparer) starter(r *ir.Entry, run []*ir.Entry) *ir.Entry {
	key := ir.Bound(r.Func)
	if !x.binds.Started(r.Func) || len(x.binds.Static(r.Func)) > 0 || slices.ContainsFunc(x.init, func(i bmc.Root) bool { return x.regs.Own(i.Entry, key) }) {
		return nil
	}
	return x.first(ir.Starting(r.Func), r, slices.DeleteFunc(slices.Clone(run), func(e *ir.Entry) bool { return e == r }))
}

// first is an entry other than r that does what registrations have, one that opens
// something if there is one; nil where one of those that run does it.
func (x *preparer) first(what string, r *ir.Entry, run []*ir.Entry) *ir.Entry {
	if slices.ContainsFunc(run, func(e *ir.Entry) bool { return x.regs.Own(e, what) }) {
		return nil
	}
	var found *ir.Entry
	for _, e := range x.p.Entries {
		if e.Init || e.Exit || e.Spawned || e == r || !x.regs.Own(e, what) {
			continue
		}
		if found == nil || strings.HasSuffix(e.Kind, "open") && !strings.HasSuffix(found.Kind, "open") {
			found = e
		}
	}
	return found
}

// others notes handlers that entries may register with other arguments which are not run.
func (x *preparer) others(j *job, roots []*ir.Entry) []ir.Assumption {
	var out []ir.Assumption
	run := append(entriesOf(j.h.Init), roots...)
	for _, r := range roots {
		if !x.starts(r, run, j.h.Registered) {
			out = note(out, r, fmt.Sprintf("%s (%s) never runs: nothing but itself starts it", r.Name, r.Kind))
		}
		stops := func(o *ir.Entry) bool { return o != r && x.regs.Own(o, ir.Stopping(r)) }
		if e := x.outside(r, roots); e != nil && !j.proved && slices.ContainsFunc(roots, stops) {
			out = note(out, r, fmt.Sprintf("%s may be started again by %s after it was stopped: that is not followed", r.Name, e.Name))
		}
		if slices.Contains(j.h.Registered, ir.Bound(r.Func)) {
			continue
		}
		for _, e := range x.p.Entries {
			if !e.Init && !slices.Contains(run, e) && x.regs.Own(e, ir.Bound(r.Func)) {
				out = note(out, r, fmt.Sprintf("%s may be registered by %s, too: calls with what that one registers it with are not followed", r.Name, e.Name))
			}
		}
	}
	return out
}

// note adds what is not covered of a handler, once.
func note(out []ir.Assumption, r *ir.Entry, text string) []ir.Assumption {
	a := ir.Assumption{Kind: "registered", Pos: r.Pos, Text: text}
	if slices.Contains(out, a) {
		return out
	}
	return append(out, a)
}

// starts reports whether something but itself may start a root: an entry that is run, or
// one that may have been before.
func (x *preparer) starts(r *ir.Entry, run []*ir.Entry, before []string) bool {
	any := func(wanted func(string) bool) (known, found bool) {
		for _, k := range x.regs.Kinds() {
			if wanted(k) {
				known = true
				found = found || slices.Contains(before, k) || slices.ContainsFunc(run, func(e *ir.Entry) bool { return e != r && x.regs.Own(e, k) })
			}
		}
		return known, found
	}
	if slices.Contains(before, ir.Bound(r.Func)) {
		return true
	}
	known, found := any(func(k string) bool { return strings.HasPrefix(r.Kind, k) })
	if known && !found {
		return false
	}
	if !x.binds.Closed(r.Func) || len(x.binds.Static(r.Func)) > 0 {
		return true
	}
	_, found = any(func(k string) bool { return k == ir.Bound(r.Func) })
	return found
}

func entriesOf(rs []bmc.Root) []*ir.Entry {
	var out []*ir.Entry
	for _, r := range rs {
		out = append(out, r.Entry)
	}
	return out
}
