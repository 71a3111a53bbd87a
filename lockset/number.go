package lockset

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
	"whoop/smt/vcgen"
)

// Numbers that are handed to threads: a loop that starts a thread for each i gives it
// element i of an array. For each entry that makes an integer of its first argument, and
// each array whose elements it accesses, there is a token of the watched index. The main
// thread has the tokens of all numbers when it starts, and a thread that of its argument.
// As with objects (own.go), a spawn must hold the token of the number that it hands over,
// and loses it, and where that cannot be proved, the token protects nothing. So no two
// threads have one number, and the elements that they access are different: the address
// of an element is the array's, which is a global, or what is read from a cell that
// nobody writes while the entry runs, plus the watched index times the size of an
// element.

// threadNumber is a token of the index that an entry gets with an argument.
type threadNumber struct {
	entry *ir.Entry
	param int
	// as are the conversions from the argument to the integer, the last one first.
	as []ir.Type
	// base is the cell that the array's address is read from; nil for global arrays.
	base *pointerCell
}

// of is the number that an argument stands for.
func (n *threadNumber) of(arg ir.Expr) ir.Expr {
	e := arg
	for i := len(n.as) - 1; i >= 0; i-- {
		e = ir.Cast{X: e, T: n.as[i]}
	}
	return ir.Cast{X: e, T: ir.I64}
}

// numberLocks adds the tokens of numbers, for the arrays that entries with a number
// access.
func (l *locks) numberLocks() {
	for _, e := range l.f.p.Entries {
		if !e.Spawned || e.Func == nil {
			continue
		}
		for k, p := range e.Func.Params {
			n := threadNumber{entry: e, param: k}
			if _, ok := p.Type.(ir.Int); !ok && k == 0 && ir.IsPtr(p.Type) {
				n.as = numberOf(e.Func)
			}
			if _, ok := p.Type.(ir.Int); ok || n.as != nil {
				l.arraysBy(n)
			}
		}
	}
}

func (n threadNumber) key(array string) string {
	return fmt.Sprintf("number:%s:%d:%s", n.entry.Name, n.param, array)
}

// arraysBy adds the tokens of a number for the arrays that its entry accesses.
func (l *locks) arraysBy(n threadNumber) {
	for _, r := range l.f.watchedRegions() {
		if !r.Exact || r.Elem == 0 || l.numbers >= maxOwned || !l.accesses(n.entry, r) {
			continue
		}
		if g := single(r); g != nil {
			base := ir.IndexAddr{Base: asPtr(ir.GlobalAddr{Global: g}), Idx: ir.IntConst(ir.I64, r.ArrayStart), Stride: 1, T: ir.VPtr}
			l.numberLock(n, r, fmt.Sprintf("%s+%d", g.Name, r.ArrayStart), base)
		} else if u, g := l.arrayCell(n.entry, r); g != nil {
			key := fmt.Sprintf("*%s+%d", g.Name, u.Offset)
			v := pointerIn(u, "$array."+key)
			if fn := l.fns[n.key(key)]; fn != nil {
				v = fn.cell().value
			}
			n.base = &pointerCell{u, offsetFrom(asPtr(ir.GlobalAddr{Global: g}), u.Offset), v}
			l.numberLock(n, r, key, ir.Use{Reg: v})
			n.base = nil
		}
	}
}

// accesses reports whether an entry accesses a region.
func (l *locks) accesses(e *ir.Entry, r *alias.Region) bool {
	return slices.ContainsFunc(l.f.touches[r], func(c *cluster) bool {
		return slices.ContainsFunc(c.uses, func(u use) bool { return u.entry == e })
	})
}

// numberLock relates a region of an array at base to the token of its index.
func (l *locks) numberLock(n threadNumber, r *alias.Region, key string, base ir.Expr) {
	key = n.key(key)
	fr := l.frame(key)
	fr.watch.Type = ir.I64
	fn := l.fns[key]
	if fn == nil {
		fn = l.token(key, "its own number", fr, &n)
		l.numbers++
	}
	element := ir.IndexAddr{Base: offsetFrom(base, r.Offset), Idx: ir.Use{Reg: fr.watch}, Stride: r.Elem, T: ir.VPtr}
	l.numbered[r] = append(l.numbered[r], regionLock{fn: fn, perRegion: true, watched: func(a ir.Expr) ir.Expr {
		return ir.Binary{Op: "eq", X: asPtr(a), Y: element}
	}})
}

