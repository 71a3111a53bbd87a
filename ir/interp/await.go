package interp

import (
	"fmt"

	"whoop/ir"
)

// await compiles Await. A cell that was never written gets its value first, in a step of
// its own.
func (c *fc) await(i *ir.Await) (op, error) {
	addrs := make([]eval, len(i.Addrs))
	for k, r := range i.Dsts {
		addrs[k] = c.expr(i.Addrs[k]).one
		if st := c.slots[r]; st.slot < 0 || st.n > 1 {
			return op{}, fmt.Errorf("await: %s is no register of at most 64 bits of the function", r.Name)
		}
	}
	first := eval(func(*State) uint64 { return 0 })
	if len(addrs) > 0 {
		first = addrs[0]
	}
	cond := c.expr(i.Cond).one
	return op{addr: first, ready: func(s *State) bool { return c.awaited(s, i, addrs, cond) },
		exec: func(s *State) {
			if !c.readAwaited(s, i, addrs) {
				return
			}
			if cond(s) == 0 {
				if s.depth > 0 {
					s.infeasible()
				} else {
					s.fr.pc--
				}
				return
			}
			s.atomic = s.th.id
			if s.depth++; s.depth == 1 {
				s.synced(SyncOp{Kind: SyncAtomicBegin, Addr: Addr(first(s))})
			}
		}}, nil
}

// awaited reports whether the step can be taken: the condition holds, or a cell has no
// value yet or does not exist.
func (c *fc) awaited(s *State, i *ir.Await, addrs []eval, cond eval) bool {
	saved, trap := s.r, s.trap
	defer func() { s.r, s.trap = saved, trap }()
	r := append([]uint64(nil), saved...)
	for k, d := range i.Dsts {
		v, ok := s.look(addrs[k](s), d.Type)
		if !ok {
			return true
		}
		r[c.slots[d].slot] = v
	}
	s.r = r
	return cond(s) != 0
}

// look reads a cell without taking an input; ok is false where that cannot be.
func (s *State) look(a uint64, t ir.Type) (v uint64, ok bool) {
	o := s.object(ObjID(a >> 32))
	if o == nil || o.dead {
		return 0, false
	}
	i, n := Addr(a).Offset()-o.low, t.Size()
	if i < 0 || i+n > int64(len(o.data)) {
		return 0, false
	}
	for _, m := range o.mark[i : i+n] {
		if m != written {
			return 0, false
		}
	}
	return fromCell(normalise(t, loadBytes(o.data[i:i+n])), t), true
}

func (c *fc) readAwaited(s *State, i *ir.Await, addrs []eval) bool {
	vals := make([]uint64, len(addrs))
	for k, d := range i.Dsts {
		a := addrs[k](s)
		v, ok := s.load(a, d.Type.Size(), d.Type)
		if !ok {
			return false
		}
		vals[k] = fromCell(normalise(d.Type, v), d.Type)
		s.access(a, d.Type.Size(), false, ir.SeqCst, vals[k])
	}
	for k, d := range i.Dsts {
		s.set(c.slots[d], vals[k])
	}
	return true
}
