package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// A map in memory, exactly: a header that every operation reads or writes, so that races show there, and a few elements,
// each with whether it is used. What an operation does to the elements is one section.

// mapSlots bounds how many elements a map has; executions in which there would be more are cut.
const mapSlots = 8

// exactElement is an element of a map.
func (l *layouts) exactElement(e *ir.Struct) {
	e.Fields = append(e.Fields, ir.Field{Name: "used", Type: ir.U8, Offset: e.Bytes})
	e.Bytes += 8
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

// mapKey makes sure that the contents of a key are known.
func (x *fn) mapKey(t types.Type, k value) {
	if !scalarKeys(t) {
		x.cut("a map with keys of a type that is not compared")
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			x.knownText(k[0])
		}
	case *types.Struct:
		for i := range u.NumFields() {
			n := len(x.lay.of(u.Field(i).Type()).leaves)
			x.mapKey(u.Field(i).Type(), k[:n])
			k = k[n:]
		}
	}
}

// mapElement is an element of a map: the addresses of its key, its value and whether it is used.
func (x *fn) mapElement(m ir.Expr, i int64) (key, val, used ir.Expr) {
	s := m.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[1].Type.(ir.Array)
	e := ir.IndexAddr{Base: ir.FieldAddr{Base: m, S: s, Index: 1}, Idx: ir.IntConst(intT, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	es := arr.Elem.(*ir.Struct)
	return ir.FieldAddr{Base: e, S: es, Index: 0}, ir.FieldAddr{Base: e, S: es, Index: 1}, ir.FieldAddr{Base: e, S: es, Index: 2}
}

// find runs hit for the element with a key, and miss, where it is not nil, where there is none; inside a section.
func (x *fn) find(m ir.Expr, t *types.Map, k value, hit func(i int64), miss func()) {
	after := x.block("found")
	for i := range int64(mapSlots) {
		ka, _, used := x.mapElement(m, i)
		is := not(isNil(x.get(used, ir.U8)))
		for j, e := range x.load(t.Key(), ka, ir.SeqCst) {
			is = bin("land", is, bin("eq", e, typed(k[j], e.Type())))
		}
		here, next := x.block("hit"), x.block("next")
		x.branch(is, here, next)
		x.start(here)
		hit(i)
		x.jump(after)
		x.start(next)
	}
	if miss != nil {
		miss()
	}
	x.jump(after)
	x.start(after)
}

func (x *fn) mapSection(what string, m ir.Expr, body func()) {
	r := x.temp(intT)
	x.section(what, []*ir.Reg{r}, []ir.Expr{mapCount(m)}, ir.BoolConst(true), body)
}

// counted writes the header of a map.
func (x *fn) counted(m, n ir.Expr) {
	x.emit(&ir.Store{Base: x.base(), Addr: mapCount(m), Val: n, Order: ir.Plain})
}

func (x *fn) updateExact(in *ssa.MapUpdate) {
	m, t := x.one(in.Map), in.Map.Type().Underlying().(*types.Map)
	k, v := x.val(in.Key), x.val(in.Value)
	x.panicUnless(not(isNil(m)), "assignment to entry in nil map")
	x.mapKey(t.Key(), k)
	n := x.hold(x.readMap(m))
	more := x.temp(intT)
	x.assign(more, n)
	x.mapSection("sets an element of", m, func() {
		set := func(i int64) {
			ka, va, used := x.mapElement(m, i)
			x.store(t.Key(), ka, k, ir.SeqCst)
			x.store(t.Elem(), va, v, ir.SeqCst)
			x.set(used, ir.IntConst(ir.U8, 1))
		}
		x.find(m, t, k, set, func() {
			x.assign(more, bin("add", n, ir.IntConst(intT, 1)))
			after := x.block("set")
			for i := range int64(mapSlots) {
				_, _, used := x.mapElement(m, i)
				here, next := x.block("free"), x.block("next")
				x.branch(isNil(x.get(used, ir.U8)), here, next)
				x.start(here)
				set(i)
				x.jump(after)
				x.start(next)
			}
			x.cut("a map with many elements")
			x.jump(after)
			x.start(after)
		})
	})
	x.counted(m, ir.Use{Reg: more})
}

func (x *fn) lookupExact(v *ssa.Lookup, t *types.Map) value {
	m, k := x.one(v.X), x.val(v.Index)
	found := x.temp(boolT)
	x.assign(found, boolConst(false))
	dst := x.zeroed(t.Elem())
	x.mapKey(t.Key(), k)
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.mapSection("looks up in", m, func() {
			x.find(m, t, k, func(i int64) {
				_, va, _ := x.mapElement(m, i)
				x.assign(found, boolConst(true))
				x.assignAll(dst, x.load(t.Elem(), va, ir.SeqCst))
			}, nil)
		})
	})
	out := useAll(dst)
	if v.CommaOk {
		out = append(out, truth(cond(ir.Use{Reg: found})))
	}
	return out
}

