package c

import (
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// An enumeration without negative values is unsigned, but its constants are of type int
// where they fit. cc gives the constants the type of the enumeration, and so a type to
// expressions that they are part of that is not theirs.

// intEnumerator reports whether an identifier is a constant of an enumeration that fits
// an int.
func intEnumerator(x *cc.PrimaryExpression) bool {
	if _, ok := x.ResolvedTo().(*cc.Enumerator); !ok {
		return false
	}
	if n, ok := intValue(x); ok && n.IsInt64() && n.Int64() == int64(int32(n.Int64())) {
		return true
	}
	en := x.ResolvedTo().(*cc.Enumerator)
	return en.Case == cc.EnumeratorExpr && en.ConstantExpression.Type().Kind() == cc.UInt && isInt(en.ConstantExpression)
}

// enumerator is the value of a constant of an enumeration that fits an int. What it is
// made of may be such constants, too, of which cc makes a large number where they yield a
// negative one.
func (l *lowerer) enumerator(x *cc.PrimaryExpression) (*big.Int, bool) {
	en, ok := x.ResolvedTo().(*cc.Enumerator)
	if !ok {
		return nil, false
	}
	if en.Case == cc.EnumeratorExpr {
		if n, ok := l.enumerated(en.ConstantExpression); ok {
			if n.Sign() < 0 {
				l.warn("unmodelled", x, en.Token.SrcStr(), "the enumeration of %s, a negative constant that is made of others, is taken for an unsigned one", en.Token.SrcStr())
			}
			return n, true
		}
	}
	n, ok := intValue(x)
	return n, ok && intEnumerator(x)
}

// arithType is the type of an expression.
func (l *lowerer) arithType(e cc.ExpressionNode) ir.Type {
	t := l.types.Type(e.Type().Decay())
	if ir.Equal(t, ir.U32) && isInt(e) {
		return ir.I32
	}
	return t
}

// enumerated is the value of a constant expression that cc computes as an unsigned one
// and that is an int; ok is false of others.
func (l *lowerer) enumerated(e cc.ExpressionNode) (n *big.Int, ok bool) {
	if c, is := e.(*cc.ConstantExpression); is {
		e = c.ConditionalExpression
	}
	if !ir.Equal(l.types.Type(e.Type().Decay()), ir.U32) || !isInt(e) {
		return nil, false
	}
	static := l.static
	l.static = true
	defer func() { l.static = static }()
	c, ok := l.expr(e).(ir.Const)
	return c.Val, ok
}

// isInt reports whether an expression is of type int, or promoted to it.
func isInt(e cc.ExpressionNode) bool {
	if x, ok := e.(*cc.ConstantExpression); ok {
		e = x.ConditionalExpression
	}
	if x, ok := e.(*cc.ExpressionList); ok {
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		e = x.AssignmentExpression
	}
	switch x := unparen(e).(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent && intEnumerator(x) {
			return true
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return isInt(x.CastExpression)
		}
	case *cc.MultiplicativeExpression:
		return isInt(x.MultiplicativeExpression) && isInt(x.CastExpression)
	case *cc.AdditiveExpression:
		return isInt(x.AdditiveExpression) && isInt(x.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return isInt(x.ShiftExpression)
	case *cc.AndExpression:
		return isInt(x.AndExpression) && isInt(x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return isInt(x.ExclusiveOrExpression) && isInt(x.AndExpression)
	case *cc.InclusiveOrExpression:
		return isInt(x.InclusiveOrExpression) && isInt(x.ExclusiveOrExpression)
	case *cc.ConditionalExpression:
		if x.ExpressionList == nil {
			return isInt(x.LogicalOrExpression) && isInt(x.ConditionalExpression)
		}
		return isInt(x.ExpressionList) && isInt(x.ConditionalExpression)
	}
	t := e.Type()
	return cc.IsIntegerType(t) && (t.Kind() == cc.Int || t.Size() < 4)
}
