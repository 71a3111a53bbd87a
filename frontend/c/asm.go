package c

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// asm makes what inline assembly may write arbitrary, reads its inputs, and may go to any
// of its labels.
func (l *lowerer) asm(n *cc.AsmStatement) {
	if barrier(n) || l.atomicAsm(n) {
		return
	}
	l.asms = append(l.asms, placedAt{l.cur, pos(n.Position())})
	section, ties := 0, l.tied(n)
	var targets []*ir.Block
	memory := !l.u.core && memoryClobber.MatchString(cc.NodeSource(n))
	for a := n.Asm.AsmArgList; a != nil; a = a.AsmArgList {
		section++
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			switch section {
			case 1:
				if memory && inAndOut.MatchString(cc.NodeSource(e.AssignmentExpression)) {
					l.asmReaches(e.AssignmentExpression)
				}
				l.asmOutput(e.AssignmentExpression, ties[e.AssignmentExpression])
			case 2:
				l.asmInput(e.AssignmentExpression)
				if memory {
					l.asmReaches(e.AssignmentExpression)
				}
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

// memoryClobber is what assembly says that accesses memory beside its operands, inAndOut
// the start of an operand that it also reads.
var memoryClobber, inAndOut = regexp.MustCompile(`:[^:]*"memory"[^:]*$`), regexp.MustCompile(`^"\+`)

// asmReaches is an access to what an operand leads to, of assembly that says so. The
// kernel's own assembly has addresses of user space there.
func (l *lowerer) asmReaches(e cc.ExpressionNode) {
	x := asmOperand(e)
	if x == nil || isStruct(x.Type()) {
		return
	}
	v := addressIn(l.expr(x))
	if p, ok := v.Type().(ir.Ptr); ok && !isNull(v) {
		if _, fn := p.Elem.(ir.FuncType); !fn {
			l.emit(&ir.Touch{Base: at(e), Addr: v, Read: true, Write: true, Deep: true,
				Perhaps: true, Why: "inline assembly"})
		}
	}
}

// placedAt is a place in the source, and the block of what is there.
type placedAt struct {
	b  *ir.Block
	at ir.Pos
}

// assumeAsm says what is taken for granted of the inline assembly in blocks that are
// kept: the cases of switch (sizeof(x)) for other sizes are none.
func (l *lowerer) assumeAsm(kept map[*ir.Block]bool) {
	for _, x := range l.asms {
		if kept[x.b] {
			l.p.Assume("inline-asm", x.at, "inline assembly: its outputs are arbitrary, it touches no other shared memory and takes no locks")
		}
	}
}

// emptyAsm is inline assembly without instructions and operands: it keeps the compiler
// from moving accesses, which none is here.
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

// tied finds the outputs of assembly that yields an input: without instructions (what
// hides a value from the compiler does that), or with one that adds where the data of
// this processor are. What it adds is arbitrary.
func (l *lowerer) tied(n *cc.AsmStatement) map[cc.ExpressionNode]ir.Expr {
	m := asmText.FindStringSubmatch(cc.NodeSource(n))
	if m == nil {
		return nil
	}
	perCPU := strings.Contains(m[1], "gs")
	var outs []cc.ExpressionNode
	ties, section := map[cc.ExpressionNode]ir.Expr{}, 0
	for a := n.Asm.AsmArgList; a != nil; a = a.AsmArgList {
		section++
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			x := asmOperand(e.AssignmentExpression)
			switch {
			case x == nil:
				return nil
			case section == 1:
				outs = append(outs, e.AssignmentExpression)
			case section == 2:
				k := asmTie.FindStringSubmatch(cc.NodeSource(e.AssignmentExpression))
				if k == nil || int(k[1][0]-'0') >= len(outs) || !scalar(l.types.Type(x.Type().Decay())) {
					continue
				}
				v := ir.Expr(ir.Cast{X: l.expr(x), T: ir.U64})
				if perCPU {
					v = ir.Binary{Op: "add", X: v, Y: l.havoc(x, ir.U64)}
				}
				ties[outs[k[1][0]-'0']] = l.hold(n, v)
			}
		}
	}
	return ties
}

// asmText finds the instructions that tied knows, asmTie an operand that is in the place
// of an output.
var (
	asmText = regexp.MustCompile(`^(?:asm|__asm__|__asm)\s*(?:volatile|__volatile__|__volatile)?\s*\(\s*(""\s*:|(?:"add[lq]? "\s*"%%"\s*"gs"\s*":"|"add[lq]? %%gs:))`)
	asmTie  = regexp.MustCompile(`^"([0-9])"`)
)

// scalar reports whether values of t are integers or pointers.
func scalar(t ir.Type) bool { return ir.IsInt(t) || ir.IsPtr(t) }

// asmOutput havocs an output operand, or gives it the value of the input that it is tied
// to.
func (l *lowerer) asmOutput(e cc.ExpressionNode, v ir.Expr) {
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
	t := l.types.Type(lv.ct)
	if v != nil && scalar(t) && t.Size() == 8 {
		l.store(e, lv, l.conv(e, v, t))
		return
	}
	l.store(e, lv, l.havoc(e, t))
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
