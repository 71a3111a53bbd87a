package golang

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Channels of a run: a function makes one, all operations on it are known, and each close
// is ordered with the sends and with other closes. Several runs of the function have a
// channel each, so that nothing else needs to be compared.

// localChans knows which channels are so, by where they are made.
type localChans struct {
	t *tokens
	n *numbers
	// ordered has the answers so far.
	ordered map[*ssa.MakeChan]bool
}

// chanOp is a send or a close, as the function that made the channel sees it.
type chanOp struct {
	// thread is the goroutine's function that executes it, started by start; nil for the
	// thread that made the channel.
	thread *ssa.Function
	start  ssa.CallInstruction
	// at is the operation in, or the call that leads to it, in thread or in the function
	// that made the channel.
	at, in ssa.Instruction
	// often: a thread may execute it several times.
	often bool
	// placed: the above is known. under is what the operation is done under.
	placed bool
	under  []underOne
}

// isOrdered reports whether a channel is one of these.
func (l *localChans) isOrdered(ch ssa.Value) bool {
	m, ok := l.n.origin(ch).(*ssa.MakeChan)
	if !ok {
		return false
	}
	out, known := l.ordered[m]
	if !known {
		out = l.look(m)
		l.ordered[m] = out
	}
	return out
}

// look decides about a channel.
func (l *localChans) look(m *ssa.MakeChan) bool {
	closes, sends, ok := l.operations(m)
	if !ok {
		return false
	}
	placed := !slices.ContainsFunc(slices.Concat(closes, sends), func(o chanOp) bool { return !o.placed })
	for i, c := range closes {
		for _, o := range slices.Concat(sends, closes[i:]) {
			if l.keptApart(o, c) {
				continue
			}
			if !placed {
				return false
			}
			if o.thread == c.thread {
				if c.thread == nil || l.single(c.start, m) {
					continue
				}
				return false
			}
			if !l.before(o, c, m) && !l.before(c, o, m) && !(len(closes) == 1 && l.allReceived(sends, c, m)) {
				return false
			}
		}
	}
	return true
}

// operations lists the closes of a channel and the sends to it; ok is false where some
// are neither placed nor done under anything.
func (l *localChans) operations(m *ssa.MakeChan) (closes, sends []chanOp, ok bool) {
	u := usesOf(m)
	if !u.known {
		return nil, nil, false
	}
	op := func(in ssa.Instruction, ch ssa.Value, kind ir.Operation) chanOp {
		o, placed := l.place(in, ch, m)
		o.placed = placed
		if form.MadeAt(ch) == m {
			o.under = l.t.l.gates.underWhat(in, kind, m)
		}
		ok = ok && (placed || len(o.under) > 0)
		return o
	}
	ok = true
	for _, in := range u.closes {
		closes = append(closes, op(in, in.(ssa.CallInstruction).Common().Args[0], ir.OpClose))
	}
	for _, s := range u.sends {
		sends = append(sends, op(s.in, s.ch, ir.OpSend))
	}
	return closes, sends, ok
}

// place climbs from an operation on a channel through the only calls of its functions to
// the one that made the channel, and at most one go statement.
func (l *localChans) place(in ssa.Instruction, ch ssa.Value, m *ssa.MakeChan) (o chanOp, ok bool) {
	if l.n.origin(ch) != ssa.Value(m) {
		return o, false
	}
	o.at, o.in = in, in
	if _, isGo := in.(*ssa.Go); isGo { // go close(ch)
		return o, false
	}
	for range 10 {
		f := o.at.Parent()
		if o.thread == nil {
			o.often = o.often || form.OnCycle(o.at.Block()) && f != m.Parent()
		}
		if f == m.Parent() {
			return o, true
		}
		if sites := l.t.l.once.Sites[f]; !l.n.known(f) || len(sites) != 1 {
			return o, false
		}
		s := l.t.l.once.Sites[f][0]
		if !l.starts(s, f) {
			o.at = s
			continue
		}
		if s.Parent() != m.Parent() {
			return o, false
		}
		o.thread, o.start = f, s
		return o, true
	}
	return o, false
}

// starts reports whether a call starts a function as a goroutine, and does not call it.
func (l *localChans) starts(s ssa.CallInstruction, f *ssa.Function) bool {
	if _, isGo := s.(*ssa.Go); isGo {
		return true
	}
	return form.CalleeOf(s) != f && l.t.l.Models.Model(s.Common().StaticCallee()).Op == library.OpGo
}

// single reports whether a go statement is executed at most once for each channel that is
// made.
func (l *localChans) single(s ssa.CallInstruction, m *ssa.MakeChan) bool {
	return !form.MayReach(s, s, m)
}

