package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Function values have their code at a place that depends on the function's signature,
// and calls look for it at the place of theirs: so a call finds the functions of its own
// type only, although function values of all types meet in interfaces and in what code
// outside the program hands in.

// codeSlots is how many places there are; signatures beyond share them.
const codeSlots = 16

// slot is the place of the code of functions with a signature. Where generic functions
// are run that stand for instances which lie differently in memory, one function has
// different signatures for its maker and its caller: then only the numbers of parameters
// and results count.
func (l *lowering) slot(sig *types.Signature) int {
	params, results := sig.Params(), sig.Results()
	if l.mixed {
		params, results = anys(params.Len()), anys(results.Len())
	}
	k := types.NewSignatureType(nil, nil, nil, params, results, !l.mixed && sig.Variadic())
	n, ok := l.slots.At(k).(int)
	if !ok {
		n = l.slots.Len() % codeSlots
		l.slots.Set(k, n)
	}
	return n
}

// anys is a list of n parameters of type any.
func anys(n int) *types.Tuple {
	vs := make([]*types.Var, n)
	for i := range vs {
		vs[i] = types.NewParam(0, nil, "", anyType)
	}
	return types.NewTuple(vs...)
}

// codeCell is the initial value of a constant function value.
func (l *lowering) codeCell(sig *types.Signature, f *ir.Func) []ir.InitCell {
	return []ir.InitCell{{Offset: int64(8 * l.slot(sig)), Type: codePtr, Value: ir.FuncAddr{Func: f}}}
}

// mixesGenerics reports whether functions call or mention instances of generic functions
// that have no body of their own.
func mixesGenerics(fs []*ssa.Function) bool {
	for _, f := range fs {
		if f.TypeParams().Len() > 0 || f.Signature.RecvTypeParams().Len() > 0 {
			return true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok && body(g) != g {
						return true
					}
				}
			}
		}
	}
	return false
}
