package check

import (
	"fmt"

	"whoop/ir"
	"whoop/pipeline/memcleanup"
)

// beyond says what of memory safety bmc does not follow in the program; "" where it
// follows all: memory that may be lost, variables that are used after their functions
// have ended, and code not seen that accesses as much as it likes.
func beyond(p *ir.Program) string {
	l := lifetimes{derived: map[*ir.Reg]bool{}, counted: memcleanup.Instrumented(p)}
	for l.changed = true; l.changed; {
		l.changed = false
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					l.instr(f, in)
				}
				if r, ok := b.Term.(*ir.Return); ok && l.from(r.Val) {
					l.escape("the address of a variable of %s may be returned", f)
				}
				if s, ok := b.Term.(*ir.Stop); ok && l.from(s.Val) {
					l.escape("the address of a variable of %s may be a thread's result", f)
				}
			}
		}
	}
	return l.why
}

// lifetimes finds the registers that may hold addresses of stack variables.
type lifetimes struct {
	derived map[*ir.Reg]bool
	changed bool
	counted bool // heap objects are counted: that they may be lost is looked for
	why     string
}

func (l *lifetimes) escape(format string, f *ir.Func) {
	if l.why == "" {
		l.why = fmt.Sprintf(format, f.Name)
	}
}

// from reports whether the value of an expression may be such an address.
func (l *lifetimes) from(e ir.Expr) bool {
	if e == nil {
		return false
	}
	found := false
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if u, ok := x.(ir.Use); ok && l.derived[u.Reg] {
			found = true
		}
		if g, ok := x.(ir.GlobalAddr); ok && g.Global.ThreadLocal { // it ends with its thread
			found = true
		}
		return !found
	})
	return found
}

func (l *lifetimes) derive(r *ir.Reg) {
	if r != nil && !l.derived[r] {
		l.derived[r], l.changed = true, true
	}
}

func (l *lifetimes) instr(f *ir.Func, in ir.Instr) {
	switch i := in.(type) {
	case *ir.Alloc:
		if i.Kind == "heap" {
			if !l.counted && memcleanup.Counts(i) {
				l.escape("memory is allocated in %s and may be lost", f)
			}
		} else {
			l.derive(i.Dst)
		}
	case *ir.Assign:
		if l.from(i.X) && ir.IsPtr(i.Dst.Type) {
			l.derive(i.Dst)
		}
	case *ir.Store:
		if ir.IsPtr(i.Val.Type()) && l.from(i.Val) {
			l.escape("the address of a variable of %s is stored", f)
		}
	case *ir.Spawn:
		for _, a := range i.Args {
			// the variables of main live as long as the program, unless it leaves by
			// pthread_exit
			if f.Name != "main" && l.from(a) {
				l.escape("a thread gets the address of a variable of %s", f)
			}
		}
	case *ir.Call:
		l.call(f, i)
	case *ir.Touch:
		if i.Size == nil {
			l.escape("code that is not seen accesses memory in %s, how much is not known", f)
		}
	}
}

// call passes addresses on to parameters.
func (l *lifetimes) call(f *ir.Func, i *ir.Call) {
	fa, direct := i.Callee.(ir.FuncAddr)
	for k, a := range i.Args {
		switch {
		case !l.from(a):
		case !direct || k >= len(fa.Func.Params):
			l.escape("the address of a variable of %s is passed to a function that is not known", f)
		case ir.IsPtr(fa.Func.Params[k].Type):
			l.derive(fa.Func.Params[k])
		}
	}
}
