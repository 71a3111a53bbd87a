package golang

import (
	"fmt"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// rootEntry declares a root and its entry.
func (l *lowering) rootEntry(r world.Root) {
	if l.Exact {
		l.precise.ExactEntry(r)
		return
	}
	if r.Unknown != "" {
		l.unknownEntry(r)
		return
	}
	if t := l.madeByGenericCode(r.Fn); t != nil {
		r.Unknown = fmt.Sprintf("values of %s, which generic code makes for users", l.TypeName(t))
		l.unknownEntry(r)
		return
	}
	f := l.declare(r.Fn)
	var recv ir.Expr // where calls within the program have other receivers, too
	if len(r.Fn.Params) > 0 && l.Known(r.Fn.Params[0]) == nil {
		recv = l.fixedParams[r.Fn.Params[0]]
	}
	res, ret := l.results(r.Fn.Signature)
	if ret != nil || recv != nil || ir.IsPtr(res) || l.copiesReceiver(r.Fn) ||
		slices.ContainsFunc(form.ComponentTypes(r.Fn.Signature.Params()), form.HasMethods) ||
		slices.ContainsFunc(form.ComponentTypes(r.Fn.Signature.Results()), func(t types.Type) bool { return l.HasSessions(t, 0) }) {
		if at, name := l.sessionFlag(r.Fn); at >= 0 {
			for _, v := range []bool{false, true} {
				given := map[int]ir.Expr{at: irgen.BoolConst(v)}
				l.addEntry(r, l.wrapper(fmt.Sprintf("go %s(%s=%t)", f.Name, name, v), r.Fn, f.Pos, recv, given))
			}
			return
		}
		f = l.wrapper("go "+f.Name, r.Fn, f.Pos, recv, nil)
	}
	l.addEntry(r, f)
}

func (l *lowering) addEntry(r world.Root, f *ir.Func) {
	e := &ir.Entry{Name: l.entryName(f), Func: f, Pos: f.Pos, Kind: string(r.Kind), Multi: r.Kind != world.MainRoot}
	l.p.Entries = append(l.p.Entries, e)
}

// entryName is a name for an entry that no other one has: that of the function in the
// source, where it is free.
func (l *lowering) entryName(f *ir.Func) string {
	plain := ir.PlainName(f.Name)
	name := plain
	for n := 2; l.p.EntryByName(name) != nil; n++ {
		if name = f.Name; n > 2 || name == plain {
			name = fmt.Sprintf("%s (%d)", f.Name, n)
		}
	}
	return name
}

// spawnedEntries makes an entry of every function that a go statement starts.
func (l *lowering) spawnedEntries() {
	multi, count, kind := map[*ir.Func]bool{}, map[*ir.Func]int{}, map[*ir.Func]string{}
	var order []*ir.Func
	note := func(f *ir.Func, s spawned, sure bool) {
		if count[f] == 0 {
			order = append(order, f)
			kind[f] = "goroutine"
			if s.kind != "" {
				kind[f] = s.kind
			}
		}
		count[f]++
		at := s.site
		if !sure || count[f] > 1 || at == nil || form.OnCycle(at.Block()) || !l.once.Runs(at.Parent()) {
			multi[f] = true
		}
	}
	for _, s := range l.spawns {
		if s.fn != nil {
			note(s.fn, s, true)
			continue
		}
		n := 0
		for _, f := range l.codes {
			if fits(f, s.in.Args) {
				note(f, s, false)
				n++
			}
		}
		l.Report.Assume("spawn-target", s.in.Pos, "which function the goroutine runs is not known here: every function value whose parameters fit is taken to be one (%d of them)", n)
	}
	for _, f := range order {
		name := l.entryName(f)
		if e := l.entryOf(f); e != nil { // users call it, too: by a function of its own
			e.Func = l.calling(f)
			if s := "go " + ir.PlainName(f.Name); l.p.EntryByName(s) == nil {
				name = s
			}
		}
		l.p.Entries = append(l.p.Entries, &ir.Entry{Name: name, Func: f, Pos: f.Pos, Kind: kind[f], Spawned: true, Multi: multi[f]})
	}
	sort.SliceStable(l.p.Entries, func(i, j int) bool { return l.p.Entries[i].Pos.Less(l.p.Entries[j].Pos) })
}

// calling is a function that calls another one with what it is given.
func (l *lowering) calling(f *ir.Func) *ir.Func {
	g := &ir.Func{Name: l.Unique("call of " + f.Name), Pos: f.Pos, Result: ir.Void{}}
	var args []ir.Expr
	for _, p := range f.Params {
		r := &ir.Reg{Name: p.Name, Type: p.Type}
		g.Params = append(g.Params, r)
		args = append(args, ir.Use{Reg: r})
	}
	call := &ir.Call{Base: ir.Base{Pos: f.Pos}, Callee: ir.FuncAddr{Func: f}, Args: args}
	if _, void := f.Result.(ir.Void); !void {
		call.Dst = &ir.Reg{Name: "result", Type: f.Result}
		g.Regs = append(g.Regs, call.Dst)
	}
	g.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{call}, Term: &ir.Return{TermBase: ir.TermBase{Pos: f.Pos}}}}
	l.p.Funcs = append(l.p.Funcs, g)
	return g
}

