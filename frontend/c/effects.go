package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// memberSize is how much of its object a modelled function may access that is given the
// address of a member: the member (pointers stay within their objects, and the rest is
// not its). nil where the address is none of a member, or the member's size is not known.
func memberSize(v ir.Expr) ir.Expr {
	for {
		switch x := v.(type) {
		case ir.Cast:
			v = x.X
			continue
		case ir.IndexAddr:
			if k, ok := x.Idx.(ir.Const); ok && k.Val.Sign() == 0 {
				v = x.Base
				continue
			}
		case ir.FieldAddr:
			if x.S == nil || x.Index >= len(x.S.Fields) {
				return nil
			}
			if f := x.S.Fields[x.Index]; f.BitWidth == 0 && f.Type.Size() > 0 {
				return ir.IntConst(ir.U64, f.Type.Size())
			}
		}
		return nil
	}
}

// member follows a model's member path from an address.
func (a *apiCall) memberPath(v ir.Expr, path string) ir.Expr {
	for _, name := range strings.Split(path, ".") {
		p, _ := v.Type().(ir.Ptr)
		s, ok := p.Elem.(*ir.Struct)
		if !ok {
			return v
		}
		idx := search(s, name)
		for _, i := range idx {
			v = ir.FieldAddr{Base: v, S: s, Index: i}
			if sub, ok := s.Fields[i].Type.(*ir.Struct); ok {
				s = sub
			}
		}
	}
	return v
}

// bitLock is the address of a lock that is one bit of a word; ok is false where the bit
// is not one of the first eight, for which the bytes of the word serve as names.
func (a *apiCall) bitLock() (ir.Expr, bool) {
	bit, masked := a.role("mask")
	word := a.addr("lock")
	if !masked {
		return word, true
	}
	c, ok := bit.(ir.Const)
	if !ok || c.Val.Sign() < 0 || c.Val.Int64() > 7 {
		a.warn("bit-lock", a.x, a.name, "%s: the lock bit is not known to be one of the first eight, the lock is not counted", a.name)
		return nil, false
	}
	return ir.IndexAddr{Base: word, Idx: ir.IntConst(ir.I64, c.Val.Int64()), Stride: 1, T: ir.Ptr{Elem: ir.U8}}, true
}

// within is a pointer somewhere into the object of an argument, or null.
func (a *apiCall) within(arg string, t ir.Type) (ir.Expr, bool) {
	i := int(arg[len(arg)-1] - '0')
	pt, ok := t.(ir.Ptr)
	if !ok || i < 0 || i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
		return nil, false
	}
	return a.into(a.vs[i], pt), true
}

// sizeofType finds the type T in an allocation size: sizeof(T), n * sizeof(T).
func sizeofType(e cc.ExpressionNode) cc.Type {
	switch x := unparen(e).(type) {
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionSizeofType:
			return x.TypeName.Type()
		case cc.UnaryExpressionSizeofExpr:
			return x.UnaryExpression.Type()
		}
	case *cc.CastExpression:
		return sizeofType(x.CastExpression)
	case *cc.MultiplicativeExpression:
		if x.Case == cc.MultiplicativeExpressionMul {
			if t := sizeofType(x.CastExpression); t != nil {
				return t
			}
			return sizeofType(x.MultiplicativeExpression)
		}
	}
	return nil
}

// elemOf is the element type an allocation's size suggests, or nil.
func (a *apiCall) elemOf() ir.Type {
	i, ok := a.m.Arg["size"]
	if !ok || i >= len(a.es) {
		return nil
	}
	t := sizeofType(a.es[i])
	if t == nil || t.IsIncomplete() || t.Kind() == cc.Array {
		return nil
	}
	return a.types.Type(t)
}

// copied is the type a block copy moves: both pointers' target, where the size is a
// multiple of its size.
func copied(dst, src, size ir.Expr) ir.Type {
	d, ok := pointee(dst).(*ir.Struct)
	c, isConst := size.(ir.Const)
	if !ok || pointee(src) != ir.Type(d) || !isConst || d.Bytes == 0 || !c.Val.IsInt64() || c.Val.Int64()%d.Bytes != 0 {
		return nil
	}
	return d
}

// pointee is what a pointer points to, casts to void * aside.
func pointee(e ir.Expr) ir.Type {
	for {
		p, ok := e.Type().(ir.Ptr)
		if !ok {
			return nil
		}
		c, isCast := e.(ir.Cast)
		if isCast && ir.Equal(p.Elem, ir.Void{}) && ir.IsPtr(c.X.Type()) {
			e = c.X
			continue
		}
		return p.Elem
	}
}
