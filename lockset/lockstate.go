package lockset

import (
	"context"
	"math/bits"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// lockBits is a set of locks, by their numbers.
type lockBits []uint64

func (b lockBits) has(k int) bool { return b[k/64]>>(k%64)&1 != 0 }
func (b lockBits) add(k int)      { b[k/64] |= 1 << (k % 64) }
func (b lockBits) remove(k int)   { b[k/64] &^= 1 << (k % 64) }

// join adds the locks of o; it reports whether there are new ones.
func (b lockBits) join(o lockBits) bool {
	changed := false
	for i, w := range o {
		changed = changed || w&^b[i] != 0
		b[i] |= w
	}
	return changed
}

// meet drops the locks that are not in o; it reports whether there were any.
func (b lockBits) meet(o lockBits) bool {
	changed := false
	for i, w := range o {
		changed = changed || b[i]&^w != 0
		b[i] &= w
	}
	return changed
}

func (b lockBits) without(o lockBits) {
	for i, w := range o {
		b[i] &^= w
	}
}

// each gives the numbers of the locks in the set.
func (b lockBits) each(do func(k int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			do(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// lockState is what a function has done to locks at a place: those that it may hold,
// taken by itself or by what it calls, and those that it has surely given back for its
// callers. A nil state is that of a place that is not reached.
type lockState struct{ own, released lockBits }

func (s *lockState) clone() *lockState {
	return &lockState{slices.Clone(s.own), slices.Clone(s.released)}
}

// join makes s the state where either way leads; it reports whether that is another one.
func (s *lockState) join(o *lockState) bool {
	more := s.own.join(o.own)
	return s.released.meet(o.released) || more
}

// lockSite is a lock operation or call, with the state before it.
type lockSite struct {
	in ir.Instr
	*lockState
}

// lockCode is what of the program has to do with locks: functions that lock or release
// something, or call such a one.
type lockCode struct {
	f *facts
	// numbers are those of the regions of locks.
	numbers map[*alias.Region]int
	regions []*alias.Region
	// blocks have the instructions that matter, in reverse postorder; sites are where
	// something is taken or called.
	blocks map[*ir.Func][]lockBlock
	sites  map[*ir.Func][]lockSite
	// ends are the states in which functions return, taken is where they take a lock, or
	// what they call does.
	ends  map[*ir.Func]*lockState
	taken map[*ir.Func]map[int]ir.Pos
}

// lockBlock is a block.
type lockBlock struct {
	b   *ir.Block
	ins []ir.Instr
	// next is where execution goes on, up: nowhere. See lockunwound.go.
	next []*ir.Block
	up   bool
}

// lockCode reads the program; when ctx ends it is not complete.
func (f *facts) lockCode(ctx context.Context) *lockCode {
	c := &lockCode{f: f, numbers: map[*alias.Region]int{}, blocks: map[*ir.Func][]lockBlock{}, sites: map[*ir.Func][]lockSite{}, ends: map[*ir.Func]*lockState{}, taken: map[*ir.Func]map[int]ir.Pos{}}
	callers := map[*ir.Func][]*ir.Func{}
	var work []*ir.Func
	matters := map[*ir.Func]bool{}
	add := func(g *ir.Func) {
		if !matters[g] {
			matters[g] = true
			work = append(work, g)
		}
	}
	for _, fn := range f.p.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Lock, *ir.Unlock:
					add(fn)
					for _, r := range c.locks(in) {
						if _, known := c.numbers[r]; !known {
							c.numbers[r] = len(c.regions)
							c.regions = append(c.regions, r)
						}
					}
				case *ir.Call:
					gs, _ := f.al.Callees(in)
					for _, g := range gs {
						callers[g] = append(callers[g], fn)
					}
				}
			}
		}
	}
	for i := 0; i < len(work); i++ {
		for _, fn := range callers[work[i]] {
			add(fn)
		}
	}
	for _, fn := range work {
		for _, b := range ir.RPO(fn) {
			lb := lockBlock{b: b, up: goesUp(b), next: withoutPanic(b)}
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Lock, *ir.Unlock:
					lb.ins = append(lb.ins, in)
				case *ir.Call:
					if gs, _ := f.al.Callees(in); slices.ContainsFunc(gs, func(g *ir.Func) bool { return matters[g] }) {
						lb.ins = append(lb.ins, in)
					}
				}
			}
			c.blocks[fn] = append(c.blocks[fn], lb)
		}
	}
	order := c.calleesFirst(work)
	changed := matters
	for again := true; again && ctx.Err() == nil; {
		again = false
		for _, fn := range order {
			if !changed[fn] || ctx.Err() != nil {
				continue
			}
			changed[fn] = false
			if c.summarise(fn) {
				for _, g := range callers[fn] {
					changed[g], again = true, true
				}
			}
		}
	}
	return c
}