// before reports whether all of o is over, as the closing thread knows, when c is
// executed.
func (l *localChans) before(o, c chanOp, m *ssa.MakeChan) bool {
	if o.thread == nil {
		_, late := o.at.(*ssa.Defer)
		return c.start != nil && !late && !form.MayReach(c.start, o.at, m)
	}
	return l.waited(o, c, m) || l.toldBefore(o, c, m)
}

// passes reports whether one of some instructions of the function that made the channel
// is executed between the start of a goroutine and an operation, or the start of the
// goroutine that executes that.
func passes(start ssa.Instruction, c chanOp, m *ssa.MakeChan, in ssa.Instruction) bool {
	to := c.at
	if c.start != nil {
		to = c.start
	}
	if _, late := to.(*ssa.Defer); late || in.Parent() != m.Parent() {
		return false
	}
	return !form.MayReach(start, to, in, m)
}

// waited reports whether a WaitGroup is waited for before c that counts the goroutine of
// o until that is over.
func (l *localChans) waited(o, c chanOp, m *ssa.MakeChan) bool {
	for _, k := range form.SortedKeys(l.t.groups) {
		g := l.t.groups[k]
		if !g.ok || g.home != m.Parent() || !l.countedUntil(g, o, m) {
			continue
		}
		if c.thread != nil && c.thread == g.closer && l.t.afterWait(g, c.at) {
			return true
		}
		if slices.ContainsFunc(g.waits, func(w ssa.CallInstruction) bool { return passes(o.start, c, m, w) }) {
			return true
		}
	}
	return false
}

// countedUntil reports whether a group counts the goroutine of an operation, until that
// is over.
func (l *localChans) countedUntil(g *group, o chanOp, m *ssa.MakeChan) bool {
	if slices.Contains(g.gos, o.start) {
		return true
	}
	if !slices.Contains(g.sites, o.start) {
		return false
	}
	for _, d := range g.dones {
		if l.t.goroutineOf(d) != o.thread {
			continue
		}
		return l.t.l.once.NeverAfter(o.thread, o.in, d)
	}
	return false
}

// toldBefore reports whether the goroutine of o says by another channel that it is over,
// and c comes after that was received.
func (l *localChans) toldBefore(o, c chanOp, m *ssa.MakeChan) bool {
	if !l.single(o.start, m) {
		return false
	}
	for _, r := range receives(c.at.Parent(), m.Parent()) {
		d, ok := l.n.origin(r.X).(*ssa.MakeChan)
		if !ok || d == m || d.Parent() != m.Parent() || !l.single(o.start, d) || !l.tells(o, d) {
			continue
		}
		if r.Parent() == m.Parent() && passes(o.start, c, m, r) {
			return true
		}
		if _, late := c.at.(*ssa.Defer); !late && r.Parent() == c.at.Parent() && c.thread != nil && form.ComesBefore(r, c.at) {
			return true
		}
	}
	return false
}

// tells reports whether all sends to a channel, and closes of it, come after an
// operation, in its goroutine.
func (l *localChans) tells(o chanOp, d *ssa.MakeChan) bool {
	closes, sends, ok := l.operations(d)
	if !ok {
		return false
	}
	for _, r := range slices.Concat(closes, sends) {
		if !r.placed || r.thread != o.thread || !l.t.l.once.NeverAfter(o.thread, o.in, r.in) {
			return false
		}
	}
	return len(closes)+len(sends) > 0
}

// receives lists the receives in functions, each once; not those of select statements.
func receives(fs ...*ssa.Function) []*ssa.UnOp {
	var out []*ssa.UnOp
	for i, f := range fs {
		if slices.Contains(fs[:i], f) {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if r, ok := in.(*ssa.UnOp); ok && r.Op == token.ARROW {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// allReceived reports whether only goroutines send, each once at most, and the function
// that made the channel has received from all of them when it closes it.
func (l *localChans) allReceived(sends []chanOp, c chanOp, m *ssa.MakeChan) bool {
	if _, late := c.at.(*ssa.Defer); late || c.thread != nil || form.OnCycle(m.Block()) {
		return false
	}
	var sites []ssa.CallInstruction
	for _, s := range sends {
		if s.thread == nil || s.often || form.OnCycle(s.at.Block()) || slices.Contains(sites, s.start) {
			return false
		}
		sites = append(sites, s.start)
	}
	ch := &channel{made: m}
	for _, r := range receives(m.Parent()) {
		if l.n.origin(r.X) == ssa.Value(m) {
			ch.receives = append(ch.receives, r)
		}
	}
	out := ch.oneByOne(sites)
	if out == nil && len(sites) == 1 {
		out = ch.inLoop(form.Iterations(sites[0].Block()))
	}
	return out != nil && (out.after != nil && form.ComesBefore(out.after, c.at) || out.all != nil && out.all.Dominates(c.at.Block()))
}
