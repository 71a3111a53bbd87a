package golang

import (
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"
)

// links reports whether a function may make what two of its parameters lead to lead to one
// object: it puts a pointer where it stays, and some store or call has to do with both. A
// value has to do with the parameters that it was computed from, in any way.
func (l *lowering) links(f *ssa.Function) bool {
	if !l.storesPointers(f, map[*ssa.Function]bool{}) {
		return false
	}
	from := map[ssa.Value]uint64{}
	for i, p := range f.Params {
		if i < 64 && leadsSomewhere(p.Type(), 0) {
			from[p] = 1 << i
			if !isPointer(p.Type()) {
				from[p] = 3 << i // a slice may have several, and a struct
			}
		}
	}
	for again := true; again; {
		again = false
		add := func(v ssa.Value, of uint64) {
			switch v.(type) {
			case nil, *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
				return
			}
			if of&^from[v] != 0 {
				from[v] |= of
				again = true
			}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				of := uint64(0)
				for _, op := range in.Operands(nil) {
					of |= from[*op]
				}
				switch in := in.(type) {
				case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.MakeClosure, ssa.CallInstruction:
					if bits.OnesCount64(of) > 1 {
						return true
					}
					for _, op := range in.Operands(nil) {
						add(accessed(*op), of)
					}
				}
				if v, ok := in.(ssa.Value); ok {
					add(v, of)
				}
			}
		}
	}
	return false
}

// accessed is the variable or pointer that an address was computed from.
func accessed(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
}

// noteLinked is noteShared for a function that is compared on no value, but gets several:
// Link(n int, a, b *T), All(ts ...*T).
func (l *lowering) noteLinked(r root) {
	var got []*types.Named
	for _, p := range r.fn.Params {
		givesPointer(p.Type(), func(t types.Type) bool {
			if m, ok := types.Unalias(deref(t)).(*types.Named); ok &&
				l.receiverOf(types.NewPointer(deref(t))) != nil {
				got = append(got, m.Origin())
				if !isPointer(p.Type()) {
					got = append(got, m.Origin()) // there may be more where that one is
				}
			}
			return false
		}, 0)
	}
	if len(got) < 2 || !l.links(r.fn) {
		return
	}
	for _, n := range got {
		l.twins.shared[n] = true
	}
}
