package lockset

import (
	"math/big"
	"slices"
	"sort"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// Members that say that something is over: a transaction's pointer to its store that is
// nil once it has ended, a flag that is only ever set. All that is written to such a
// member, once other threads may know the object, is one value, so it stays there once it
// is there (vcgen.Latch). That the lock of something is held as long as it is not over is
// a candidate for the procedures that are given it.

// latches are those of a program.
type latches struct {
	of map[ir.Instr]*vcgen.Latch
	// breaks are the classes of latches into which an instruction writes that no other
	// thread can know yet.
	breaks map[ir.Instr][]int
	fields []latchField
}

// latchField is a member of a struct that loads read from a latch.
type latchField struct {
	*vcgen.Latch
	s     *ir.Struct
	index int
}

// findLatches finds the latches among the regions that threads share. In programs that
// are not type-safe there are none: what is freed and allocated again there is the same
// memory too often.
func (f *facts) findLatches() {
	f.latches = latches{of: map[ir.Instr]*vcgen.Latch{}, breaks: map[ir.Instr][]int{}}
	if !f.p.TypeSafe {
		return
	}
	byRegion := map[*alias.Region]*vcgen.Latch{}
	for r := range f.touches {
		if v := f.latchValue(r); v != nil {
			byRegion[r] = &vcgen.Latch{Class: -1 - r.ID, Value: v}
		}
	}
	if len(byRegion) == 0 {
		return
	}
	ins := f.instructions()
	f.mergeLatches(ins, byRegion)
	fields := map[latchField]bool{}
	for _, in := range ins {
		f.latchInstr(in, byRegion, fields)
	}
	for lf := range fields {
		f.latches.fields = append(f.latches.fields, lf)
	}
	sort.Slice(f.latches.fields, func(i, j int) bool {
		a, b := f.latches.fields[i], f.latches.fields[j]
		if a.Class != b.Class {
			return a.Class > b.Class
		}
		if a.s != b.s {
			return a.s.Name < b.s.Name
		}
		return a.index < b.index
	})
}

// instructions lists the instructions that entries reach, each once.
func (f *facts) instructions() []ir.Instr {
	var out []ir.Instr
	seen := map[*ir.Func]bool{}
	for _, e := range f.p.Entries {
		for _, fn := range f.reach[e] {
			if seen[fn] {
				continue
			}
			seen[fn] = true
			for _, b := range fn.Blocks {
				out = append(out, b.Instrs...)
			}
		}
	}
	return out
}

// latchValue is the one value that is written to a region, where other threads may know
// it; nil if there is none, or several.
func (f *facts) latchValue(r *alias.Region) *big.Int {
	if !r.Exact || r.Size <= 0 || r.Elem != 0 || f.al.WrittenOutside(r) {
		return nil
	}
	var v *big.Int
	for _, c := range f.touches[r] {
		for _, w := range c.writes {
			st, ok := w.in.(*ir.Store)
			if !ok || w.acc.Unknown || st.Val.Type().Size() != r.Size {
				return nil
			}
			k := constantOf(st.Val)
			// small: the same number in all integer types
			if k == nil || k.Sign() < 0 || k.BitLen() > 7 || v != nil && v.Cmp(k) != 0 {
				return nil
			}
			v = k
		}
	}
	return v
}

// constantOf is the value of a constant expression; nil for others.
func constantOf(e ir.Expr) *big.Int {
	for {
		switch x := e.(type) {
		case ir.Null:
			return new(big.Int)
		case ir.Const:
			return x.Val
		case ir.Cast:
			if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
				e = x.X
				continue
			}
		}
		return nil
	}
}