// numberOf finds what integer a function makes of its first parameter: the conversions,
// the last one first; nil where it is none.
func numberOf(f *ir.Func) []ir.Type {
	param := f.Params[0]
	var as []ir.Type
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, x := range ir.Operands(in) {
				ir.WalkExpr(x, func(e ir.Expr) bool {
					if ts := castsTo(e, param); len(ts) > len(as) {
						as = ts
					}
					return true
				})
			}
		}
	}
	return as
}

// takesNumber reports whether a function makes an integer of its first parameter, and
// uses it for nothing else.
func takesNumber(f *ir.Func) bool {
	if len(f.Params) == 0 || !ir.IsPtr(f.Params[0].Type) || len(f.Blocks) == 0 {
		return false
	}
	casts, uses := 0, 0
	look := func(x ir.Expr) {
		ir.WalkExpr(x, func(e ir.Expr) bool {
			switch e := e.(type) {
			case ir.Use:
				if e.Reg == f.Params[0] {
					uses++
				}
			case ir.Cast:
				u, ok := e.X.(ir.Use)
				if _, number := e.T.(ir.Int); ok && number && u.Reg == f.Params[0] {
					casts++
				}
			}
			return true
		})
	}
	for x := range f.Exprs() {
		look(x)
	}
	return casts > 0 && casts == uses
}

// castsTo are the conversions of an expression that is a parameter made an integer.
func castsTo(e ir.Expr, param *ir.Reg) []ir.Type {
	var ts []ir.Type
	for {
		switch x := e.(type) {
		case ir.Cast:
			if _, ok := x.T.(ir.Int); ok {
				ts = append(ts, x.T)
			} else if len(ts) > 0 && !ir.IsPtr(x.T) {
				return nil
			}
			e = x.X
			continue
		case ir.Use:
			if x.Reg == param {
				return ts
			}
		}
		return nil
	}
}

// arrayCell is the cell of a global pointer from which the entry reads the address of the
// array that a region is part of; nil where there is none, or more than one.
func (l *locks) arrayCell(e *ir.Entry, r *alias.Region) (*alias.Region, *ir.Global) {
	cells, known := l.cells[e]
	if !known {
		cells = l.arrayCells(e)
		l.cells[e] = cells
	}
	if cells[r] == nil {
		return nil, nil
	}
	return cells[r], single(cells[r])
}

// arrayCells are the cells of global pointers that an entry reads the addresses of arrays
// from, by the arrays' regions; nil where one is read from something else, too.
func (l *locks) arrayCells(e *ir.Entry) map[*alias.Region]*alias.Region {
	cells := map[*alias.Region]*alias.Region{}
	for _, f := range l.f.reach[e] {
		var res *resolver
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				for _, a := range l.f.acc[in] {
					if a.Addr == nil {
						continue
					}
					var c *alias.Region
					looked := false
					for _, r := range a.Regions {
						before, known := cells[r]
						if !r.Exact || r.Elem == 0 || known && before == nil {
							continue
						}
						if !looked {
							if res == nil {
								res = newResolver(f)
							}
							c, looked = l.loadedArray(res, in, b, i, a.Addr), true
						}
						if known && before != c {
							c = nil
						}
						cells[r] = c
					}
				}
			}
		}
	}
	return cells
}

// loadedArray is the cell of a global from which the base of an address is loaded.
func (l *locks) loadedArray(res *resolver, in ir.Instr, b *ir.Block, i int, addr ir.Expr) *alias.Region {
	e := res.expand(addr, b, i)
	for {
		switch x := e.(type) {
		case ir.Cast:
			e = x.X
			continue
		case ir.FieldAddr:
			e = x.Base
			continue
		case ir.IndexAddr:
			e = x.Base
			continue
		case ir.Use:
			ds := res.defs[x.Reg]
			if len(ds) != 1 {
				return nil
			}
			ld, ok := ds[0].in.(*ir.Load)
			if !ok || ld.Order != ir.Plain {
				return nil
			}
			if _, _, ok := constAddr(ld.Addr); !ok {
				return nil
			}
			for _, a := range l.f.acc[ld] {
				if len(a.Regions) == 1 && a.Regions[0].Exact && a.Regions[0].Elem == 0 && single(a.Regions[0]) != nil {
					return a.Regions[0]
				}
			}
		}
		return nil
	}
}

