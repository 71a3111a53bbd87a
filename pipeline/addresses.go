package pipeline

import (
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Where objects lie differs from run to run, and the engines that execute a program have
// one layout. So what they find is real, and what they do not find is no proof where the
// program may tell layouts apart. Verify places variables and functions at fixed addresses
// for the same reason, and nowhere known where the program may tell (vcgen.Options).
//
// It cannot where addresses are only copied, led to memory, and compared for equality
// with null and with each other: all that is the same in each layout, since objects that
// are alive have different addresses (of others, see the assumptions memory-safety and
// address-stability), but for the end of one, which may be another's address. The order
// and the distance of two places of one object are the same, too, and where no object
// lies: numbers near 0, which is null, and near -1, which stand for errors. Anything else
// that is done with an address, or with a number that may have been made of one, may
// depend on the layout: other comparisons, arithmetic, an index, a narrower number, a
// piece of it that is read from memory.
//
// What may be an address is what the points-to analysis says: it follows numbers of
// the size of a pointer through registers, calls and memory as it does pointers. The
// result of arithmetic is asked no further: where it may depend on the layout, the
// arithmetic itself is one of the places.

// layouts are the places where a program may do what depends on where objects lie.
func layouts(p *ir.Program, al *alias.Result) []ir.Assumption {
	x := &looker{al: al, bits: 64, seen: map[*ir.Func]bool{},
		pieces: map[*alias.Region]bool{}}
	if p.NarrowPointers {
		x.bits = 32
	}
	for _, e := range p.Entries {
		for _, f := range x.al.Reachable(e) {
			x.seen[f] = true
		}
	}
	for _, f := range p.Funcs {
		if x.seen[f] {
			x.fns = append(x.fns, f)
		}
	}
	x.findPieces(p)
	for _, f := range x.fns {
		x.function(f)
	}
	return x.out
}

// numbersOfAddresses reports whether there may be numbers made of addresses at all: in
// type-safe programs they need a cast. Pointers are ordered there by package unsafe alone.
func numbersOfAddresses(p *ir.Program) bool {
	if !p.TypeSafe {
		return true
	}
	found := false
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for in := range slices.Values(b.Instrs) {
				for _, e := range ir.Operands(in) {
					ir.WalkExpr(e, func(e ir.Expr) bool {
						c, ok := e.(ir.Cast)
						found = found || ok && ir.IsInt(c.T) && ir.IsPtr(c.X.Type())
						return !found
					})
				}
			}
		}
	}
	return found
}

// tellsLayouts reports whether a C program with a main function may do what depends on
// where objects lie. Of drivers this is not asked.
func tellsLayouts(p *ir.Program, al *alias.Result) bool {
	return !p.TypeSafe && mainOf(p) != nil && len(layouts(p, al)) > 0
}

// looker looks for what depends on the layout.
type looker struct {
	al     *alias.Result
	bits   int // of an address
	fns    []*ir.Func
	seen   map[*ir.Func]bool
	pieces map[*alias.Region]bool // where addresses are stored
	passed bool                   // a number made of an address is a variadic argument
	f      *ir.Func
	bare   map[*ir.Reg]bool // registers of f whose values are not all made by arithmetic
	may    map[*ir.Reg]bool
	at     ir.Pos
	out    []ir.Assumption
}

func (x *looker) found() {
	a := ir.Assumption{Kind: "layout", Pos: x.at,
		Text: "what is done with an address here may depend on where objects lie, of which one way is followed"}
	if !slices.Contains(x.out, a) {
		x.out = append(x.out, a)
	}
}

func (x *looker) function(f *ir.Func) {
	x.f, x.may = f, map[*ir.Reg]bool{}
	x.findBare()
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			x.at = in.At()
			x.instr(in)
		}
		x.at = b.Term.At()
		for _, e := range ir.TermOperands(b.Term) {
			x.expr(e)
		}
	}
}

// findBare finds the registers that may hold a number as it was made of an address.
func (x *looker) findBare() {
	x.bare = map[*ir.Reg]bool{}
	for _, r := range x.f.Params {
		x.bare[r] = true
	}
	for changed := true; changed; {
		changed = false
		for in := range x.f.Instrs() {
			if a, is := in.(*ir.Assign); is && !x.copies(a.X) {
				continue
			}
			if l, is := in.(*ir.Load); is && ir.IsInt(l.Dst.Type) && !x.passed && variadicArgument(l.Addr) {
				continue
			}
			for _, r := range ir.Defs(in) {
				if r != nil && !x.bare[r] {
					x.bare[r], changed = true, true
				}
			}
		}
	}
}