// deleteExact removes the element with key k from a map, or all where k is nil.
func (x *fn) deleteExact(mt types.Type, m ir.Expr, k value) {
	t := mt.Underlying().(*types.Map)
	if k != nil {
		x.mapKey(t.Key(), k)
	}
	x.when(not(isNil(m)), func() {
		n := x.temp(intT)
		x.assign(n, x.readMap(m))
		x.mapSection("deletes from", m, func() {
			if k == nil {
				x.assign(n, ir.IntConst(intT, 0))
				for i := range int64(mapSlots) {
					_, _, used := x.mapElement(m, i)
					x.set(used, ir.IntConst(ir.U8, 0))
				}
				return
			}
			x.find(m, t, k, func(i int64) {
				_, _, used := x.mapElement(m, i)
				x.set(used, ir.IntConst(ir.U8, 0))
				x.assign(n, bin("sub", ir.Use{Reg: n}, ir.IntConst(intT, 1)))
			}, nil)
		})
		x.counted(m, ir.Use{Reg: n})
	})
}

// rangeExact begins a range loop over a map: the register says which elements were visited.
func (x *fn) rangeExact(v *ssa.Range) {
	r := x.temp(ir.U8)
	x.visited[v] = r
	x.assign(r, ir.IntConst(ir.U8, 0))
}

// nextExact is a step of a range loop over a map: any element that was not visited comes next.
func (x *fn) nextExact(v *ssa.Next, rng *ssa.Range, t *types.Map) value {
	m, seen := x.one(rng.X), x.visited[rng]
	ok := x.temp(boolT)
	x.assign(ok, boolConst(false))
	tup := v.Type().(*types.Tuple)
	wanted := func(i int) bool {
		b, isBasic := tup.At(i).Type().(*types.Basic)
		return !isBasic || b.Kind() != types.Invalid
	}
	var key, val []*ir.Reg
	if wanted(1) {
		key = x.zeroed(t.Key())
	}
	if wanted(2) {
		val = x.zeroed(t.Elem())
	}
	bit := func(i int64) ir.Expr { return ir.IntConst(ir.U8, 1<<i) }
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.mapSection("goes on through", m, func() {
			var left []ir.Expr
			var some ir.Expr = ir.BoolConst(false)
			var targets []*ir.Block
			for i := range int64(mapSlots) {
				_, _, used := x.mapElement(m, i)
				left = append(left, x.hold(truth(bin("land", not(isNil(x.get(used, ir.U8))), isNil(bin("and", ir.Use{Reg: seen}, bit(i)))))))
				some = bin("lor", some, cond(left[i]))
				targets = append(targets, x.block("element"))
			}
			x.assign(ok, truth(some))
			x.when(cond(ir.Use{Reg: ok}), func() {
				after := x.block("visited")
				x.jump(targets...)
				for i := range int64(mapSlots) {
					x.start(targets[i])
					x.require(cond(left[i]))
					ka, va, _ := x.mapElement(m, i)
					if key != nil {
						x.assignAll(key, x.load(t.Key(), ka, ir.SeqCst))
					}
					if val != nil {
						x.assignAll(val, x.load(t.Elem(), va, ir.SeqCst))
					}
					x.assign(seen, bin("or", ir.Use{Reg: seen}, bit(i)))
					x.jump(after)
				}
				x.start(after)
			})
		})
	})
	return append(append(value{truth(cond(ir.Use{Reg: ok}))}, useAll(key)...), useAll(val)...)
}
