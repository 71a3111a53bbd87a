package precise

import (
	"go/types"
	"math/big"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// A map in memory, exactly: a header that every operation reads or writes, so that races
// show there, and a few elements, each with the number that it got when it was made, 0
// where there is none. What an operation does to the elements is one section.

// maxBorn bounds how many elements are ever made in a map.
const maxBorn = 255

func mapBorn(m ir.Expr) ir.Expr {
	return ir.FieldAddr{Base: m, S: m.Type().(ir.Ptr).Elem.(*ir.Struct), Index: 2}
}

// scalarKeys reports whether keys of a type can be compared by their scalars.
func scalarKeys(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) == 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			if !scalarKeys(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// mapKey makes sure that the contents of a key are known, and panics where it is of a
// type that cannot be a key.
func (x *Fn) mapKey(t types.Type, k irgen.Value) {
	x.hashable(t, k)
	if !scalarKeys(t) { // equalExact does that
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			x.knownText(k[0])
		}
	case *types.Struct:
		for i := range u.NumFields() {
			n := len(x.lay.Of(u.Field(i).Type()).Leaves)
			x.mapKey(u.Field(i).Type(), k[:n])
			k = k[n:]
		}
	}
}

// hashable panics where there is a value in an interface in a key that cannot be
// compared.
func (x *Fn) hashable(t types.Type, k irgen.Value) {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for _, b := range x.Boxes {
			if !types.Comparable(b) && types.Implements(b, u) {
				x.PanicUnless(irgen.Not(irgen.Bin("eq", k[0], x.Tag(b))), "hash of a value that cannot be compared")
			}
		}
	case *types.Struct:
		for i := range u.NumFields() {
			n := len(x.lay.Of(u.Field(i).Type()).Leaves)
			x.hashable(u.Field(i).Type(), k[:n])
			k = k[n:]
		}
	}
}

