package lockset

import (
	"strings"

	"whoop/ir"
)

// On one processor, code that runs with interrupts (or bottom halves) off excludes the handlers, which run so themselves.
// The pseudo-locks "irq" and "bh" stand for that: a handler holds them from its start, other code while it has them off.

// hardKinds are the kinds of entries that run with interrupts off, softKinds those that run with bottom halves off.
var hardKinds, softKinds = []string{"irq", "hrtimer", "smp_call"}, []string{"softirq", "tasklet", "timer", "napi"}

// maskLocks adds the pseudo-locks.
func (l *locks) maskLocks() {
	for _, m := range [][2]string{{"irq", "interrupts off"}, {"bh", "bottom halves off"}} {
		fn := l.fn("pseudo:"+m[0], m[1], nil, nil, nil)
		fn.pseudo = m[0]
		l.global = append(l.global, fn)
	}
}

// initially reports whether an entry holds the lock from its start.
func (l *locks) initially(fn *guard, e *ir.Entry) bool {
	switch fn.pseudo {
	case "quiet":
		return fn.unpublished.entry == e
	case "session":
		_, _, ok := fn.session.gets(e)
		return ok
	case "serial":
		return fn.nonreentrant.entry == e
	case "flag":
		return fn.flag.writer == e
	case "number":
		return fn.number.entry == e || (e.Kind == "main" && !e.Multi)
	case "own":
		if fn.element != nil {
			return fn.element.entry == e || (e.Kind == "main" && !e.Multi)
		}
		return l.owner(e) || (e.Kind == "main" && !e.Multi)
	case "irq":
		return isKind(e, hardKinds)
	case "bh":
		return isKind(e, softKinds)
	}
	return false
}

func isKind(e *ir.Entry, kinds []string) bool {
	for _, k := range kinds {
		if e.Kind == k || strings.HasPrefix(e.Kind, k+".") {
			return true
		}
	}
	return false
}

// masks reports whether disabling a kind of interrupts takes the pseudo-lock: without interrupts, bottom halves do not
// run either.
func masks(kind string, fn *guard) bool {
	return fn.pseudo == kind && (kind == "irq" || kind == "bh") || fn.pseudo == "bh" && kind == "irq"
}

// unmasks reports whether the pseudo-lock may be free after interrupts are enabled. In a handler, restoring goes back to
// off, unless something in it turns them on.
func (x *instrumenter) unmasks(in *ir.IrqEnable, fn *guard) bool {
	if !masks(in.Kind, fn) {
		return false
	}
	if !in.Restore || !x.l.initially(fn, x.entry) {
		return true
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for _, i := range b.Instrs {
				if on, ok := i.(*ir.IrqEnable); ok && !on.Restore && masks(on.Kind, fn) {
					return true
				}
			}
		}
	}
	return false
}