// copies reports whether an expression is one of its operands as it is.
func (x *looker) copies(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.Use:
		return ir.IsPtr(e.Reg.Type) || x.bare[e.Reg]
	case ir.Cast:
		return x.copies(e.X)
	case ir.Select:
		return x.copies(e.X) || x.copies(e.Y)
	case ir.Binary, ir.Unary, ir.Const, ir.BoolConst, ir.Null:
		return false
	}
	return true
}

// wide reports whether numbers of a type hold an address.
func (x *looker) wide(t ir.Type) bool {
	i, ok := t.(ir.Int)
	return ok && i.Bits >= x.bits
}

// number reports whether an expression is a number that may be an address.
func (x *looker) number(e ir.Expr) bool {
	if !x.wide(e.Type()) {
		return false
	}
	switch e := e.(type) {
	case ir.Use:
		return x.bare[e.Reg] && x.points(e)
	case ir.Cast:
		return ir.IsPtr(e.X.Type()) && x.points(e.X) || x.number(e.X)
	case ir.Select:
		return x.number(e.X) || x.number(e.Y)
	}
	return false
}

// points reports whether a pointer, or a number of its size, may be an address.
func (x *looker) points(e ir.Expr) bool {
	u, isReg := e.(ir.Use)
	if isReg {
		if may, known := x.may[u.Reg]; known {
			return may
		}
	}
	os, others := x.al.Points(e, x.f)
	may := others || len(os) > 0
	if isReg {
		x.may[u.Reg] = may
	}
	return may
}

// address reports whether an expression may be an address or a number made of one.
func (x *looker) address(e ir.Expr) bool {
	return ir.IsPtr(e.Type()) && x.points(e) || x.number(e)
}

// inOne reports whether two addresses are of places of one object. Of pointers that are
// ordered, or subtracted, the language says that they are (C11 6.5.6 and 6.5.8), so that
// what stands for several objects is one of them; of numbers it says nothing.
func (x *looker) inOne(a, b ir.Expr) bool {
	os, others := x.al.Points(pointer(a), x.f)
	ps, others2 := x.al.Points(pointer(b), x.f)
	return !others && !others2 && len(os) == 1 && len(ps) == 1 && os[0] == ps[0] &&
		(os[0].Single || ir.IsPtr(a.Type()) && ir.IsPtr(b.Type()))
}

// pointer is what a number is made of.
func pointer(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(ir.Cast)
		if !ok {
			return e
		}
		e = c.X
	}
}

// expr looks at an expression and its operands.
func (x *looker) expr(e ir.Expr) {
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Binary:
			x.binary(e)
		case ir.Unary:
			if e.Op != "lnot" && x.address(e.X) {
				x.found()
			}
		case ir.IndexAddr:
			if x.number(e.Idx) {
				x.found()
			}
		case ir.Cast:
			if x.narrows(e.T) && x.address(e.X) {
				x.found()
			}
		}
		return true
	})
}

// narrows reports whether what is cast to a type loses a part, or is another value.
func (x *looker) narrows(t ir.Type) bool {
	_, isBool := t.(ir.Bool)
	return !isBool && !ir.IsPtr(t) && !x.wide(t)
}

func (x *looker) binary(e ir.Binary) {
	a, b := x.address(e.X), x.address(e.Y)
	if !a && !b {
		return
	}
	switch e.Op {
	case "eq", "ne":
		if behind(e.X) || behind(e.Y) {
			if x.inOne(e.X, e.Y) {
				return
			}
			break
		}
		if a && b || nowhere(e.X) || nowhere(e.Y) ||
			ir.IsPtr(e.X.Type()) && ir.IsPtr(e.Y.Type()) {
			return
		}
	case "lt", "le", "gt", "ge":
		if nowhere(e.X) || nowhere(e.Y) || a && b && x.inOne(e.X, e.Y) {
			return
		}
	case "sub":
		if a && b && x.inOne(e.X, e.Y) {
			return
		}
	}
	x.found()
}

