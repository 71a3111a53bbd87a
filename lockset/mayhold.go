package lockset

import (
	"whoop/ir"
	"whoop/seqz"
)

// lockSet is a set of lock functions, each in two modes.
type lockSet map[*lockFn]*[2]bool

func (s lockSet) has(fn *lockFn, mode int) bool { return s[fn] != nil && s[fn][mode] }

func (s lockSet) add(fn *lockFn, mode int) bool {
	if s[fn] == nil {
		s[fn] = &[2]bool{}
	}
	if s[fn][mode] {
		return false
	}
	s[fn][mode] = true
	return true
}

func (s lockSet) clone() lockSet {
	n := lockSet{}
	for k, v := range s {
		c := *v
		n[k] = &c
	}
	return n
}

// mayHold is a cheap forward pass that says which locks may be held at the start of each block: claims about others are
// not worth a query.
func (x *instrumenter) mayHold(p *seqz.Proc, root bool) map[*ir.Block]lockSet {
	in := map[*ir.Block]lockSet{}
	blocks := p.Body.Blocks
	for _, b := range blocks {
		in[b] = lockSet{}
	}
	if len(blocks) == 0 {
		return in
	}
	for _, fn := range x.active {
		if !root || x.l.initially(fn, x.entry) {
			in[blocks[0]].add(fn, 0)
			in[blocks[0]].add(fn, 1)
		}
	}
	work := ir.RPO(p.Body)
	queued := map[*ir.Block]bool{}
	for _, b := range work {
		queued[b] = true
	}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		queued[b] = false
		out := in[b].clone()
		for _, i := range b.Instrs {
			x.transfer(out, i)
		}
		for _, s := range b.Term.Succs() {
			if merge(in[s], out) && !queued[s] {
				queued[s] = true
				work = append(work, s)
			}
		}
	}
	return in
}

func merge(into, from lockSet) bool {
	changed := false
	for fn, m := range from {
		for mode, on := range m {
			if on && into.add(fn, mode) {
				changed = true
			}
		}
	}
	return changed
}

// transfer adds what an instruction may acquire. Releases are left to the solver, but for the plain case of a global
// lock released by name.
func (x *instrumenter) transfer(s lockSet, in ir.Instr) {
	switch in := in.(type) {
	case *ir.Lock, *ir.AtomicBegin, *ir.IrqDisable, *ir.Alloc, *ir.Unregister, *ir.SemWait:
		for _, fn := range x.active {
			if x.acquires(in, fn) {
				if l, ok := in.(*ir.Lock); !ok || l.Mode != ir.Shared {
					s.add(fn, 0)
				}
				s.add(fn, 1)
			}
		}
	case *ir.AtomicEnd:
		for _, fn := range x.active {
			if fn.pseudo == "atomic" {
				delete(s, fn)
			}
		}
	case *ir.Unlock:
		if g, off, ok := constAddr(in.Lock); ok {
			for _, fn := range x.active {
				if h, foff, isConst := constAddr(fn.addr); isConst && fn.frame == nil && fn.pointer == nil && fn.depth == nil && h == g && foff == off {
					delete(s, fn)
				}
			}
		}
	case *ir.Call:
		for _, fn := range x.active {
			s.add(fn, 0)
			s.add(fn, 1)
		}
	}
}
