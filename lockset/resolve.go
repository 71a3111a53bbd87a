package lockset

import "whoop/ir"

// typedBase is a struct object on the way of an address: base points to an s, and the
// address is off bytes into it (exact), or somewhere inside it.
type typedBase struct {
	s     *ir.Struct
	base  ir.Expr
	off   int64
	exact bool
}

// typedBases lists the structs whose members an address expression goes through,
// innermost first. It relies on member accesses staying within their object.
func typedBases(e ir.Expr) []typedBase {
	var out []typedBase
	off, exact := int64(0), true
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			off += x.S.Fields[x.Index].Offset
			out = append(out, typedBase{x.S, x.Base, off, exact})
			e = x.Base
		case ir.IndexAddr:
			if c, ok := x.Idx.(ir.Const); ok && c.Val.IsInt64() {
				off += c.Val.Int64() * x.Stride
			} else {
				exact = false
			}
			e = x.Base
		case ir.Cast:
			if !ir.IsPtr(x.T) || !ir.IsPtr(x.X.Type()) {
				return out
			}
			e = x.X
		default:
			return out
		}
	}
}

// resolver looks through registers that hold addresses: a register assigned at one place,
// which dominates the use, is its definition.
type resolver struct {
	cfg  *ir.CFG
	defs map[*ir.Reg][]defPlace
}

// defPlace is a definition's place in a body.
type defPlace struct {
	block *ir.Block
	index int
	in    ir.Instr
}

func newResolver(f *ir.Func) *resolver {
	r := &resolver{cfg: ir.NewCFG(f), defs: map[*ir.Reg][]defPlace{}}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			for _, d := range ir.Defs(in) {
				r.defs[d] = append(r.defs[d], defPlace{b, i, in})
			}
		}
	}
	return r
}

// expand replaces registers in e, used at instruction index i of block b, by their
// definitions where that does not change the value.
func (r *resolver) expand(e ir.Expr, b *ir.Block, i int) ir.Expr { return r.expandDepth(e, b, i, 12) }

func (r *resolver) expandDepth(e ir.Expr, b *ir.Block, i, depth int) ir.Expr {
	switch x := e.(type) {
	case ir.FieldAddr:
		x.Base = r.expandDepth(x.Base, b, i, depth)
		return x
	case ir.IndexAddr:
		x.Base = r.expandDepth(x.Base, b, i, depth)
		return x
	case ir.Cast:
		x.X = r.expandDepth(x.X, b, i, depth)
		return x
	case ir.Use:
		if depth == 0 || x.Reg.Ghost || len(r.defs[x.Reg]) != 1 {
			return e
		}
		d := r.defs[x.Reg][0]
		as, ok := d.in.(*ir.Assign)
		if !ok || !r.before(d, b, i) || !r.stable(as.X, d) {
			return e
		}
		return r.expandDepth(as.X, d.block, d.index, depth-1)
	}
	return e
}

// before reports whether definition d is executed before every execution of the place.
func (r *resolver) before(d defPlace, b *ir.Block, i int) bool {
	if d.block == b {
		return d.index < i
	}
	return r.cfg.Dominates(d.block, b)
}

// stable reports whether the registers of a definition's right side have one definition
// each, before d: then whenever they change, d is executed again before its next use.
func (r *resolver) stable(e ir.Expr, d defPlace) bool {
	ok := true
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, isUse := e.(ir.Use); isUse && !u.Reg.Ghost {
			ds := r.defs[u.Reg]
			ok = ok && (len(ds) == 0 || (len(ds) == 1 && r.before(ds[0], d.block, d.index)))
		}
		return ok
	})
	return ok
}
