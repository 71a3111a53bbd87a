package lockset

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// Members that keep the zero that their objects are made with: a flag that only the
// makers of other objects of the type set.

// findZeros finds the regions of such members, in type-safe programs, and those that
// something writes, be it the maker of an object.
func (f *facts) findZeros() {
	f.zeros, f.everWritten = map[*alias.Region]bool{}, map[*alias.Region]bool{}
	ins := f.instructions()
	type access struct {
		to    list
		write bool
	}
	seen := map[access]bool{} // many have one list
	for _, in := range ins {
		for _, a := range f.acc[in] {
			k := access{listOf(a.Regions), a.Write}
			if seen[k] {
				continue
			}
			seen[k] = true
			for _, r := range a.Regions {
				f.everWritten[r] = f.everWritten[r] || a.Write
			}
		}
	}
	if !f.p.TypeSafe {
		return
	}
	for r := range f.touches {
		if !f.everWritten[r] && f.madeZero(r) {
			f.zeros[r] = true
		}
	}
	f.findZeroMembers(ins)
}

// findNewCells finds the members of structs that are zero when they are allocated.
func (f *facts) findNewCells() {
	f.newCells = map[*ir.Alloc][]vcgen.NewCell{}
	for _, r := range f.al.Regions() {
		if !r.Exact || r.Elem != 0 || r.Size <= 0 {
			continue
		}
		for _, o := range r.Objects {
			if _, isStruct := o.Type.(*ir.Struct); isStruct && o.Alloc != nil && o.Alloc.Zero {
				if c := (vcgen.NewCell{Class: r.ID, Offset: r.Offset, Size: r.Size}); !slices.Contains(f.newCells[o.Alloc], c) {
					f.newCells[o.Alloc] = append(f.newCells[o.Alloc], c)
				}
			}
		}
	}
}

// madeZero reports whether all objects of a region are zero there, and stay so.
func (f *facts) madeZero(r *alias.Region) bool {
	return !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return !f.al.StaysZero(r, o) })
}

// zeroMember is a member of a struct that is zero in some objects and not in others,
// which are made with another value; neither changes.
type zeroMember struct {
	s     *ir.Struct
	index int
}

// findZeroMembers finds these, and the allocations that make objects where they are zero.
func (f *facts) findZeroMembers(ins []ir.Instr) {
	f.zeroIn = map[*ir.Alloc][]vcgen.ZeroMember{}
	read := map[zeroMember][]*alias.Region{}
	var order []zeroMember
	for _, in := range ins {
		ld, ok := in.(*ir.Load)
		if !ok || len(f.acc[ld]) != 1 || !ir.IsInt(ld.Dst.Type) {
			continue
		}
		at, ok := ld.Addr.(ir.FieldAddr)
		if !ok || !ir.Equal(at.S.Fields[at.Index].Type, ld.Dst.Type) {
			continue
		}
		m := zeroMember{at.S, at.Index}
		if read[m] == nil {
			order = append(order, m)
		}
		read[m] = append(read[m], f.acc[ld][0].Regions...)
	}
	for _, m := range order {
		if zero, other := f.zeroObjects(read[m]); len(zero) > 0 && other {
			f.zeroMembers = append(f.zeroMembers, m)
			z := vcgen.ZeroMember{Offset: m.s.Fields[m.index].Offset, T: m.s.Fields[m.index].Type}
			for _, o := range zero {
				if ir.Equal(o.Type, m.s) && !slices.Contains(f.zeroIn[o.Alloc], z) && f.alwaysZero(o.Alloc, z) {
					f.zeroIn[o.Alloc] = append(f.zeroIn[o.Alloc], z)
				}
			}
		}
	}
}

// alwaysZero reports whether a member stays zero in all objects that an allocation makes:
// some are told apart by who calls.
func (f *facts) alwaysZero(a *ir.Alloc, z vcgen.ZeroMember) bool {
	for r := range f.everWritten {
		for _, o := range r.Objects {
			if o.Alloc == a && !f.al.StaysZero(&alias.Region{Offset: z.Offset, Size: z.T.Size(), Exact: true}, o) {
				return false
			}
		}
	}
	return true
}

// zeroObjects lists the objects of regions that are zero there; other: there are others.
// None where something writes to a region when others may know it.
func (f *facts) zeroObjects(rs []*alias.Region) (zero []*alias.Object, other bool) {
	seen := map[*alias.Region]bool{}
	for _, r := range rs {
		if seen[r] {
			continue
		}
		seen[r] = true
		if f.written(r) || f.al.WrittenOutside(r) {
			return nil, false
		}
		for _, o := range r.Objects {
			if f.al.StaysZero(r, o) {
				zero = append(zero, o)
			} else {
				other = true
			}
		}
	}
	return zero, other
}

// isZero is the candidate that a member is zero in what a pointer leads to.
type isZero struct {
	id, param int // param is -1 for the result
	member    zeroMember
}

// zeroParams and zeroResult make these candidates for what a procedure is given, and
// returns.
func (x *instrumenter) zeroParams(p *seqz.Proc) []isZero {
	var out []isZero
	for i, r := range p.Body.Params {
		for _, m := range x.f.zeroMembers {
			if pointsTo(r.Type, m.s) && !x.contract[p].assigned[r] {
				out = append(out, isZero{x.guess(nil), i, m})
			}
		}
	}
	return out
}

func (x *instrumenter) zeroResult(p *seqz.Proc) []isZero {
	var out []isZero
	for _, m := range x.f.zeroMembers {
		if pointsTo(p.Source.Result, m.s) {
			out = append(out, isZero{x.guess(nil), -1, m})
		}
	}
	return out
}

func pointsTo(t ir.Type, s *ir.Struct) bool {
	p, ok := t.(ir.Ptr)
	return ok && p.Elem != nil && ir.Equal(p.Elem, s)
}

// candidate is the candidate for a pointer. A result may also be null.
func (z isZero) candidate(ptr ir.Expr) vcgen.Candidate {
	at := ir.FieldAddr{Base: typedAs(ptr, z.member.s), S: z.member.s, Index: z.member.index}
	var null ir.Expr = ir.BoolConst(false)
	if z.param < 0 {
		null = ir.Binary{Op: "eq", X: asPtr(ptr), Y: ir.Null{T: ir.VPtr}}
	}
	return vcgen.Candidate{ID: z.id, Cond: null,
		Zero: &vcgen.ConstCell{Addr: at, T: z.member.s.Fields[z.member.index].Type}}
}

// at is the candidate at a call.
func (z isZero) at(call *ir.Call) vcgen.Candidate {
	if z.param < len(call.Args) && ir.IsPtr(call.Args[z.param].Type()) {
		return z.candidate(call.Args[z.param])
	}
	return vcgen.Candidate{ID: z.id, Cond: ir.BoolConst(false)}
}

// zeroOf is the value of a load where it is zero for that reason; nil otherwise.
func (f *facts) zeroOf(ld *ir.Load) ir.Expr {
	acc := f.acc[ld]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 {
		return nil
	}
	for _, r := range acc[0].Regions {
		if !f.zeros[r] {
			return nil
		}
	}
	switch t := ld.Dst.Type.(type) {
	case ir.Int:
		return ir.IntConst(t, 0)
	case ir.Ptr:
		return ir.Null{T: t}
	}
	return nil
}
