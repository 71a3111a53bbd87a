package c

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// # Atomic instructions
//
// Inline assembly is arbitrary but for a few instructions of x86, of which kernels make
// xchg, cmpxchg and what adds: these are what they are. An exchange of pointers that
// yields anything would make all that is reached through it memory of unknown origin.
//
//	xchg R, M           R and M swap; it is atomic without a prefix
//	lock xadd R, M      R gets what was in M, to which R is added
//	lock cmpxchg R, M   if M holds what is in the accumulator, it gets R; the
//	                    accumulator gets what was in M, and a flag says what happened
//
// R is an operand in a register, M one in memory. The assembly must be the one
// instruction, with no other operands than these, of which the sizes are those of the
// instruction. Intel's manual has all three as accesses in the order of all locked ones
// (vol. 3, 9.2.3.9), so they are sequentially consistent.

// An asmValue is an operand of inline assembly.
type asmValue struct {
	name, constraint string
	x                cc.ExpressionNode
}

// asmInstr is what atomicAsm knows, with the references to both operands.
var asmInstr = regexp.MustCompile(`^(lock |)(xchg|xadd|cmpxchg)([bwlq]) %[bwkq]?([0-9]|\[\w+\]), ?%([0-9]|\[\w+\])$`)

var (
	asmComment = regexp.MustCompile(`/\*[^*]*\*/`)
	asmLabel   = regexp.MustCompile(`^[0-9]+:\s*`)
	asmSpaces  = regexp.MustCompile(`\s+`)
	asmLiteral = regexp.MustCompile(`^\s*"((?:[^"\\]|\\.)*)"`)
	asmStart   = regexp.MustCompile(`^(?:asm|__asm__|__asm)\s*(?:volatile|__volatile__|__volatile)?\s*\(`)
	asmSizes   = map[string]int64{"b": 1, "w": 2, "l": 4, "q": 8}
)

// atomicAsm lowers assembly that is one atomic instruction, and reports whether it is.
func (l *lowerer) atomicAsm(n *cc.AsmStatement) bool {
	m := asmInstr.FindStringSubmatch(instructions(cc.NodeSource(n)))
	if m == nil || m[1] == "" && m[2] != "xchg" {
		return false
	}
	outs, ins, ok := asmValues(n)
	if !ok {
		return false
	}
	all := slices.Concat(outs, ins)
	r, mem := asmNamed(all, m[4]), asmNamed(all, m[5])
	if r < 0 || mem < 0 || mem >= len(outs) || all[mem].constraint != "+m" {
		return false
	}
	place, ok := l.asmPlace(all[mem].x, asmSizes[m[3]])
	if !ok || place.reg != nil {
		return false
	}
	if m[2] == "cmpxchg" {
		return l.asmCompare(n, place, outs, ins, r, mem)
	}
	reg, ok := l.asmPlace(all[r].x, asmSizes[m[3]])
	if !ok || len(outs) != 2 || len(ins) > 0 || !inRegister(all[r].constraint, "+") ||
		m[2] == "xadd" && !ir.IsInt(l.types.Type(place.ct)) {
		return false
	}
	op := map[string]string{"xchg": "xchg", "xadd": "add"}[m[2]]
	t := l.types.Type(place.ct)
	v := l.hold(n, l.conv(n, l.load(all[r].x, reg), t))
	old := l.temp(t)
	l.emit(&ir.RMW{Base: at(n), Dst: old, Op: op, Addr: place.addr, Val: v, Order: ir.SeqCst})
	l.store(n, reg, l.conv(n, ir.Use{Reg: old}, l.types.Type(reg.ct)))
	return true
}

