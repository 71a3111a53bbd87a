package lockset

import (
	"fmt"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Holders. An object that has no lock of its own is often protected by that of the object
// that holds the one pointer to it: shard.lock for the map that shard.m points to. Where
// every object of a type is stored at most once in a member p of other objects, right
// after it was made, and nothing else that may lead to such an object is ever stored
// there, then each of them has one holder, for ever. The watched object's holder is one
// more unconstrained constant; what ties the two is an assumption at each load of p: if
// the value is the watched object, then the address is in its holder. The lock functions
// of such a type are the locks in the holder.

// holder says where the objects of a type are held.
type holder struct {
	s     *ir.Struct
	cells map[*alias.Region]bool // the members p
	owner *ir.Reg                // the base of the watched object's holder
	fns   []*guard
}

// maxHolders bounds the types that holders are looked for. Precision only.
const maxHolders = 48

// holderLocks finds the holders and the locks in them.
func (l *locks) holderLocks() {
	l.holders, l.heldAt = map[*ir.Struct]*holder{}, map[*alias.Region]*holder{}
	st := l.f.placings()
	for _, s := range st.types {
		cells := st.cells(l.f, s)
		if len(cells) == 0 || len(l.holders) >= maxHolders {
			continue
		}
		h := &holder{s: s, cells: map[*alias.Region]bool{}, owner: &ir.Reg{Name: "$holder." + s.Name, Type: ir.VPtr, Ghost: true}}
		for _, p := range cells {
			h.cells[p] = true
			for _, k := range l.regions {
				if k.Exact && k.Elem == p.Elem && (k.Elem == 0 || k.ArrayStart == p.ArrayStart) && shareObject(k, p) {
					l.holderLock(h, k)
				}
			}
		}
		if len(h.fns) == 0 {
			continue
		}
		l.holders[s] = h
		for _, p := range cells {
			l.heldAt[p] = h
		}
	}
}

// holderLock is the lock of region k in the holder of the watched object.
func (l *locks) holderLock(h *holder, k *alias.Region) {
	key := fmt.Sprintf("h:%s:%d+%d", h.s.Name, k.Group, k.Offset)
	if l.fns[key] == nil {
		fr := l.frame("t:" + h.s.Name)
		h.fns = append(h.fns, l.lock(key, plainName(k.Name), fr, offsetFrom(ir.Use{Reg: h.owner}, k.Offset), k))
	}
}

// held is the assumption after a load of a pointer that a holder has; nil for other
// loads.
func (x *instrumenter) held(in ir.Instr) ir.Instr {
	ld, ok := in.(*ir.Load)
	if !ok || len(x.l.heldAt) == 0 {
		return nil
	}
	acc := x.f.acc[x.seq.Origin[in].Instr]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 {
		return nil
	}
	h := x.l.heldAt[acc[0].Regions[0]]
	if h == nil || ir.UsesReg(ld.Addr, ld.Dst) {
		return nil
	}
	off := acc[0].Regions[0].Offset
	for _, r := range acc[0].Regions {
		if x.l.heldAt[r] != h || r.Offset != off {
			return nil
		}
	}
	other := ir.Binary{Op: "ne", X: asPtr(ir.Use{Reg: ld.Dst}), Y: ir.Use{Reg: x.l.frame("t:" + h.s.Name).watch}}
	base := offsetFrom(asPtr(ld.Addr), -off)
	return &ir.Assume{Base: ir.Base{Pos: in.At()}, Cond: ir.Binary{Op: "lor", X: other, Y: ir.Binary{Op: "eq", X: base, Y: ir.Use{Reg: h.owner}}}}
}

// holderLocks are the locks in the holders of the structs that an address expression goes
// through.
func (c *checker) holderLocks(bases []typedBase) []regionLock {
	var out []regionLock
	seen := map[*ir.Struct]bool{}
	for _, tb := range bases {
		h := c.l.holders[tb.s]
		if h == nil || seen[tb.s] {
			continue
		}
		seen[tb.s] = true
		base := tb.base
		for _, fn := range h.fns {
			if c.mayHold(fn, 1) {
				out = append(out, regionLock{fn: fn, watched: func(ir.Expr) ir.Expr { return fn.frame.isBase(asPtr(base)) }})
			}
		}
	}
	return out
}

// placings tells, for types of heap objects, where pointers to new ones are stored.
type placings struct {
	types []*ir.Struct
	// at are the cells that new objects of a type are stored in, with the allocations.
	at map[*ir.Struct]map[*alias.Region]bool
	// spoilt are the cells that something else is stored in, too.
	spoilt map[*alias.Region]bool
	// many are the types of which an object may be stored twice.
	many map[*ir.Struct]bool
}

// placings looks at everything that the program may write.
func (f *facts) placings() *placings {
	p := &placings{at: map[*ir.Struct]map[*alias.Region]bool{}, spoilt: map[*alias.Region]bool{}, many: map[*ir.Struct]bool{}}
	seen := map[*ir.Func]bool{}
	for _, e := range f.p.Entries {
		for _, fn := range f.reach[e] {
			if !seen[fn] {
				seen[fn] = true
				p.function(f, fn)
			}
		}
	}
	for s := range p.at {
		p.types = append(p.types, s)
	}
	sort.Slice(p.types, func(i, j int) bool { return p.types[i].Name < p.types[j].Name })
	return p
}

func (p *placings) function(f *facts, fn *ir.Func) {
	defs, stored := map[*ir.Reg]int{}, map[*ir.Reg]int{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, d := range ir.Defs(in) {
				defs[d]++
			}
		}
	}
	for _, b := range fn.Blocks {
		made := map[*ir.Reg]*ir.Struct{}
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Alloc); ok && defs[a.Dst] == 1 {
				made[a.Dst] = heapStruct(a)
			}
			var s *ir.Struct
			st, isStore := in.(*ir.Store)
			if isStore {
				if u, ok := ir.Uncast(st.Val).(ir.Use); ok && made[u.Reg] != nil {
					s = made[u.Reg]
					if stored[u.Reg]++; stored[u.Reg] > 1 {
						p.many[s] = true
					}
				}
			}
			for _, a := range f.acc[in] {
				if a.Write {
					p.write(a, s, isStore && ir.IsNull(st.Val))
				}
			}
		}
	}
}

