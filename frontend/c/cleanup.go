package c

import (
	"regexp"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// A variable with the attribute cleanup(f) is given up by f(&variable), wherever its
// block is left: what the kernel's guard() and __free() are made of.

var cleanupAttr = regexp.MustCompile(`\bcleanup(?:__)?\s*\(\s*([A-Za-z_]\w*)\s*\)`)

// withCleanup lowers a local's declaration, the attributes of which are given as text.
func (l *lowerer) withCleanup(d *cc.InitDeclarator, attributes string) {
	m := cleanupAttr.FindStringSubmatch(attributes)
	if m == nil || d.Declarator.IsTypename() || d.Declarator.IsStatic() || d.Declarator.IsExtern() {
		l.local(d.Declarator, d.Initializer)
		return
	}
	f := l.unit.function(m[1])
	if f == nil || f.Extern || len(f.Params) != 1 {
		l.fail(d, "variable with a cleanup function that is not defined here: %s", m[1])
	}
	l.revive()
	l.memoryLocal(d.Declarator, l.types.Type(d.Declarator.Type()), d.Initializer)
	s := l.scopes[len(l.scopes)-1]
	if s.cleanups == nil {
		s.cleanups = map[*ir.Reg]*ir.Func{}
	}
	addr, ok := l.locals[d.Declarator].addr.(ir.Use)
	if !ok || s.skips {
		l.fail(d, "variable with a cleanup function in the body of a switch")
	}
	s.cleanups[addr.Reg] = f
	l.cleans = d
}

// cleanUp calls a cleanup function with the address of its variable.
func (l *lowerer) cleanUp(f *ir.Func, addr ir.Expr, at ir.Pos) {
	if l.cur == nil {
		return
	}
	c := &ir.Call{Base: ir.Base{Pos: at}, Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{ir.Cast{X: addr, T: f.Params[0].Type}}}
	if !ir.Equal(f.Result, ir.Void{}) {
		c.Dst = l.temp(f.Result)
	}
	l.emit(c)
}

// cleanOnly gives up where gotos may leave, or enter, the blocks of variables with
// cleanup functions.
func (l *lowerer) cleanOnly() {
	if l.cleans != nil && l.scopes[0].jumps {
		l.fail(l.cleans, "variable with a cleanup function, beside goto")
	}
}
