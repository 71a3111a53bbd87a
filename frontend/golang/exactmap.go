package golang

import (
	"go/types"
	"math/big"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// A map in memory, exactly: a header that every operation reads or writes, so that races
// show there, and a few elements, each with the number that it got when it was made, 0
// where there is none. What an operation does to the elements is one section.

// mapSlots bounds how many elements a map has; executions in which there would be more
// are cut.
const mapSlots = 8

// maxBorn bounds how many elements are ever made in a map.
const maxBorn = 255

// exactElement is an element of a map.
func (l *layouts) exactElement(e *ir.Struct) {
	e.Fields = append(e.Fields, ir.Field{Name: "used", Type: ir.U8, Offset: e.Bytes})
	e.Bytes += 8
}

// exactBorn adds how many elements were ever made to a map.
func exactBorn(s *ir.Struct) {
	s.Fields = append(s.Fields, ir.Field{Name: "born", Type: ir.U8, Offset: s.Bytes})
	s.Bytes += 8
}

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
func (x *fn) mapKey(t types.Type, k value) {
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
			n := len(x.lay.of(u.Field(i).Type()).leaves)
			x.mapKey(u.Field(i).Type(), k[:n])
			k = k[n:]
		}
	}
}

// hashable panics where there is a value in an interface in a key that cannot be
// compared.
func (x *fn) hashable(t types.Type, k value) {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for _, b := range x.Boxes {
			if !types.Comparable(b) && types.Implements(b, u) {
				x.panicUnless(not(bin("eq", k[0], x.tag(b))), "hash of a value that cannot be compared")
			}
		}
	case *types.Struct:
		for i := range u.NumFields() {
			n := len(x.lay.of(u.Field(i).Type()).leaves)
			x.hashable(u.Field(i).Type(), k[:n])
			k = k[n:]
		}
	}
}

// mapElement is an element of a map: the addresses of its key, its value and whether it
// is used.
func (x *fn) mapElement(m ir.Expr, i int64) (key, val, used ir.Expr) {
	s := m.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[1].Type.(ir.Array)
	e := ir.IndexAddr{Base: ir.FieldAddr{Base: m, S: s, Index: 1}, Idx: ir.IntConst(intT, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	es := arr.Elem.(*ir.Struct)
	return ir.FieldAddr{Base: e, S: es, Index: 0}, ir.FieldAddr{Base: e, S: es, Index: 1}, ir.FieldAddr{Base: e, S: es, Index: 2}
}

// find runs hit for the element with a key, and miss, where it is not nil, where there is
// none; inside a section.
func (x *fn) find(m ir.Expr, t *types.Map, k value, hit func(i int64), miss func()) {
	after := x.block("found")
	for i := range int64(mapSlots) {
		ka, _, used := x.mapElement(m, i)
		is := not(isNil(x.get(used, ir.U8)))
		here, next := x.block("hit"), x.block("next")
		if scalarKeys(t.Key()) {
			for j, e := range x.load(t.Key(), ka, ir.SeqCst) {
				is = bin("land", is, bin("eq", e, typed(k[j], e.Type())))
			}
		} else {
			compare := x.block("compare")
			x.branch(is, compare, next)
			x.start(compare)
			is = x.equalExact(t.Key(), x.load(t.Key(), ka, ir.SeqCst), k, t.Key())
		}
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
			_, va, _ := x.mapElement(m, i)
			x.store(t.Elem(), va, v, ir.SeqCst)
		}
		x.find(m, t, k, set, func() {
			born := x.get(mapBorn(m), ir.U8)
			x.when(bin("ge", born, ir.IntConst(ir.U8, maxBorn)), func() { x.cut("a map in which many elements were made") })
			born = x.hold(bin("add", born, ir.IntConst(ir.U8, 1)))
			x.set(mapBorn(m), born)
			x.assign(more, bin("add", n, ir.IntConst(intT, 1)))
			after := x.block("set")
			for i := range int64(mapSlots) {
				ka, _, used := x.mapElement(m, i)
				here, next := x.block("free"), x.block("next")
				x.branch(isNil(x.get(used, ir.U8)), here, next)
				x.start(here)
				x.store(t.Key(), ka, k, ir.SeqCst)
				x.set(used, born)
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

// visiting is a range loop over a map: for each place, the number of the element that was
// visited there (eight bits each), and how many elements were made before the loop. Of a
// loop over a string, at is the place where the next rune is.
type visiting struct{ seen, born, at *ir.Reg }

// rangeExact begins a range loop over a map.
func (x *fn) rangeExact(v *ssa.Range) {
	r := visiting{seen: x.temp(ir.U64), born: x.temp(ir.U8)}
	x.visited[v] = r
	x.assign(r.seen, ir.IntConst(ir.U64, 0))
	x.assign(r.born, ir.IntConst(ir.U8, 0))
	m := x.one(v.X)
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.assign(r.born, x.get(mapBorn(m), ir.U8))
	})
}

// nextExact is a step of a range loop over a map: any element that was not visited comes
// next. The loop may end where all that are left were made after it began.
func (x *fn) nextExact(v *ssa.Next, rng *ssa.Range, t *types.Map) value {
	m, r := x.one(rng.X), x.visited[rng]
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
	lane := func(i int64) ir.Expr { return ir.IntConst(ir.U64, 8*i) }
	x.when(not(isNil(m)), func() {
		x.readMap(m)
		x.mapSection("goes on through", m, func() {
			var left, born []ir.Expr
			var old ir.Expr = ir.BoolConst(false)
			var targets []*ir.Block
			for i := range int64(mapSlots) {
				_, _, used := x.mapElement(m, i)
				n := x.get(used, ir.U8)
				was := ir.Cast{X: bin("shr", ir.Use{Reg: r.seen}, lane(i)), T: ir.U8}
				born = append(born, n)
				left = append(left, x.hold(truth(bin("land", not(isNil(n)), bin("ne", n, was)))))
				old = bin("lor", old, bin("land", cond(left[i]), bin("le", n, ir.Use{Reg: r.born})))
				targets = append(targets, x.block("element"))
			}
			end, after := x.block("end"), x.block("visited")
			x.jump(append(targets, end)...)
			for i := range int64(mapSlots) {
				x.start(targets[i])
				x.require(cond(left[i]))
				x.assign(ok, boolConst(true))
				ka, va, _ := x.mapElement(m, i)
				if key != nil {
					x.assignAll(key, x.load(t.Key(), ka, ir.SeqCst))
				}
				if val != nil {
					x.assignAll(val, x.load(t.Elem(), va, ir.SeqCst))
				}
				mask := ir.Const{T: ir.U64, Val: new(big.Int).SetUint64(^(uint64(0xff) << (8 * i)))}
				rest := bin("and", ir.Use{Reg: r.seen}, mask)
				x.assign(r.seen, bin("or", rest, bin("shl", ir.Cast{X: born[i], T: ir.U64}, lane(i))))
				x.jump(after)
			}
			x.start(end)
			x.require(not(old))
			x.jump(after)
			x.start(after)
		})
	})
	return append(append(value{truth(cond(ir.Use{Reg: ok}))}, useAll(key)...), useAll(val)...)
}