// mapElement is an element of a map: the addresses of its key, its value and whether it
// is used.
func (x *Fn) mapElement(m ir.Expr, i int64) (key, val, used ir.Expr) {
	s := m.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[1].Type.(ir.Array)
	e := ir.IndexAddr{Base: ir.FieldAddr{Base: m, S: s, Index: 1}, Idx: ir.IntConst(irgen.IntT, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	es := arr.Elem.(*ir.Struct)
	return ir.FieldAddr{Base: e, S: es, Index: 0}, ir.FieldAddr{Base: e, S: es, Index: 1}, ir.FieldAddr{Base: e, S: es, Index: 2}
}

// find runs hit for the element with a key, and miss, where it is not nil, where there is
// none; inside a section.
func (x *Fn) find(m ir.Expr, t *types.Map, k irgen.Value, hit func(i int64), miss func()) {
	after := x.Block("found")
	for i := range int64(irgen.MapSlots) {
		ka, _, used := x.mapElement(m, i)
		is := irgen.Not(irgen.IsNil(x.Get(used, ir.U8)))
		here, next := x.Block("hit"), x.Block("next")
		if scalarKeys(t.Key()) {
			for j, e := range x.Load(t.Key(), ka, ir.SeqCst) {
				is = irgen.Bin("land", is, irgen.Bin("eq", e, irgen.Typed(k[j], e.Type())))
			}
		} else {
			compare := x.Block("compare")
			x.Branch(is, compare, next)
			x.Start(compare)
			is = x.EqualExact(t.Key(), x.Load(t.Key(), ka, ir.SeqCst), k, t.Key())
		}
		x.Branch(is, here, next)
		x.Start(here)
		hit(i)
		x.Jump(after)
		x.Start(next)
	}
	if miss != nil {
		miss()
	}
	x.Jump(after)
	x.Start(after)
}

func (x *Fn) mapSection(what string, m ir.Expr, body func()) {
	r := x.Temp(irgen.IntT)
	x.section(what, []*ir.Reg{r}, []ir.Expr{irgen.MapCount(m)}, ir.BoolConst(true), body)
}

// counted writes the header of a map.
func (x *Fn) counted(m, n ir.Expr) {
	x.Emit(&ir.Store{Base: x.Base(), Addr: irgen.MapCount(m), Val: n, Order: ir.Plain})
}

func (x *Fn) UpdateExact(in *ssa.MapUpdate) {
	m, t := x.One(in.Map), in.Map.Type().Underlying().(*types.Map)
	k, v := x.Val(in.Key), x.Val(in.Value)
	x.PanicUnless(irgen.Not(irgen.IsNil(m)), "assignment to entry in nil map")
	x.mapKey(t.Key(), k)
	n := x.Hold(x.ReadMap(m))
	more := x.Temp(irgen.IntT)
	x.Assign(more, n)
	x.mapSection("sets an element of", m, func() {
		set := func(i int64) {
			_, va, _ := x.mapElement(m, i)
			x.Store(t.Elem(), va, v, ir.SeqCst)
		}
		x.find(m, t, k, set, func() {
			born := x.Get(mapBorn(m), ir.U8)
			x.When(irgen.Bin("ge", born, ir.IntConst(ir.U8, maxBorn)), func() { x.Cut("a map in which many elements were made") })
			born = x.Hold(irgen.Bin("add", born, ir.IntConst(ir.U8, 1)))
			x.set(mapBorn(m), born)
			x.Assign(more, irgen.Bin("add", n, ir.IntConst(irgen.IntT, 1)))
			after := x.Block("set")
			for i := range int64(irgen.MapSlots) {
				ka, _, used := x.mapElement(m, i)
				here, next := x.Block("free"), x.Block("next")
				x.Branch(irgen.IsNil(x.Get(used, ir.U8)), here, next)
				x.Start(here)
				x.Store(t.Key(), ka, k, ir.SeqCst)
				x.set(used, born)
				set(i)
				x.Jump(after)
				x.Start(next)
			}
			x.Cut("a map with many elements")
			x.Jump(after)
			x.Start(after)
		})
	})
	x.counted(m, ir.Use{Reg: more})
}

func (x *Fn) LookupExact(v *ssa.Lookup, t *types.Map) irgen.Value {
	m, k := x.One(v.X), x.Val(v.Index)
	found := x.Temp(irgen.BoolT)
	x.Assign(found, irgen.BoolConst(false))
	dst := x.Zeroed(t.Elem())
	x.mapKey(t.Key(), k)
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		x.ReadMap(m)
		x.mapSection("looks up in", m, func() {
			x.find(m, t, k, func(i int64) {
				_, va, _ := x.mapElement(m, i)
				x.Assign(found, irgen.BoolConst(true))
				x.AssignAll(dst, x.Load(t.Elem(), va, ir.SeqCst))
			}, nil)
		})
	})
	out := irgen.UseAll(dst)
	if v.CommaOk {
		out = append(out, irgen.Truth(irgen.Cond(ir.Use{Reg: found})))
	}
	return out
}

// DeleteExact removes the element with key k from a map, or all where k is nil.
func (x *Fn) DeleteExact(mt types.Type, m ir.Expr, k irgen.Value) {
	t := mt.Underlying().(*types.Map)
	if k != nil {
		x.mapKey(t.Key(), k)
	}
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		n := x.Temp(irgen.IntT)
		x.Assign(n, x.ReadMap(m))
		x.mapSection("deletes from", m, func() {
			if k == nil {
				x.Assign(n, ir.IntConst(irgen.IntT, 0))
				for i := range int64(irgen.MapSlots) {
					_, _, used := x.mapElement(m, i)
					x.set(used, ir.IntConst(ir.U8, 0))
				}
				return
			}
			x.find(m, t, k, func(i int64) {
				_, _, used := x.mapElement(m, i)
				x.set(used, ir.IntConst(ir.U8, 0))
				x.Assign(n, irgen.Bin("sub", ir.Use{Reg: n}, ir.IntConst(irgen.IntT, 1)))
			}, nil)
		})
		x.counted(m, ir.Use{Reg: n})
	})
}

