package c

import (
	"regexp"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// onlyLoaded reports whether the address of a variable of a statement expression is taken
// for __atomic_load alone, as in what gcc's <stdatomic.h> makes of atomic_load: the
// variable may be in a register then, and a loop that waits for the value has nothing to
// write.
func (l *lowerer) onlyLoaded(d *cc.Declarator) bool {
	if l.within == "" {
		return false
	}
	name := regexp.QuoteMeta(d.Name())
	taken := regexp.MustCompile(`&\s*\(*\s*`+name+`\b`).FindAllString(l.within, -1)
	loads := regexp.MustCompile(`\b__atomic_load\s*\([^;{}]*?,\s*&\s*`+name+`\s*,[^;{}]*\)\s*;`).FindAllString(l.within, -1)
	return len(loads) > 0 && len(taken) == len(loads)
}

// registerAt is the register whose address is written, nil where it is not one.
func (l *lowerer) registerAt(e cc.ExpressionNode) *ir.Reg {
	u, ok := unparen(e).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof {
		return nil
	}
	p, ok := unparen(u.CastExpression).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	if d, ok := p.ResolvedTo().(*cc.Declarator); ok {
		return l.locals[d].reg
	}
	return nil
}
