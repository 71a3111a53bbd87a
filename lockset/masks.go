package lockset

import (
	"strings"

	"whoop/ir"
	"whoop/lockset/permission"
)

// On one processor, code that runs with interrupts (or bottom halves) off excludes the
// handlers, which run so themselves. There is one resource for each: a handler has it
// from its start, other code while it has them off.

// hardKinds are the kinds of entries that run with interrupts off, softKinds those that
// run with bottom halves off.
var hardKinds, softKinds = []string{"irq", "hrtimer", "smp_call"}, []string{"softirq", "tasklet", "timer", "napi"}

// maskLocks adds the resources.
func (l *locks) maskLocks() {
	for _, m := range [][2]string{{"irq", "interrupts off"}, {"bh", "bottom halves off"}} {
		l.global = append(l.global, l.token(m[0], m[1], nil, mask{m[0]}))
	}
}

// mask is the theory of disabled interrupts of a kind.
type mask struct{ kind string }

func (mask) traits() traits { return traits{} }

// initial: handlers run with interrupts off.
func (m mask) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	kinds := hardKinds
	if m.kind == "bh" {
		kinds = softKinds
	}
	if isKind(x.entry, kinds) {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

func (m mask) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.IrqDisable:
		if m.by(in.Kind) {
			return []permission.Transfer{permission.Gets(permission.Full, nil)}
		}
	case *ir.IrqEnable:
		if m.unmasks(x, in, g) {
			return []permission.Transfer{permission.Loses()}
		}
	}
	return nil
}

func isKind(e *ir.Entry, kinds []string) bool {
	for _, k := range kinds {
		if e.Kind == k || strings.HasPrefix(e.Kind, k+".") {
			return true
		}
	}
	return false
}

// by reports whether disabling a kind of interrupts is enough: without interrupts, bottom
// halves do not run either.
func (m mask) by(kind string) bool { return m.kind == kind || m.kind == "bh" && kind == "irq" }

// unmasks reports whether interrupts may be on after they are enabled. In a handler,
// restoring goes back to off, unless something in it turns them on.
func (m mask) unmasks(x *instrumenter, in *ir.IrqEnable, g *guard) bool {
	if !m.by(in.Kind) {
		return false
	}
	if !in.Restore || !x.begins(g) {
		return true
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for _, i := range b.Instrs {
				if on, ok := i.(*ir.IrqEnable); ok && !on.Restore && m.by(on.Kind) {
					return true
				}
			}
		}
	}
	return false
}