// knows reports whether the entry can tell what a guard's cell leads to: nobody else
// writes there while the entry runs.
func (x *instrumenter) knows(fn *guard) bool {
	c := fn.cell()
	return c == nil || x.classify(c.region) != vcgen.Arbitrary
}

// readAgain reads the addresses of arrays that an instruction of this entry may have
// changed.
func (x *instrumenter) readAgain(in ir.Instr) []ir.Instr {
	_, call := in.(*ir.Call)
	writes := x.f.writeIDs[x.seq.Origin[in].Instr]
	var out []ir.Instr
	for _, fn := range x.active {
		c := fn.cell()
		if c == nil {
			continue
		}
		if (call || slices.Contains(writes, c.region.ID)) && x.classify(c.region) == vcgen.Private {
			ld := &ir.Load{Dst: c.value, Addr: c.addr, Order: ir.Plain}
			x.pointerLoads[ld] = c
			out = append(out, ld)
		}
	}
	return out
}

func (*threadNumber) traits() traits { return traits{whole: true, everywhere: true, hidden: true} }

// initial: a thread has the number of its argument, main all of them.
func (n *threadNumber) initial(x *instrumenter, g *guard) (full, some ir.Expr) {
	var has ir.Expr
	params := x.params()
	switch {
	case n.entry == x.entry && n.param < len(params):
		has = ir.Binary{Op: "eq", X: n.of(ir.Use{Reg: params[n.param]}), Y: ir.Use{Reg: g.frame.watch}}
	case n.entry != x.entry && x.isMain():
		has = ir.BoolConst(true)
	}
	return has, has
}

// transfers: a spawn hands a number over, a join may bring it back.
func (n *threadNumber) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.Spawn:
		num, known := n.numbering(in)
		t := permission.Transfer{Kind: permission.Exhale, Share: permission.Full, Owed: true}
		if num != nil {
			t.If = ir.Binary{Op: "eq", X: num, Y: ir.Use{Reg: g.frame.watch}}
		} else if known {
			return nil
		}
		return []permission.Transfer{t}
	case *ir.Join:
		return x.backFrom(in, g)
	}
	return nil
}

// numbering is the number that a spawn hands over, nil where it starts another entry for
// sure; some is false where that is not known to be one.
func (n *threadNumber) numbering(in *ir.Spawn) (num ir.Expr, some bool) {
	if fa, ok := in.Fn.(ir.FuncAddr); ok && fa.Func != n.entry.Func {
		return nil, true
	}
	if n.param >= len(in.Args) || !ir.Equal(in.Args[n.param].Type(), n.entry.Func.Params[n.param].Type) && !(ir.IsPtr(in.Args[n.param].Type()) && n.as != nil) {
		return nil, false
	}
	return direct(n.of(in.Args[n.param])), true
}

// direct leaves out the conversions of an integer whose value the last one does not
// depend on: to types that are as wide at least, there and back.
func direct(e ir.Expr) ir.Expr {
	c, ok := e.(ir.Cast)
	if !ok {
		return e
	}
	x := direct(c.X)
	if t, ok := c.T.(ir.Int); ok {
		for {
			d, ok := x.(ir.Cast)
			if !ok || wide(d.T) < t.Bits || wide(d.X.Type()) == 0 {
				break
			}
			x = d.X
		}
		if ir.Equal(x.Type(), c.T) {
			return x
		}
	}
	return ir.Cast{X: x, T: c.T}
}

// wide is how many bits an integer or pointer has, 0 for other types.
func wide(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		return t.Bits
	case ir.Ptr:
		return int(t.Size() * 8)
	}
	return 0
}