// visiting is a range loop over a map: for each place, the number of the element that was
// visited there (eight bits each), and how many elements were made before the loop. Of a
// loop over a string, at is the place where the next rune is.
type visiting struct{ Seen, born, At *ir.Reg }

// RangeExact begins a range loop over a map.
func (x *Fn) RangeExact(v *ssa.Range) {
	r := visiting{Seen: x.Temp(ir.U64), born: x.Temp(ir.U8)}
	x.Visited[v] = r
	x.Assign(r.Seen, ir.IntConst(ir.U64, 0))
	x.Assign(r.born, ir.IntConst(ir.U8, 0))
	m := x.One(v.X)
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		x.ReadMap(m)
		x.Assign(r.born, x.Get(mapBorn(m), ir.U8))
	})
}

// NextExact is a step of a range loop over a map: any element that was not visited comes
// next. The loop may end where all that are left were made after it began.
func (x *Fn) NextExact(v *ssa.Next, rng *ssa.Range, t *types.Map) irgen.Value {
	m, r := x.One(rng.X), x.Visited[rng]
	ok := x.Temp(irgen.BoolT)
	x.Assign(ok, irgen.BoolConst(false))
	tup := v.Type().(*types.Tuple)
	wanted := func(i int) bool {
		b, isBasic := tup.At(i).Type().(*types.Basic)
		return !isBasic || b.Kind() != types.Invalid
	}
	var key, val []*ir.Reg
	if wanted(1) {
		key = x.Zeroed(t.Key())
	}
	if wanted(2) {
		val = x.Zeroed(t.Elem())
	}
	lane := func(i int64) ir.Expr { return ir.IntConst(ir.U64, 8*i) }
	x.When(irgen.Not(irgen.IsNil(m)), func() {
		x.ReadMap(m)
		x.mapSection("goes on through", m, func() {
			var left, born []ir.Expr
			var old ir.Expr = ir.BoolConst(false)
			var targets []*ir.Block
			for i := range int64(irgen.MapSlots) {
				_, _, used := x.mapElement(m, i)
				n := x.Get(used, ir.U8)
				was := ir.Cast{X: irgen.Bin("shr", ir.Use{Reg: r.Seen}, lane(i)), T: ir.U8}
				born = append(born, n)
				left = append(left, x.Hold(irgen.Truth(irgen.Bin("land", irgen.Not(irgen.IsNil(n)), irgen.Bin("ne", n, was)))))
				old = irgen.Bin("lor", old, irgen.Bin("land", irgen.Cond(left[i]), irgen.Bin("le", n, ir.Use{Reg: r.born})))
				targets = append(targets, x.Block("element"))
			}
			end, after := x.Block("end"), x.Block("visited")
			x.Jump(append(targets, end)...)
			for i := range int64(irgen.MapSlots) {
				x.Start(targets[i])
				x.Require(irgen.Cond(left[i]))
				x.Assign(ok, irgen.BoolConst(true))
				ka, va, _ := x.mapElement(m, i)
				if key != nil {
					x.AssignAll(key, x.Load(t.Key(), ka, ir.SeqCst))
				}
				if val != nil {
					x.AssignAll(val, x.Load(t.Elem(), va, ir.SeqCst))
				}
				mask := ir.Const{T: ir.U64, Val: new(big.Int).SetUint64(^(uint64(0xff) << (8 * i)))}
				rest := irgen.Bin("and", ir.Use{Reg: r.Seen}, mask)
				x.Assign(r.Seen, irgen.Bin("or", rest, irgen.Bin("shl", ir.Cast{X: born[i], T: ir.U64}, lane(i))))
				x.Jump(after)
			}
			x.Start(end)
			x.Require(irgen.Not(old))
			x.Jump(after)
			x.Start(after)
		})
	})
	return append(append(irgen.Value{irgen.Truth(irgen.Cond(ir.Use{Reg: ok}))}, irgen.UseAll(key)...), irgen.UseAll(val)...)
}
