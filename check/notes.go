package check

import (
	"slices"

	"whoop/ir"
)

// What a user should know of a program beside the answer.

// AssertsAlone reports whether a program has assertions, and no call of an error function: unreach-call has nothing to look for, though assertions may fail.
func AssertsAlone(p *ir.Program) bool {
	asserts := false
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				a, ok := in.(*ir.Assert)
				if ok && slices.Contains(kinds[Unreach], a.Tag) {
					return false
				}
				asserts = asserts || ok && a.Tag == "assert"
			}
		}
	}
	return asserts
}

// Weak is the first place of the text where a program asks for an atomic access that is weaker than sequentially consistent, none where it does nowhere: answers are
// about sequentially consistent executions, and with such accesses a machine has others.
// Where pointers are typed, as in Go, the language has no such accesses; those that are weak are a front end's own.
func Weak(p *ir.Program) (ir.Pos, bool) {
	var first ir.Pos
	found := false
	if p.TypeSafe {
		return first, false
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if weak(in) && (!found || in.At().Less(first)) {
					first, found = in.At(), true
				}
			}
		}
	}
	return first, found
}

func weak(in ir.Instr) bool {
	var o ir.Order
	switch in := in.(type) {
	case *ir.Load:
		o = in.Order
	case *ir.Store:
		o = in.Order
	case *ir.RMW:
		o = in.Order
	case *ir.CmpXchg:
		o = in.Order
	}
	return o.Atomic() && o != ir.SeqCst
}
