package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// atomicPlace reports whether the place that e names is _Atomic. cc's types do not tell:
// it is read off the declarator the expression starts from and the number of pointers and
// arrays passed on the way. Where that cannot be followed, the answer is no, which can
// only make an access look more racy.
func atomicPlace(e cc.ExpressionNode) bool {
	d, depth := root(e)
	return d != nil && atomicAt(d, depth)
}

// root returns the declarator that e is computed from and how many layers of its type
// have been taken off.
func root(e cc.ExpressionNode) (*cc.Declarator, int) {
	switch x := unparen(e).(type) {
	case *cc.PrimaryExpression:
		d, _ := x.ResolvedTo().(*cc.Declarator)
		return d, 0
	case *cc.PostfixExpression:
		return rootPostfix(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return root(x.UnaryExpression)
		case cc.UnaryExpressionDeref:
			d, n := root(x.CastExpression)
			return d, n + 1
		case cc.UnaryExpressionAddrof:
			d, n := root(x.CastExpression)
			return d, n - 1
		}
	case *cc.AdditiveExpression:
		if x.AdditiveExpression.Type().Decay().Kind() == cc.Ptr {
			return root(x.AdditiveExpression)
		}
		return root(x.MultiplicativeExpression)
	}
	return nil, 0
}

func rootPostfix(x *cc.PostfixExpression) (*cc.Declarator, int) {
	switch x.Case {
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return root(x.PostfixExpression)
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if f := x.Field(); f != nil {
			return f.Declarator(), 0
		}
	case cc.PostfixExpressionIndex:
		var base cc.ExpressionNode = x.PostfixExpression
		if base.Type().Decay().Kind() != cc.Ptr {
			base = x.ExpressionList
		}
		d, n := root(base)
		return d, n + 1
	}
	return nil, 0
}

// atomicAt reports whether d's type with depth layers taken off is _Atomic. An array is
// what its elements are.
func atomicAt(d *cc.Declarator, depth int) bool {
	for i := 0; d != nil && depth >= 0 && i < 16; i++ {
		ls := layers(d)
		if depth < len(ls) {
			return ls[depth]
		}
		depth -= len(ls)
		if depth == 0 && d.IsAtomic() {
			return true
		}
		t := d.Type()
		for range ls {
			t = under(t)
		}
		if t == nil || t.Typedef() == d {
			return false
		}
		d = t.Typedef()
	}
	return false
}

// under takes one layer off a type.
func under(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	case *cc.FunctionType:
		return x.Result()
	}
	return nil
}

// layers lists the pointers, arrays and functions of a declarator, outermost first:
// whether each is _Atomic.
func layers(d *cc.Declarator) []bool {
	if d == nil {
		return nil
	}
	out := directLayers(d.DirectDeclarator)
	n := len(out)
	for p := d.Pointer; p != nil; p = p.Pointer {
		atomic := false
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierAtomic {
				atomic = true
			}
		}
		out = append(out[:n], append([]bool{atomic}, out[n:]...)...)
	}
	return out
}

func directLayers(d *cc.DirectDeclarator) []bool {
	if d == nil {
		return nil
	}
	switch d.Case {
	case cc.DirectDeclaratorIdent:
		return nil
	case cc.DirectDeclaratorDecl:
		return layers(d.Declarator)
	}
	return append(directLayers(d.DirectDeclarator), false)
}

// constObject reports whether the object d declares is itself const, not what it points
// to: an array is where its elements are. The parser's attributes of pointer types mix
// the two up, so the text of the declarator decides where it has a pointer.
func constObject(d *cc.Declarator) bool {
	if isConst, pointer := constPointer(d); pointer {
		return isConst
	}
	t := d.Type()
	for t.Kind() == cc.Array {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return false
		}
		t = a.Elem()
	}
	if t.Kind() == cc.Ptr { // of a typedef's name
		return d.IsConst()
	}
	return d.IsConst() || t.Attributes().IsConst()
}

// constPointer reports whether a declarator makes its name a pointer, or an array of
// pointers, and whether these are const.
func constPointer(d *cc.Declarator) (isConst, pointer bool) {
	if d == nil {
		return false, false
	}
	function := false
	for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
		switch dd.Case {
		case cc.DirectDeclaratorDecl:
			if isConst, pointer = constPointer(dd.Declarator); pointer {
				return isConst, true
			}
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			function = true
		}
	}
	if function {
		return false, true
	}
	last := d.Pointer
	for last != nil && last.Pointer != nil {
		last = last.Pointer
	}
	if last == nil {
		return false, false
	}
	for q := last.TypeQualifiers; q != nil; q = q.TypeQualifiers {
		if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierConst {
			return true, true
		}
	}
	return false, true
}

// unitOf finds the bit-field of that name whose storage unit is at an offset in t.
func unitOf(t ir.Type, off int64, name string) *ir.Field {
	switch x := t.(type) {
	case ir.Array:
		if n := x.Elem.Size(); n > 0 {
			return unitOf(x.Elem, off%n, name)
		}
	case *ir.Struct:
		for i := range x.Fields {
			f := &x.Fields[i]
			if f.BitWidth > 0 {
				if f.Name == name && f.Offset == off {
					return f
				}
				continue
			}
			if n := f.Type.Size(); off >= f.Offset && off < f.Offset+n {
				if b := unitOf(f.Type, off-f.Offset, name); b != nil {
					return b
				}
			}
		}
	}
	return nil
}
