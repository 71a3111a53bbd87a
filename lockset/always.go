package lockset

import (
	"maps"
	"slices"

	"whoop/ir"
	"whoop/seqz"
)

// What is held wherever a procedure is called. In a program that stands for many others
// most functions are called from everywhere, and most locks may be held somewhere before:
// nearly all guesses that they are held at the start of a procedure are refuted, one
// query at a time. So there only those are made of locks that are held at each call, as
// far as a pass without conditions sees, which takes every lock operation for one that
// works. Like the rest of mayHold it decides what is asked, not what is answered.

// keep leaves what is in another set, too.
func (s lockSet) keep(t lockSet) bool {
	changed := false
	for i, w := range s {
		var k uint64
		if i < len(t) {
			k = t[i]
		}
		changed = changed || w&^k != 0
		s[i] &= k
	}
	return changed
}

// always is what is held on all paths; nil: not looked for.
type always struct {
	entry map[*seqz.Proc]lockSet // where a procedure is called
	exit  map[*seqz.Proc]lockSet // at its end, of what it took itself
	at    map[*ir.Block]lockSet  // at the starts of blocks
}

// always is what is held at each call of a procedure, and in it; nil: not looked for.
func (m *mayHold) always() *always {
	if !m.x.locksAlone {
		return nil
	}
	exit := map[*seqz.Proc]lockSet{}
	for p, s := range m.exit {
		exit[p] = slices.Clone(s)
	}
	m.untilStable(m.callersOf, func(p *seqz.Proc, _ func(*seqz.Proc)) (changed bool) {
		m.flowAlways(p, nil, exit, nil, func(s lockSet) { changed = exit[p].keep(s) || changed })
		return changed
	})
	entry := map[*seqz.Proc]lockSet{}
	for _, p := range m.x.seq.Procs[:m.x.seq.Roots] {
		entry[p] = slices.Clone(m.entry[p])
	}
	at := map[*ir.Block]lockSet{}
	m.untilStable(nil, func(p *seqz.Proc, again func(*seqz.Proc)) bool {
		start, called := entry[p]
		if !called {
			return false
		}
		maps.Copy(at, m.flowAlways(p, start, exit, func(q *seqz.Proc, s lockSet) {
			old, called := entry[q]
			if !called {
				entry[q] = s
				again(q)
			} else if old.keep(s) {
				again(q)
			}
		}, nil))
		return false
	})
	return &always{entry, exit, at}
}

// within leaves of what may be held where blocks start, and where procedures end, what is
// held there on all paths.
func (m *mayHold) within(a *always) {
	if a == nil {
		return
	}
	for b, s := range m.at {
		s.keep(a.at[b])
	}
	for p, s := range m.exit {
		s.keep(a.exit[p])
	}
}

// flowAlways is flow for what is held on all paths.
func (m *mayHold) flowAlways(p *seqz.Proc, entry lockSet, exit map[*seqz.Proc]lockSet,
	call func(*seqz.Proc, lockSet), end func(lockSet)) map[*ir.Block]lockSet {
	if len(p.Body.Blocks) == 0 {
		return nil
	}
	first := p.Body.Blocks[0]
	at := map[*ir.Block]lockSet{first: slices.Clone(entry)}
	work, queued := []*ir.Block{first}, map[*ir.Block]bool{first: true}
	for len(work) > 0 {
		b := work[0]
		work, queued[b] = work[1:], false
		out := slices.Clone(at[b])
		for _, in := range m.steps[b] {
			if c, ok := in.(*ir.Call); ok && call != nil && m.callees[c] != nil {
				call(m.callees[c], m.unnamed(out, m.relations[m.callees[c]]))
			}
			m.transfer(&out, in)
			m.after(&out, in, exit)
		}
		if _, ok := b.Term.(*ir.Return); ok && end != nil {
			end(m.unnamed(out, m.returned[p]))
		}
		for _, s := range b.Term.Succs() {
			in, seen := at[s]
			if !seen {
				at[s] = slices.Clone(out)
			} else if !in.keep(out) {
				continue
			}
			if !queued[s] {
				work, queued[s] = append(work, s), true
			}
		}
	}
	return at
}
