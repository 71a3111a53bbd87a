package pipeline

import (
	"path/filepath"

	"whoop/frontend/golang/program"
	"whoop/ir"
)

// Overflows reports whether a program that was loaded from path has an assertion before
// every operation that may overflow: C that was loaded so, and IR that has such
// assertions. Go's integers wrap around.
func Overflows(path string, p *ir.Program, opt Options) bool {
	if program.Is(path) {
		return false
	}
	if filepath.Ext(path) != ".wir" {
		return opt.C.Overflow
	}
	for _, in := range p.Instrs() {
		if a, ok := in.(*ir.Assert); ok && a.Tag == "overflow" {
			return true
		}
	}
	return false
}
