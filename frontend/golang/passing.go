package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Objects that are handed on through channels:
//
//	for j := range jobs { j.out = work(j.in); results <- j }
//
// Who makes an object has it for itself until it sends the address, and then who receives it. This is said with a lock at the object's address (ir.ClassOwned): its maker takes it, a send
// gives it back, and a receive takes it. That a send holds the lock is to be proved, for if it does not, two may receive the object: then the locks of objects of the type protect nothing.

// passing knows the types of such objects, by their keys: structs of the program of which something is sent nowhere but in the program.
type passing map[string]bool

func findPassing(l *lowering, fs []*ssa.Function) passing {
	out, outside := passing{}, passing{}
	plain := &numbers{l: l}
	sent := func(ch ssa.Value) {
		t := handedOn(ch)
		if t == nil {
			return
		}
		n, ok := types.Unalias(t).(*types.Named)
		if ok && l.own[n.Obj().Pkg()] && plain.plain(t) && !(l.libraryMode && n.Obj().Exported()) {
			out[key(t)] = true
		}
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Send:
					sent(in.Chan)
				case *ssa.Select:
					for _, s := range in.States {
						if s.Dir == types.SendOnly {
							sent(s.Chan)
						}
					}
				case *ssa.MakeInterface: // package reflect may send
					if t := handedOn(in.X); t != nil {
						outside[key(t)] = true
					}
				case ssa.CallInstruction:
					for _, a := range in.Common().Args {
						if t := handedOn(a); t != nil && l.tokens.libraryCall(in) {
							outside[key(t)] = true
						}
					}
				}
			}
		}
	}
	for k := range outside {
		delete(out, k)
	}
	return out
}

// handedOn is the struct of which a channel hands on the addresses, nil for other values.
func handedOn(ch ssa.Value) types.Type {
	c, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	p, ok := c.Elem().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if s, ok := p.Elem().Underlying().(*types.Struct); !ok || s.NumFields() == 0 {
		return nil
	}
	return p.Elem()
}

// made takes the lock of a new object.
func (ps passing) made(x *fn, v *ssa.Alloc, at ir.Expr) {
	if v.Heap && ps[key(deref(v.Type()))] {
		x.emit(&ir.Lock{Base: x.base(), Lock: at, Mode: ir.Exclusive, Class: ir.ClassOwned})
	}
}

// sending gives the lock of an object back that is sent.
func (ps passing) sending(x *fn, ch ssa.Value, v value) {
	if !ps.has(ch) {
		return
	}
	if _, null := v[0].(ir.Null); null {
		return
	}
	x.when(not(isNil(v[0])), func() {
		x.emit(&ir.Unlock{Base: x.base(), Lock: v[0], Mode: ir.Exclusive, Class: ir.ClassOwned})
	})
}

// received takes the lock of an object that was received.
func (ps passing) received(x *fn, ch ssa.Value, v value) {
	if ps.has(ch) {
		x.emit(&ir.Lock{Base: x.base(), Lock: v[0], Mode: ir.Exclusive, Class: ir.ClassOwned})
	}
}

func (ps passing) has(ch ssa.Value) bool {
	if len(ps) == 0 {
		return false
	}
	t := handedOn(ch)
	return t != nil && ps[key(t)]
}