// numberCandidates guesses, for the loop heads of a body, that the numbers from the next
// one on are still there, in either direction; in loops as Go's, which remember the last
// number and add one before they test it, those behind the last one, and that it is not
// the last that there can be. One that is converted to a smaller type stays at 0 or above.
func (x *instrumenter) numberCandidates(f *ir.Func) []ir.Expr {
	out := guesses{}
	for _, sp := range spawnsOf(f) {
		for _, fn := range x.active {
			n, ok := theoryOf[*threadNumber](fn)
			if !ok {
				continue
			}
			num, _ := n.numbering(sp)
			if num == nil {
				continue
			}
			held, w := ir.Use{Reg: fn.Held[0]}, ir.Use{Reg: fn.frame.watch}
			for _, op := range []string{"lt", "gt"} {
				out.add(ir.Binary{Op: "lor", X: held, Y: ir.Binary{Op: op, X: w, Y: num}})
			}
			for r, loops := range copiesOf(f, num) {
				if !loops {
					continue
				}
				for _, op := range []string{"lt", "le", "gt"} {
					out.add(ir.Binary{Op: "lor", X: held, Y: ir.Binary{Op: op, X: w, Y: ir.Cast{X: ir.Use{Reg: r}, T: ir.I64}}})
				}
				out.add(notLast(r))
				if narrows(num) {
					out.add(ir.Binary{Op: "ge", X: ir.Use{Reg: r}, Y: ir.IntConst(r.Type.(ir.Int), 0)})
				}
			}
		}
	}
	return out.list()
}

// narrows reports whether a conversion in a number drops bits.
func narrows(num ir.Expr) bool {
	c, ok := num.(ir.Cast)
	return ok && (wide(c.T) < wide(c.X.Type()) || narrows(c.X))
}

// spawnsOf are the spawns of a body.
func spawnsOf(f *ir.Func) []*ir.Spawn {
	var out []*ir.Spawn
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if sp, ok := in.(*ir.Spawn); ok {
				out = append(out, sp)
			}
		}
	}
	return out
}

// guesses are conditions to try at loop heads, each once, by their text.
type guesses map[string]ir.Expr

func (g guesses) add(c ir.Expr) { g[ir.ExprString(c)] = c }

// list is the guesses in a fixed order.
func (g guesses) list() []ir.Expr { return sorted(slices.Collect(maps.Values(g))) }

// notLast is the condition that one may be added to a register without wrapping around.
func notLast(r *ir.Reg) ir.Expr {
	t := r.Type.(ir.Int)
	return ir.Binary{Op: "lt", X: ir.Use{Reg: r}, Y: ir.Const{T: t, Val: maxOf(t)}}
}

// sorted puts guesses into a fixed order.
func sorted(cs []ir.Expr) []ir.Expr {
	slices.SortFunc(cs, func(a, b ir.Expr) int { return strings.Compare(ir.ExprString(a), ir.ExprString(b)) })
	return cs
}

// maxOf is the greatest value of an integer type.
func maxOf(t ir.Int) *big.Int {
	bits := uint(t.Bits)
	if t.Signed {
		bits--
	}
	return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
}

// copiesOf are the registers that a number is copied from and to, where it is a register,
// with those that a loop may change: of several definitions.
func copiesOf(f *ir.Func, num ir.Expr) map[*ir.Reg]bool {
	n, ok := ir.Uncast(num).(ir.Use)
	if !ok {
		return nil
	}
	out, defs := map[*ir.Reg]bool{n.Reg: false}, map[*ir.Reg]int{}
	for again := true; again; {
		again = false
		clear(defs)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, r := range ir.Defs(in) {
					defs[r]++
				}
				a, ok := in.(*ir.Assign)
				if !ok {
					continue
				}
				if u, ok := a.X.(ir.Use); ok && ir.Equal(u.Reg.Type, a.Dst.Type) {
					_, from := out[u.Reg]
					_, to := out[a.Dst]
					if from != to {
						out[u.Reg], out[a.Dst], again = false, false, true
					}
				}
			}
		}
	}
	for r := range out {
		if _, isInt := r.Type.(ir.Int); !isInt {
			delete(out, r)
		} else {
			out[r] = defs[r] > 1
		}
	}
	return out
}

// testedSpawns adds the registers with the numbers that a body hands over: where its
// loops end matters.
func (x *instrumenter) testedSpawns(f *ir.Func, out map[*ir.Reg]bool) {
	for _, sp := range spawnsOf(f) {
		for _, fn := range x.active {
			var num ir.Expr
			switch t := fn.theory.(type) {
			case *threadNumber:
				num, _ = t.numbering(sp)
			case *own:
				if t.element != nil && t.element.number < len(sp.Args) && x.handedOver(sp, fn) != nil {
					num = sp.Args[t.element.number]
				}
			}
			if num != nil {
				for r := range copiesOf(f, num) {
					out[r] = true
				}
			}
		}
	}
}
