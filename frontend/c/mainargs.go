package c

import (
	"strings"
	"unicode"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// mainArgs states what holds of the parameters of main when the program starts (C11
// 5.1.2.2.1): argc is not negative, argv is not null. What argv's elements are is stated
// where they are read, see argument; that they are as at the start is known where main
// does nothing else with argv.
func (l *lowerer) mainArgs(def *cc.FunctionDefinition) {
	if l.f.Name != "main" || len(l.f.Params) < 2 {
		return
	}
	argc, argv := l.f.Params[0], l.f.Params[1]
	t, ok := argc.Type.(ir.Int)
	if !ok || !ir.IsPtr(argv.Type) {
		return
	}
	b := at(def)
	body := cc.NodeSource(def.CompoundStatement)
	if !strings.Contains(body, argc.Name) && !strings.Contains(body, argv.Name) {
		return // how many there are is not asked
	}
	l.emit(&ir.Assume{Base: b, Cond: ir.Binary{Op: "ge", X: ir.Use{Reg: argc}, Y: ir.IntConst(t, 0)}})
	if !strings.Contains(body, argv.Name) {
		return
	}
	l.emit(&ir.Assume{Base: b, Cond: ir.Cast{X: ir.Use{Reg: argv}, T: ir.Bool{}}})
	if onlyRead(body, argv.Name) {
		count := l.reg("$argc", t)
		l.emit(&ir.Assign{Base: b, Dst: count, X: ir.Use{Reg: argc}})
		l.argc, l.argv = count, argv.Name
	}
}

// onlyRead reports whether a text has name only in name[…] whose value is used: neither
// set, nor is its address taken.
func onlyRead(text, name string) bool {
	word := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || unicode.IsLetter(rune(text[i])) || unicode.IsDigit(rune(text[i])))
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return true
		}
		i += from
		from = i + len(name)
		if word(i-1) || word(from) {
			continue
		}
		rest := strings.TrimSpace(text[from:])
		end := closing(rest)
		before := strings.TrimSpace(text[:i])
		if end < 0 || before == "" || strings.ContainsAny(before[len(before)-1:], "&+-.>") || !strings.ContainsAny(next(rest[end:]), "),;[!?:<>|=") {
			return false
		}
	}
}

// closing is the offset after the bracket that ends the index a text begins with, -1
// where it begins with none.
func closing(s string) int {
	depth := 0
	for i, c := range s {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// next is the first character of what follows an index, with "==" as one and "=" as none
// of interest.
func next(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "]"))
	switch {
	case s == "" || s[0] == '=' && !strings.HasPrefix(s, "=="):
		return "{"
	}
	return s[:1]
}

// argument is v, what x reads; of an element of main's argv it is stated that those
// before argc are strings and the one at argc is null.
func (l *lowerer) argument(x *cc.PostfixExpression, lv lvalue, v ir.Expr) ir.Expr {
	if l.argc == nil || x.Case != cc.PostfixExpressionIndex || !ir.IsPtr(v.Type()) {
		return v
	}
	p, ok := unparen(x.PostfixExpression).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return v
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	if !ok || !d.IsParam() || d.Name() != l.argv {
		return v
	}
	a, ok := lv.addr.(ir.IndexAddr)
	if !ok {
		return v
	}
	given, i, n := ir.Cast{X: v, T: ir.Bool{}}, ir.Cast{X: a.Idx, T: ir.I64}, ir.Cast{X: ir.Use{Reg: l.argc}, T: ir.I64}
	is := func(op string) ir.Expr { return ir.Binary{Op: op, X: i, Y: n} }
	l.emit(&ir.Assume{Base: at(x), Cond: ir.Binary{Op: "lor", X: ir.Binary{Op: "lor", X: is("gt"), Y: ir.Binary{Op: "lt", X: i, Y: ir.IntConst(ir.I64, 0)}}, Y: ir.Binary{Op: "eq", X: given, Y: is("lt")}}})
	return v
}
