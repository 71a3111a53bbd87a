package form

import (
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func BuiltinValue(v ssa.Value) bool {
	_, ok := v.(*ssa.Builtin)
	return ok
}

func IsBuiltin(c ssa.CallInstruction) bool {
	_, ok := c.Common().Value.(*ssa.Builtin)
	return ok
}

// Body is the function whose body a call runs: for instances with type parameters, the
// generic one.
func Body(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil && (len(f.Blocks) == 0 || strings.HasPrefix(f.Synthetic, "instantiation wrapper")) {
		return o
	}
	return f
}

func SortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// StaticFunc is the function that a function value surely is, or nil.
func StaticFunc(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.Function:
		return v
	}
	return nil
}

// VariadicElems are the elements of a call's variadic slice, if that is made for the call
// alone, and the instructions that make it.
func VariadicElems(c *ssa.Call) (elems []ssa.Value, skip []ssa.Instruction) {
	s, ok := c.Call.Args[len(c.Call.Args)-1].(*ssa.Slice)
	if !ok || len(Uses(s)) != 1 {
		return nil, nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return nil, nil
	}
	skip = []ssa.Instruction{s, a}
	for _, r := range Uses(a) {
		if r == ssa.Instruction(s) {
			continue
		}
		at, ok := r.(*ssa.IndexAddr)
		if !ok || len(Uses(at)) != 1 {
			return nil, nil
		}
		st, ok := Uses(at)[0].(*ssa.Store)
		if !ok {
			return nil, nil
		}
		skip = append(skip, at, st)
		v := st.Val
		if m, ok := v.(*ssa.MakeInterface); ok && len(Uses(m)) == 1 {
			skip = append(skip, m)
			v = m.X
		}
		elems = append(elems, v)
	}
	return elems, skip
}

// AllFunctions lists the functions with bodies of the packages, methods and closures
// included, in order of position.
func AllFunctions(pkgs []*ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	var add func(f *ssa.Function)
	seen := map[*ssa.Function]bool{}
	add = func(f *ssa.Function) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		out = append(out, f)
		for _, a := range f.AnonFuncs {
			add(a)
		}
		for _, b := range f.Blocks { // instances of generic functions are nobody's members
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok && len(Body(g).Blocks) > 0 {
						add(Body(g))
					}
				}
			}
		}
	}
	for _, p := range pkgs {
		var names []string
		for n := range p.Members {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			switch m := p.Members[n].(type) {
			case *ssa.Function:
				add(m)
			case *ssa.Type:
				named, ok := types.Unalias(m.Type()).(*types.Named)
				if !ok {
					continue
				}
				for i := range named.NumMethods() {
					add(p.Prog.FuncValue(named.Method(i)))
				}
			}
		}
	}
	return out
}

// CalleeOf is the function that a call surely runs, or nil.
func CalleeOf(c ssa.CallInstruction) *ssa.Function {
	if f := c.Common().StaticCallee(); f != nil {
		return Body(f)
	}
	return nil
}

func CallsRecover(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, BlockRecovers)
}

func BlockRecovers(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		return ok && BuiltinValue(c.Call.Value) && c.Call.Value.Name() == "recover"
	})
}

// WithinPackage reports whether an instruction is of some kind in a function, or in one
// of its package that it names.
func WithinPackage(f *ssa.Function, kind func(ssa.Instruction) bool) bool {
	seen, work := map[*ssa.Function]bool{f: true}, []*ssa.Function{f}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				if kind(in) {
					return true
				}
				for _, op := range in.Operands(nil) {
					if h, ok := (*op).(*ssa.Function); ok && PkgOf(Body(h)) == PkgOf(f) && !seen[Body(h)] { // instances have no package
						seen[Body(h)] = true
						work = append(work, Body(h))
					}
				}
			}
		}
	}
	return false
}

func PkgOf(f *ssa.Function) *types.Package {
	if f.Pkg != nil {
		return f.Pkg.Pkg
	}
	if o := f.Origin(); o != nil && o != f {
		return PkgOf(o)
	}
	if f.Object() != nil {
		return f.Object().Pkg()
	}
	if f.Parent() != nil {
		return PkgOf(f.Parent())
	}
	return nil
}

func IsGeneric(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f.TypeParams().Len() > 0 || f.Signature.RecvTypeParams().Len() > 0
}

// OnlyCalls reports whether no operation is in a defer or go statement.
func OnlyCalls(lists ...[]ssa.CallInstruction) bool {
	return !slices.ContainsFunc(slices.Concat(lists...), func(c ssa.CallInstruction) bool {
		_, call := c.(*ssa.Call)
		return !call
	})
}