// calleesFirst lists functions so that one comes after those that it calls, recursion
// aside.
func (c *lockCode) calleesFirst(fs []*ir.Func) []*ir.Func {
	seen := map[*ir.Func]bool{}
	var out []*ir.Func
	var visit func(fn *ir.Func)
	visit = func(fn *ir.Func) {
		if seen[fn] || len(c.blocks[fn]) == 0 {
			return
		}
		seen[fn] = true
		for _, b := range c.blocks[fn] {
			for _, in := range b.ins {
				if call, ok := in.(*ir.Call); ok {
					gs, _ := c.f.al.Callees(call)
					for _, g := range gs {
						visit(g)
					}
				}
			}
		}
		out = append(out, fn)
	}
	for _, fn := range fs {
		visit(fn)
	}
	return out
}

func (c *lockCode) none() lockBits { return make(lockBits, (len(c.regions)+63)/64) }

// summarise goes through a function and notes its sites and the state in which it
// returns; it reports whether that has changed.
func (c *lockCode) summarise(fn *ir.Func) bool {
	blocks := c.blocks[fn]
	if c.taken[fn] == nil {
		c.taken[fn] = map[int]ir.Pos{}
	}
	at := map[*ir.Block]*lockState{fn.Blocks[0]: {c.none(), c.none()}}
	run := func(b lockBlock, note func(ir.Instr, *lockState)) *lockState {
		s := at[b.b].clone()
		for _, in := range b.ins {
			if note != nil {
				note(in, s)
			}
			if s = c.step(fn, in, s); s == nil {
				return nil
			}
		}
		if b.up {
			return nil
		}
		return s
	}
	dirty := map[*ir.Block]bool{fn.Blocks[0]: true}
	for again := true; again; {
		again = false
		for _, b := range blocks {
			if !dirty[b.b] {
				continue
			}
			dirty[b.b] = false
			s := run(b, nil)
			if s == nil {
				continue
			}
			for _, t := range b.next {
				if at[t] == nil {
					at[t], dirty[t], again = s.clone(), true, true
				} else if at[t].join(s) {
					dirty[t], again = true, true
				}
			}
		}
	}
	c.sites[fn] = nil
	var end *lockState
	for _, b := range blocks {
		if at[b.b] == nil {
			continue
		}
		s := run(b, func(in ir.Instr, s *lockState) {
			if _, release := in.(*ir.Unlock); !release {
				c.sites[fn] = append(c.sites[fn], lockSite{in, s.clone()})
			}
		})
		if _, returns := b.b.Term.(*ir.Return); s == nil || !returns {
			continue
		}
		if end == nil {
			end = s
		} else {
			end.join(s)
		}
	}
	old := c.ends[fn]
	if end == nil {
		return false
	}
	c.ends[fn] = end
	return old == nil || !slices.Equal(old.own, end.own) || !slices.Equal(old.released, end.released)
}

// maxTargets is how many regions a lock operation may be on: what is less clear says
// little about orders.
const maxTargets = 8

// locks are the regions that a lock operation may be on; nil where they are too many.
func (c *lockCode) locks(in ir.Instr) []*alias.Region {
	if rs := c.f.targets[in].regions; len(rs) <= maxTargets {
		return rs
	}
	return nil
}

// waitedFor reports whether who takes a lock may have to wait, and others for him: not for
// those of the lowering, nor because a function has run once.
func waitedFor(in *ir.Lock) bool {
	return !ir.MadeUp(in.Class) && (in.Class != ir.ClassOnce || in.Mode != ir.Shared)
}

// step is what an instruction does to a state, which it may change; nil where it is not
// known to end.
func (c *lockCode) step(fn *ir.Func, in ir.Instr, s *lockState) *lockState {
	switch i := in.(type) {
	case *ir.Lock:
		rs := c.locks(in)
		// nobody waits for it; of a library: its release is right after
		if !waitedFor(i) || i.Class == ir.ClassLibrary && len(rs) > 1 {
			return s
		}
		for _, r := range rs {
			k := c.numbers[r]
			s.own.add(k)
			s.released.remove(k)
			if _, known := c.taken[fn][k]; !known {
				c.taken[fn][k] = i.Pos
			}
		}
	case *ir.Unlock:
		if ir.MadeUp(i.Class) {
			return s
		}
		for _, r := range c.locks(in) {
			if k := c.numbers[r]; s.own.has(k) {
				s.own.remove(k)
			} else {
				s.released.add(k)
			}
		}
	case *ir.Call:
		return c.call(fn, i, s)
	}
	return s
}

// call is the state after a call of one of some functions.
func (c *lockCode) call(fn *ir.Func, i *ir.Call, s *lockState) *lockState {
	fns, _ := c.f.al.Callees(i)
	var after *lockState
	for _, g := range fns {
		t := s.clone()
		if len(c.blocks[g]) > 0 {
			end := c.ends[g]
			if end == nil {
				continue
			}
			t.own.without(end.released)
			t.own.join(end.own)
			t.released.join(end.released)
			end.own.each(func(k int) {
				if _, known := c.taken[fn][k]; !known {
					c.taken[fn][k] = c.taken[g][k]
				}
			})
		}
		if after == nil {
			after = t
		} else {
			after.join(t)
		}
	}
	if after == nil && len(fns) == 0 {
		return s
	}
	return after
}