// write notes a write of a new object of type s (nil: of something else) or of null.
func (p *placings) write(a alias.Access, s *ir.Struct, null bool) {
	for _, r := range a.Regions {
		switch {
		case null:
		case s == nil:
			p.spoilt[r] = true
		default:
			if p.at[s] == nil {
				p.at[s] = map[*alias.Region]bool{}
			}
			p.at[s][r] = true
		}
	}
}

// heapStruct is the type of the one struct that an allocation makes; nil for others.
func heapStruct(a *ir.Alloc) *ir.Struct {
	c, ok := a.Count.(ir.Const)
	if s, isStruct := a.Elem.(*ir.Struct); isStruct && a.Kind != "stack" && (a.Count == nil || ok && c.Val.IsInt64() && c.Val.Int64() == 1) {
		return s
	}
	return nil
}

// writtenOutside reports whether code not seen, as that of a library's users, may write
// to a region by itself; of an array, to anything in it.
func (f *facts) writtenOutside(r *alias.Region) bool {
	if r.Elem == 0 {
		return f.al.WrittenOutside(r)
	}
	return f.al.WrittenOutside(&alias.Region{Objects: r.Objects, Offset: r.ArrayStart, Size: 1 << 40})
}

// cells are the places that the objects of a type are held at, by ID.
func (p *placings) cells(f *facts, s *ir.Struct) []*alias.Region {
	if p.many[s] {
		return nil
	}
	var out []*alias.Region
	for r := range p.at[s] {
		if r.Shared && r.Exact && !p.spoilt[r] && !f.writtenOutside(r) && !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return o.Kind == alias.KindExtern }) {
			out = append(out, r)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}