// behind reports whether an expression is the end of a variable, which may be the address
// of another one.
func behind(e ir.Expr) bool {
	off := int64(0)
	for {
		switch y := e.(type) {
		case ir.Cast:
			e = y.X
		case ir.FieldAddr:
			e, off = y.Base, off+y.S.Fields[y.Index].Offset
		case ir.IndexAddr:
			i, known := y.Idx.(ir.Const)
			if !known || !i.Val.IsInt64() {
				return false
			}
			e, off = y.Base, off+y.Stride*i.Val.Int64()
		case ir.GlobalAddr:
			return off != 0 && off == y.Global.Type.Size()
		default:
			return false
		}
	}
}

// nowhere reports whether a number is one where no objects lie: null, small, or -1.
func nowhere(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.Null:
		return true
	case ir.Cast:
		return nowhere(e.X)
	case ir.Const:
		if !e.Val.IsInt64() {
			return e.Val.IsUint64() && int64(e.Val.Uint64()) >= -4096
		}
		v := e.Val.Int64()
		return v > -4096 && v < 4096
	}
	return false
}

func (x *looker) instr(in ir.Instr) {
	for _, e := range ir.Operands(in) {
		if e != nil {
			x.expr(e)
		}
	}
	switch i := in.(type) {
	case *ir.Assign, *ir.Store, *ir.Call, *ir.Spawn, *ir.CmpXchg:
		// copies
	case *ir.RMW:
		if i.Op != "xchg" && (x.address(i.Val) || i.Dst != nil && x.number(ir.Use{Reg: i.Dst})) {
			x.found()
		}
	case *ir.Load:
		if x.narrows(i.Dst.Type) && x.inPieces(in) {
			x.found()
		}
	default:
		for _, e := range ir.Operands(in) {
			if e != nil && x.number(e) {
				x.found()
			}
		}
	}
}

// variadicArgument reports whether an address is that of a variadic argument: an address
// that is passed there is read as one (C11 7.16.1.1), and as no number.
func variadicArgument(e ir.Expr) bool {
	f, ok := pointer(e).(ir.FieldAddr)
	return ok && f.S.Name == ir.VariadicSlot
}

// inPieces reports whether an instruction reads where addresses are stored.
func (x *looker) inPieces(in ir.Instr) bool {
	return slices.ContainsFunc(x.al.Accesses(in), func(a alias.Access) bool {
		return !a.Write && slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return x.pieces[r] })
	})
}

// findPieces finds where addresses are stored.
func (x *looker) findPieces(p *ir.Program) {
	for _, r := range x.al.Regions() {
		x.pieces[r] = slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
			return o.Global != nil && slices.ContainsFunc(o.Global.Init,
				func(c ir.InitCell) bool { return addressAt(c.Value) && overlaps(r, c.Offset) })
		})
	}
	for changed := true; changed; {
		changed = false
		for _, f := range x.fns {
			x.f, x.may = f, map[*ir.Reg]bool{}
			x.findBare()
			for in := range f.Instrs() {
				changed = x.stores(in) || changed
			}
		}
	}
}

// stores notes where an instruction stores an address; whether that is new.
func (x *looker) stores(in ir.Instr) bool {
	is := false
	switch i := in.(type) {
	case *ir.Store:
		is = x.address(i.Val)
		if variadicArgument(i.Addr) {
			more := is && ir.IsInt(i.Val.Type()) && !x.passed
			x.passed = x.passed || more
			return more
		}
	case *ir.RMW:
		is = x.address(i.Val)
	case *ir.CmpXchg:
		is = x.address(i.New)
	case *ir.MemCopy:
		is = x.inPieces(in)
	}
	if !is {
		return false
	}
	changed := false
	for _, a := range x.al.Accesses(in) {
		for _, r := range a.Regions {
			if a.Write && !x.pieces[r] {
				x.pieces[r], changed = true, true
			}
		}
	}
	return changed
}

// addressAt reports whether an initial value is an address.
func addressAt(e ir.Expr) bool {
	found := false
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e.(type) {
		case ir.GlobalAddr, ir.FuncAddr:
			found = true
		}
		return !found
	})
	return found
}

// overlaps reports whether the eight bytes at an offset of an object may be in a region.
func overlaps(r *alias.Region, off int64) bool {
	if r.Size == 0 {
		return true
	}
	if r.Elem > 0 {
		if off += 7; off < r.ArrayStart {
			return false
		}
		off = (off - 7 - r.ArrayStart) % r.Elem
	}
	return off < r.Offset+r.Size && r.Offset < off+8
}
