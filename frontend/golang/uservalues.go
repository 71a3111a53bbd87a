package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Several values of one receiver type. Methods are compared on one value, the receiver,
// where two values of the type share nothing that changes, no function accesses one under
// the lock of another, and none has to do with variables of the package (sharing.go).
// Of all other types the receivers are what users can get hold of.

// findGiven notes the receiver types of which entry points are given further values.
func (l *lowering) findGiven(roots []world.Root) {
	l.GivenTypes = map[*types.Named]bool{}
	for _, r := range roots {
		ps := r.Fn.Params
		if r.Fn.Signature.Recv() != nil && len(ps) > 0 {
			ps = ps[1:]
		} else if len(ps) < 2 {
			continue
		}
		for _, p := range ps {
			world.GivesPointer(p.Type(), func(t types.Type) bool {
				n, ok := types.Unalias(form.Deref(t)).(*types.Named)
				if ok && l.receiver[l.lay.Of(n).Mem] != nil {
					l.GivenTypes[n.Origin()] = true
				}
				return false
			}, 0)
		}
	}
}

// givenOther reports whether a pointer may be to another value of its type than the
// receiver, which an entry point was given, or users have. What members of that one lead
// to is its own.
func (l *lowering) givenOther(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && l.GivenTypes[n.Origin()]
}

// mayShare reports whether members of two values that a pointer may lead to may come to
// lead to one object.
func (l *lowering) mayShare(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && l.Sharing != nil && l.Sharing.Shared[n.Origin()] != ""
}

// secondOf is the receiver that a parameter is. A function that gets two pointers of one
// type, and accesses both itself, gets two values; a third is any that users have (nil).
func (l *lowering) secondOf(p *ssa.Parameter, g *ir.Global, have map[*ir.Global]bool) *ir.Global {
	n, ok := types.Unalias(form.Deref(p.Type())).(*types.Named)
	passed := slices.ContainsFunc(form.Uses(p), func(in ssa.Instruction) bool {
		_, call := in.(ssa.CallInstruction)
		return call
	})
	if !have[g] || !ok || passed || !l.usersMake(n.Origin()) {
		have[g] = true
		return g
	}
	if l.second[g] == nil {
		if l.second == nil {
			l.second = map[*ir.Global]*ir.Global{}
		}
		l.second[g] = l.NewGlobal("another "+g.Name, g.Type, g.Pos)
		l.second[g].Extern = g.Extern
	}
	s := l.second[g]
	if have[s] {
		return nil
	}
	have[s] = true
	return s
}

// usersMake reports whether users can make further values of a type.
func (l *lowering) usersMake(n *types.Named) bool {
	cs := l.Ctors[n]
	for _, f := range cs {
		if f.Object() != nil && f.Object().Exported() {
			return true
		}
	}
	return len(cs) == 0 && n.Obj().Exported()
}
