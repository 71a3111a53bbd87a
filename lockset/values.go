package lockset

import (
	"context"
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Values that loads yield, where that matters for locks: a lock behind an interface, or
// behind a pointer that is read from memory (q.cond.L.Lock()). Where all that is ever
// written to a cell is the address of one object, which there is once, a load yields that
// address, or null. Where it is one number, and objects begin with zero, a load yields
// that number, or zero. A lock operation on null ends the program, so behind it the
// pointer is not null.

// values are what is known of the loads that lead to locks.
type values struct {
	places  map[*ir.Load]alias.Place
	numbers map[*ir.Load]ir.Const
	// objects are the addresses of objects on the heap that there are once, as constants;
	// made has them by their allocations.
	objects map[*alias.Object]*ir.Reg
	made    map[ir.Instr]*ir.Reg
}

// findValues looks at the loads that lead to locks: none where something is written through
// a pointer that may lead anywhere.
func (f *facts) findValues(ctx context.Context) error {
	v := values{places: map[*ir.Load]alias.Place{}, numbers: map[*ir.Load]ir.Const{}}
	v.objects, v.made = map[*alias.Object]*ir.Reg{}, map[ir.Instr]*ir.Reg{}
	if f.values = v; f.wild {
		return nil
	}
	by := map[*ir.Alloc]int{} // how many objects an allocation makes
	for _, o := range f.al.Objects() {
		by[o.Alloc]++
	}
	var writers map[*alias.Region][]ir.Instr
	for ld, fn := range f.toLocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch ld.Dst.Type.(type) {
		case ir.Ptr:
			if p, ok := f.al.PlaceOf(ld.Dst, fn); ok && f.named(p.Object, by) {
				f.values.places[ld] = p
			}
		case ir.Int:
			if writers == nil {
				writers = f.writers()
			}
			if k, ok := f.onlyNumber(ld, writers); ok {
				f.values.numbers[ld] = k
			}
		}
	}
	return nil
}

// named gives an object on the heap a constant for its address, where its allocation
// makes nothing else; variables have addresses.
func (f *facts) named(o *alias.Object, by map[*ir.Alloc]int) bool {
	if o.Global != nil {
		return !o.Global.ThreadLocal
	}
	if f.values.objects[o] != nil {
		return true
	}
	if o.Alloc == nil || by[o.Alloc] > 1 {
		return false
	}
	r := &ir.Reg{Name: fmt.Sprintf("$object.%d", o.ID), Type: ir.VPtr, Ghost: true}
	f.values.objects[o], f.values.made[o.Alloc] = r, r
	return true
}

// writers lists, for each region, the instructions that may write it.
func (f *facts) writers() map[*alias.Region][]ir.Instr {
	out := map[*alias.Region][]ir.Instr{}
	for _, in := range f.instructions() {
		for _, a := range f.acc[in] {
			for _, r := range a.Regions {
				if a.Write {
					out[r] = append(out[r], in)
				}
			}
		}
	}
	return out
}

// onlyNumber is the one constant that is ever written where a load reads, in objects that
// begin with zero.
func (f *facts) onlyNumber(ld *ir.Load, writers map[*alias.Region][]ir.Instr) (ir.Const, bool) {
	acc := f.acc[ld]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 || !f.p.TypeSafe {
		return ir.Const{}, false
	}
	var only ir.Const
	for _, r := range acc[0].Regions {
		if !r.Exact || r.Size != ld.Dst.Type.Size() || f.al.WrittenOutside(r) {
			return ir.Const{}, false
		}
		for _, o := range r.Objects {
			if o.Kind == alias.KindExtern || o.Alloc != nil && !o.Alloc.Zero || o.Global != nil && len(o.Global.Init) > 0 {
				return ir.Const{}, false
			}
		}
		for _, in := range writers[r] {
			st, ok := in.(*ir.Store)
			if !ok {
				return ir.Const{}, false
			}
			k, ok := st.Val.(ir.Const)
			if !ok || !ir.Equal(k.T, ld.Dst.Type) || only.Val != nil && k.Val.Cmp(only.Val) != 0 {
				return ir.Const{}, false
			}
			only = k
		}
	}
	return only, only.Val != nil
}

