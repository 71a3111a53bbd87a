package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Function values have their code at a place that depends on the function's signature,
// and calls look for it at the place of theirs: so a call finds the functions of its own
// type only, although function values of all types meet in interfaces and in what code
// outside the program hands in.

// codeSlots is how many places there are; signatures beyond share them.
const codeSlots = 16

// slot is the place where calls of functions with a signature look for the code. Where
// generic functions are run that stand for instances which lie differently in memory, one
// function has different signatures for its maker and its caller: see codePlaces.
func (l *lowering) slot(sig *types.Signature) int {
	if l.mixed && !l.calledSigs.has(sig) {
		sig = byNumbers(sig)
	}
	return l.place(sig)
}

// place is the place of a signature, which is numbered where it is new.
func (l *lowering) place(sig *types.Signature) int {
	k := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	n, ok := l.slots.At(k).(int)
	if !ok {
		n = l.slots.Len() % codeSlots
		l.slots.Set(k, n)
	}
	return n
}

// codePlaces are the places that the code of a function with a signature is at, each once:
// where those calls look for it that have its signature or, in programs with generic
// functions as above, one that may be the same where type parameters stand for types; and
// where those look that were not known when the lowering began, which know the numbers of
// parameters and results alone.
func (l *lowering) codePlaces(sig *types.Signature) []int {
	if !l.mixed {
		return []int{l.place(sig)}
	}
	out := []int{l.place(byNumbers(sig))}
	for _, s := range l.calledSigs {
		if s.Variadic() == sig.Variadic() && mayMatch(s.Params(), sig.Params()) &&
			mayMatch(s.Results(), sig.Results()) {
			out = append(out, l.place(s))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mayMatch reports whether lists of types may be the same where type parameters stand for
// types.
func mayMatch(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		s, t := a.At(i).Type(), b.At(i).Type()
		if !types.Identical(s, t) && !form.MentionsParam(s) && !form.MentionsParam(t) {
			return false
		}
	}
	return true
}

// signatures are some that are told apart.
type signatures []*types.Signature

func (s signatures) has(sig *types.Signature) bool {
	return slices.ContainsFunc(s, func(t *types.Signature) bool { return sameSignature(t, sig) })
}

func sameSignature(s, t *types.Signature) bool {
	return s.Variadic() == t.Variadic() && types.Identical(s.Params(), t.Params()) &&
		types.Identical(s.Results(), t.Results())
}

// findCalledSigs lists the signatures of the calls of function values.
func findCalledSigs(fs []*ssa.Function) signatures {
	var out signatures
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok || c.Common().IsInvoke() || c.Common().StaticCallee() != nil {
					continue
				}
				if _, builtin := c.Common().Value.(*ssa.Builtin); !builtin && !out.has(c.Common().Signature()) {
					out = append(out, c.Common().Signature())
				}
			}
		}
	}
	return out
}

// byNumbers is a signature of which only the numbers of parameters and results count.
func byNumbers(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, anys(sig.Params().Len()),
		anys(sig.Results().Len()), false)
}

// anys is a list of n parameters of no type that functions have.
func anys(n int) *types.Tuple {
	vs := make([]*types.Var, n)
	for i := range vs {
		vs[i] = types.NewParam(0, nil, "", types.Typ[types.UntypedNil])
	}
	return types.NewTuple(vs...)
}

// codeCell is the initial value of a constant function value.
func (l *lowering) codeCell(sig *types.Signature, f *ir.Func) []ir.InitCell {
	var out []ir.InitCell
	for _, n := range l.codePlaces(sig) {
		out = append(out, ir.InitCell{Offset: int64(8 * n), Type: irgen.CodePtr, Value: ir.FuncAddr{Func: f}})
	}
	return out
}

// putCode stores the code of a function into its object, at the address of the header.
func (x *fn) putCode(header ir.Expr, sig *types.Signature, code ir.Expr) {
	for _, n := range x.codePlaces(sig) {
		at := ir.FieldAddr{Base: header, S: x.header, Index: n}
		x.Emit(&ir.Store{Base: x.Base(), Addr: at, Val: irgen.Typed(code, irgen.CodePtr), Order: ir.Plain})
	}
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
					if g, ok := (*op).(*ssa.Function); ok && form.Body(g) != g {
						return true
					}
				}
			}
		}
	}
	return false
}