// asmCompare lowers a cmpxchg of operand r into a place.
func (l *lowerer) asmCompare(n *cc.AsmStatement, place lvalue, outs, ins []asmValue, r,
	mem int) bool {
	size := l.types.Type(place.ct).Size()
	if r -= len(outs); r < 0 || !inRegister(ins[r].constraint, "") {
		return false
	}
	var acc, flag, expected = -1, -1, cc.ExpressionNode(nil)
	for i, o := range outs {
		switch {
		case i == mem:
		case (o.constraint == "+a" || o.constraint == "=a") && acc < 0:
			acc = i
		case o.constraint == "=@ccz" && flag < 0:
			flag = i
		default:
			return false
		}
	}
	if acc < 0 {
		return false
	}
	if outs[acc].constraint == "+a" {
		expected = outs[acc].x
	}
	for i, o := range ins {
		switch {
		case i == r:
		case expected == nil && (o.constraint == "a" || o.constraint == string(rune('0'+acc))):
			expected = o.x
		default:
			return false
		}
	}
	if expected == nil {
		return false
	}
	to, ok := l.asmPlace(outs[acc].x, size)
	if !ok || l.types.Type(expected.Type().Decay()).Size() != size ||
		l.types.Type(ins[r].x.Type().Decay()).Size() != size {
		return false
	}
	done, t := lvalue{}, l.types.Type(place.ct)
	if flag >= 0 {
		if done, ok = l.asmPlace(outs[flag].x, 0); !ok {
			return false
		}
	}
	want := l.hold(n, l.conv(n, l.expr(expected), t))
	news := l.hold(n, l.conv(n, l.expr(ins[r].x), t))
	old, same := l.temp(t), l.temp(ir.Bool{})
	l.emit(&ir.CmpXchg{Base: at(n), Dst: old, OK: same, Addr: place.addr, Expected: want,
		New: news, Order: ir.SeqCst})
	l.store(n, to, l.conv(n, ir.Use{Reg: old}, l.types.Type(to.ct)))
	if flag >= 0 {
		l.store(n, done, l.conv(n, ir.Use{Reg: same}, l.types.Type(done.ct)))
	}
	return true
}

// instructions is the text of assembly without directives, labels and comments, in one
// line; empty where it is not understood.
func instructions(src string) string {
	at := asmStart.FindStringIndex(strings.TrimSpace(src))
	if at == nil {
		return ""
	}
	src = strings.TrimSpace(src)[at[1]:]
	var text strings.Builder
	for m := asmLiteral.FindStringSubmatch(src); m != nil; m = asmLiteral.FindStringSubmatch(src) {
		text.WriteString(strings.NewReplacer(`\n`, "\n", `\t`, " ", `\"`, `"`).Replace(m[1]))
		src = src[len(m[0]):]
	}
	var out []string
	for _, line := range strings.FieldsFunc(asmComment.ReplaceAllString(text.String(), ""),
		func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(asmLabel.ReplaceAllString(strings.TrimSpace(asmSpaces.ReplaceAllString(line, " ")), ""))
		if line != "" && line[0] != '.' {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// asmValues are the outputs and the inputs of assembly; ok is false where there is
// something else.
func asmValues(n *cc.AsmStatement) (outs, ins []asmValue, ok bool) {
	section := 0
	for a := n.Asm.AsmArgList; a != nil; a = a.AsmArgList {
		section++
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			v := asmValue{x: asmOperand(e.AssignmentExpression)}
			switch {
			case section > 2:
				continue
			case v.x == nil:
				return nil, nil, false
			}
			if e.AsmIndex != nil {
				v.name = strings.TrimSpace(cc.NodeSource(e.AsmIndex))
			}
			src := cc.NodeSource(e.AssignmentExpression)
			for m := asmLiteral.FindStringSubmatch(src); m != nil; m = asmLiteral.FindStringSubmatch(src) {
				v.constraint += m[1]
				src = src[len(m[0]):]
			}
			if section == 1 {
				outs = append(outs, v)
			} else {
				ins = append(ins, v)
			}
		}
	}
	return outs, ins, section <= 3 // labels to jump to are a fourth
}

// asmNamed is the operand that a reference leads to, or -1.
func asmNamed(all []asmValue, ref string) int {
	if ref[0] != '[' {
		if i := int(ref[0] - '0'); i < len(all) {
			return i
		}
		return -1
	}
	return slices.IndexFunc(all, func(v asmValue) bool { return v.name == ref })
}

// inRegister reports whether a constraint wants any register, after a prefix.
func inRegister(constraint, prefix string) bool {
	c, ok := strings.CutPrefix(constraint, prefix)
	return ok && (c == "r" || c == "q" || c == "a")
}

// asmPlace is the place of an operand that is a scalar of a size (0: of any).
func (l *lowerer) asmPlace(x cc.ExpressionNode, size int64) (lvalue, bool) {
	if t := l.types.Type(x.Type()); !scalar(t) || size != 0 && t.Size() != size {
		return lvalue{}, false
	}
	lv, ok := l.tryLvalue(x)
	return lv, ok && lv.bit == nil && (lv.reg != nil || lv.addr != nil)
}