// mergeLatches makes one latch of those that one access may touch; an access that may
// also touch something else makes none of them.
func (f *facts) mergeLatches(ins []ir.Instr, of map[*alias.Region]*vcgen.Latch) {
	var lists [][]*alias.Region
	seen := map[list]bool{} // many accesses have one
	for _, in := range ins {
		for _, a := range f.acc[in] {
			if k := listOf(a.Regions); !seen[k] {
				seen[k] = true
				lists = append(lists, a.Regions)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, rs := range lists {
			var first *vcgen.Latch
			for _, r := range rs {
				l := of[r]
				switch {
				case l == nil:
				case first == nil:
					first = l
				case l != first && l.Value.Cmp(first.Value) == 0:
					for q, m := range of {
						if m == l {
							of[q] = first
						}
					}
					again = true
				}
			}
		}
	}
}

// latchInstr notes what an instruction does with latches.
func (f *facts) latchInstr(in ir.Instr, of map[*alias.Region]*vcgen.Latch, fields map[latchField]bool) {
	var touched []*vcgen.Latch
	all, writes := true, false
	for _, a := range f.acc[in] {
		all = all && !a.Unknown && len(a.Regions) > 0
		writes = writes || a.Write
		for _, r := range a.Regions {
			if l := of[r]; l == nil {
				all = false
			} else if !slices.Contains(touched, l) {
				touched = append(touched, l)
			}
		}
	}
	if len(touched) == 0 {
		return
	}
	value, addr := (*big.Int)(nil), ir.Expr(nil)
	switch in := in.(type) {
	case *ir.Load:
		addr = in.Addr
	case *ir.Store:
		value, addr = constantOf(in.Val), in.Addr
	}
	if writes {
		for _, l := range touched {
			if value == nil || value.Cmp(l.Value) != 0 {
				f.latches.breaks[in] = append(f.latches.breaks[in], l.Class)
			}
		}
	}
	if !all || len(touched) != 1 || addr == nil {
		return
	}
	f.latches.of[in] = touched[0]
	if at, ok := addr.(ir.FieldAddr); ok && !writes {
		fields[latchField{touched[0], at.S, at.Index}] = true
	}
}

// over is the candidate that a lock is held, unless what a parameter points to is over.
type over struct {
	id, param int
	field     latchField
	held      *ir.Reg
}

// overs makes these candidates for the end of a procedure, of the locks that it may take
// or give back, or for its start.
func (x *instrumenter) overs(p *seqz.Proc, start bool) []over {
	var out []over
	for i, r := range p.Body.Params {
		t, ok := r.Type.(ir.Ptr)
		if !ok || x.contract[p].assigned[r] {
			continue
		}
		for _, lf := range x.f.latches.fields {
			if s, ok := t.Elem.(*ir.Struct); !ok || s != lf.s {
				continue
			}
			for _, fn := range x.may.changed(p) {
				if x.somewhere(fn) || fn.Depth != nil || !isLock(fn) {
					continue
				}
				for mode, h := range fn.Held {
					if x.may.has(x.may.entry[p], fn, mode) || !start && x.may.has(x.may.exit[p], fn, mode) {
						out = append(out, over{x.guess(fn), i, lf, h})
					}
				}
			}
		}
	}
	return out
}

// candidate is the candidate where the parameter has the value arg.
func (o over) candidate(arg ir.Expr) vcgen.Candidate {
	at := ir.FieldAddr{Base: typedAs(arg, o.field.s), S: o.field.s, Index: o.field.index}
	return vcgen.Candidate{ID: o.id, Cond: ir.Use{Reg: o.held},
		Unless: &vcgen.LatchCell{Latch: *o.field.Latch, Addr: at, Size: o.field.s.Fields[o.field.index].Type.Size()}}
}

// at is the candidate at a call; where no pointer is given for the parameter, the lock
// must be held.
func (o over) at(call *ir.Call) vcgen.Candidate {
	if o.param < len(call.Args) && ir.IsPtr(call.Args[o.param].Type()) {
		return o.candidate(call.Args[o.param])
	}
	return vcgen.Candidate{ID: o.id, Cond: ir.Use{Reg: o.held}}
}

func typedAs(e ir.Expr, s *ir.Struct) ir.Expr {
	if p, ok := e.Type().(ir.Ptr); ok && p.Elem != nil && ir.Equal(p.Elem, s) {
		return e
	}
	return ir.Cast{X: e, T: ir.Ptr{Elem: s}}
}