func (l *lowering) entryOf(f *ir.Func) *ir.Entry {
	for _, e := range l.p.Entries {
		if e.Func == f {
			return e
		}
	}
	return nil
}

// fits reports whether a function may be called with the arguments.
func fits(f *ir.Func, args []ir.Expr) bool {
	return slices.EqualFunc(f.Params, args, func(p *ir.Reg, a ir.Expr) bool {
		return ir.IsPtr(p.Type) == ir.IsPtr(a.Type()) && p.Type.Size() == a.Type().Size()
	})
}

// madeByGenericCode is an instance of a generic type of the program that an entry point of
// a library is given, and of which the program makes no value, while its generic code makes
// values of the generic type: users get one from there. Generic code is lowered once, for
// values of a type that nobody knows more about; what it puts into such a value lies
// elsewhere. It is nil where there is none.
func (l *lowering) madeByGenericCode(f *ssa.Function) *types.Named {
	if !l.LibraryMode {
		return nil
	}
	var out *types.Named
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		n, ok := types.Unalias(t).(*types.Named)
		if !ok {
			if depth < 3 {
				for _, e := range form.Parts(t) {
					visit(e, depth+1)
				}
			}
			return
		}
		st, ok := n.Underlying().(*types.Struct)
		if !ok || n.TypeArgs().Len() == 0 || form.General(n) != types.Type(n) || n.Obj().Pkg() == nil || !l.Own[n.Obj().Pkg()] || !l.instanceMade(n.Origin()) || l.instanceMade(n) {
			return
		}
		for m := range st.Fields() {
			if !m.Exported() && l.hasPointers(m.Type()) {
				out = n
			}
		}
	}
	for _, t := range form.ParamTypes(f.Signature) {
		visit(t, 0)
	}
	return out
}

// instanceMade reports whether a function of the program makes a value of an instance.
func (l *lowering) instanceMade(n *types.Named) bool {
	k, _ := form.OpenKey(n)
	if l.instancesMade == nil {
		l.instancesMade = map[string]bool{}
		for _, f := range l.Sources {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if a, ok := in.(*ssa.Alloc); ok && a.Heap {
						k, _ := form.OpenKey(form.General(form.Deref(a.Type())))
						l.instancesMade[k] = true
					}
				}
			}
		}
	}
	return l.instancesMade[k]
}

// unknownEntry declares an entry that may do anything.
func (l *lowering) unknownEntry(r world.Root) {
	f := &ir.Func{Name: l.Unique(r.Unknown), Pos: l.Pos(r.Fn.Pos()), Result: ir.Void{}}
	l.p.Funcs = append(l.p.Funcs, f)
	l.giveUp(f, f.Pos, r.Unknown)
	l.addEntry(r, f)
}