// toLocks are the loads whose results lead to the addresses of locks, with their
// functions: through registers, the addresses of further loads, and the parameters of
// functions. Of a function that gets a lock so, all arguments count: one may say of which
// type it is.
func (f *facts) toLocks() map[*ir.Load]*ir.Func {
	s := &lockSlice{loads: map[*ir.Load]*ir.Func{}, seen: map[*ir.Reg]bool{}}
	s.defs, s.of = map[*ir.Reg][]ir.Instr{}, map[*ir.Reg]*ir.Func{}
	s.calls, s.params = map[*ir.Func][]*ir.Call{}, map[*ir.Reg]*ir.Func{}
	var seeds []ir.Expr
	for _, fn := range f.p.Funcs {
		for _, r := range fn.Params {
			s.params[r] = fn
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, r := range ir.Defs(in) {
					s.defs[r] = append(s.defs[r], in)
					s.of[r] = fn
				}
				switch in := in.(type) {
				case *ir.Call:
					fns, _ := f.al.Callees(in)
					for _, g := range fns {
						s.calls[g] = append(s.calls[g], in)
					}
				case *ir.Lock:
					seeds = append(seeds, in.Lock)
				case *ir.Unlock:
					seeds = append(seeds, in.Lock)
				}
			}
		}
	}
	for _, e := range seeds {
		s.from(e)
	}
	return s.loads
}

// lockSlice collects loads backwards.
type lockSlice struct {
	loads  map[*ir.Load]*ir.Func
	seen   map[*ir.Reg]bool
	defs   map[*ir.Reg][]ir.Instr
	of     map[*ir.Reg]*ir.Func
	calls  map[*ir.Func][]*ir.Call
	params map[*ir.Reg]*ir.Func
}

func (s *lockSlice) from(e ir.Expr) {
	for _, r := range ir.RegsOf(e) {
		if s.seen[r] {
			continue
		}
		s.seen[r] = true
		for _, in := range s.defs[r] {
			switch in := in.(type) {
			case *ir.Assign:
				s.from(in.X)
			case *ir.Load:
				s.loads[in] = s.of[r]
				s.from(in.Addr)
			}
		}
		if fn := s.params[r]; fn != nil {
			for _, c := range s.calls[fn] {
				for _, a := range c.Args {
					s.from(a)
				}
			}
		}
	}
}

// known are the assumptions behind an instruction about what it yields.
func (x *instrumenter) known(in ir.Instr) []ir.Instr {
	var cond ir.Expr
	switch in := in.(type) {
	case *ir.Load:
		ld, ok := x.seq.Origin[in].Instr.(*ir.Load)
		if !ok || in.Dst == nil {
			return nil
		}
		if p, ok := x.f.values.places[ld]; ok {
			is := ir.Expr(ir.Binary{Op: "eq", X: asPtr(ir.Use{Reg: in.Dst}), Y: x.f.addressOf(p)})
			cond = ir.Binary{Op: "lor", X: is, Y: wordIsZero(ir.Use{Reg: in.Dst})}
		}
		if k, ok := x.f.values.numbers[ld]; ok {
			is := ir.Binary{Op: "eq", X: ir.Use{Reg: in.Dst}, Y: k}
			cond = ir.Binary{Op: "lor", X: is, Y: wordIsZero(ir.Use{Reg: in.Dst})}
		}
	case *ir.Alloc:
		if r := x.f.values.made[x.seq.Origin[in].Instr]; r != nil {
			cond = ir.Binary{Op: "eq", X: asPtr(ir.Use{Reg: in.Dst}), Y: ir.Use{Reg: r}}
			if in.MayFail {
				cond = ir.Binary{Op: "lor", X: cond, Y: wordIsZero(ir.Use{Reg: in.Dst})}
			}
		}
	case *ir.Lock:
		cond = notNull(in.Lock)
	case *ir.Unlock:
		cond = notNull(in.Lock)
	}
	if cond == nil || len(x.f.values.places) == 0 || len(redefined(in)) > 0 {
		return nil
	}
	return []ir.Instr{&ir.Assume{Base: ir.Base{Pos: in.At()}, Cond: cond}}
}

// addressOf is the address of a place.
func (f *facts) addressOf(p alias.Place) ir.Expr {
	if g := p.Object.Global; g != nil {
		return asPtr(offsetFrom(asPtr(ir.GlobalAddr{Global: g}), p.Offset))
	}
	return asPtr(offsetFrom(ir.Use{Reg: f.values.objects[p.Object]}, p.Offset))
}

// notNull is the condition that the pointer is not null that an address is computed from;
// nil where it is no register.
func notNull(addr ir.Expr) ir.Expr {
	base, _ := split(addr)
	u, ok := base.(ir.Use)
	if !ok || !ir.IsPtr(u.Reg.Type) {
		return nil
	}
	return ir.Unary{Op: "lnot", X: wordIsZero(u)}
}
