package c

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// asm makes what inline assembly may write arbitrary, reads its inputs, and may go to any of its labels.
func (l *lowerer) asm(n *cc.AsmStatement) {
	if barrier(n) {
		return
	}
	l.p.Assume("inline-asm", pos(n.Position()), "inline assembly: its outputs are arbitrary, it touches no other shared memory and takes no locks")
	section := 0
	var targets []*ir.Block
	for a := n.Asm.AsmArgList; a != nil; a = a.AsmArgList {
		section++
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			switch section {
			case 1:
				l.asmOutput(e.AssignmentExpression)
			case 2:
				l.asmInput(e.AssignmentExpression)
			case 4:
				if p, ok := unparen(e.AssignmentExpression).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
					targets = append(targets, l.label(p.Token.SrcStr()))
				}
			}
		}
	}
	if len(targets) > 0 {
		next := l.block("asm")
		l.jump(pos(n.Position()), append(targets, next)...)
		l.start(next)
	}
}

// emptyAsm is inline assembly without instructions and operands: it keeps the compiler from moving accesses, which none is here.
var emptyAsm = regexp.MustCompile(`^(asm|__asm__|__asm)\s*(volatile|__volatile__|__volatile)?\s*\(\s*""\s*(:\s*(:\s*(:\s*("memory"|"cc")?(\s*,\s*("memory"|"cc"))*)?)?)?\s*\)\s*;?$`)

func barrier(n *cc.AsmStatement) bool {
	return emptyAsm.MatchString(strings.TrimSpace(cc.NodeSource(n)))
}

// asmOperand is x of the operand "=r"(x), which cc parses as a call on a string literal.
func asmOperand(e cc.ExpressionNode) cc.ExpressionNode {
	if i, ok := unparen(e).(*cc.PostfixExpression); ok && i.Case == cc.PostfixExpressionCall && i.ArgumentExpressionList != nil {
		return i.ArgumentExpressionList.AssignmentExpression
	}
	return nil
}

// asmOutput havocs an output operand.
func (l *lowerer) asmOutput(e cc.ExpressionNode) {
	x := asmOperand(e)
	if x == nil {
		return
	}
	lv, ok := l.tryLvalue(x)
	if !ok {
		l.fail(e, "output operand of inline assembly that is not a place")
	}
	if isStruct(lv.ct) || lv.ct.Kind() == cc.Array {
		l.emit(&ir.Touch{Base: at(e), Addr: lv.addr, Read: true, Write: true, Why: "inline assembly"})
		return
	}
	l.store(e, lv, l.havoc(e, l.types.Type(lv.ct)))
}

// asmInput reads an input operand.
func (l *lowerer) asmInput(e cc.ExpressionNode) {
	x := asmOperand(e)
	if x == nil {
		return
	}
	lv, ok := l.tryLvalue(x)
	switch {
	case !ok:
		l.effect(x)
	case isStruct(lv.ct):
		l.emit(&ir.Touch{Base: at(e), Addr: lv.addr, Read: true, Why: "inline assembly"})
	default:
		l.load(x, lv)
	}
}
