package check

import (
	"slices"

	"whoop/ir"
)

// What a user should know of a program beside the answer.

// AssertsAlone reports whether a program has assertions, and no call of an error
// function: unreach-call has nothing to look for, though assertions may fail.
func AssertsAlone(p *ir.Program) bool {
	asserts := false
	for _, in := range p.Instrs() {
		a, ok := in.(*ir.Assert)
		if ok && slices.Contains(kinds[Unreach], a.Tag) {
			return false
		}
		asserts = asserts || ok && a.Tag == "assert"
	}
	return asserts
}
