package golang

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// root is a function that is lowered because something outside the program starts it.
type root struct {
	fn   *ssa.Function
	kind string
	pkg  *ssa.Package
	// unknown says why what the root stands for is not understood; then fn is a function
	// beside it.
	unknown string
}

// ErrNoEntries says that nothing in the packages runs concurrently.
var ErrNoEntries = errors.New("no entry points: there is no main function, and no exported type or function has synchronisation, starts goroutines or says in its " +
	"doc comment that it is safe for concurrent use")

// roots finds where execution starts: main functions, and the interface of library
// packages that is meant for concurrent use.
func (l *lowering) roots(pkgs []program.Package) ([]root, error) {
	if l.exact {
		return l.exactRoot(pkgs)
	}
	var out []root
	for _, pkg := range pkgs {
		if !pkg.Given {
			continue
		}
		p := pkg.SSA
		if f := program.ProgramOf(p); f != nil {
			out = append(out, root{fn: f, kind: "main", pkg: p})
		} else {
			out = append(out, l.library(p, pkg.Files)...)
		}
	}
	if !slices.ContainsFunc(out, func(r root) bool { return r.kind != "main" }) {
		l.instances = &instances{}
	} else {
		l.instances = l.findInstances(pkgs)
		out = l.instanceRoots(out)
	}
	if len(out) == 0 {
		return nil, ErrNoEntries
	}
	return out, nil
}

// initOf is the package initialisation to run before f, or nil.
func (l *lowering) initOf(f *ssa.Function) *ssa.Function {
	if f != nil && f.Pkg != nil && f == program.ProgramOf(f.Pkg) {
		return f.Pkg.Func("init")
	}
	return nil
}

// rootEntry declares a root and its entry.
func (l *lowering) rootEntry(r root) {
	if l.exact {
		l.exactEntry(r)
		return
	}
	if r.unknown != "" {
		l.unknownEntry(r)
		return
	}
	f := l.declare(r.fn)
	var recv ir.Expr // where calls within the program have other receivers, too
	if len(r.fn.Params) > 0 && l.known(r.fn.Params[0]) == nil {
		recv = l.fixedParams[r.fn.Params[0]]
	}
	res, ret := l.results(r.fn.Signature)
	if ret != nil || recv != nil || ir.IsPtr(res) || l.copiesReceiver(r.fn) ||
		slices.ContainsFunc(form.ComponentTypes(r.fn.Signature.Params()), form.HasMethods) ||
		slices.ContainsFunc(form.ComponentTypes(r.fn.Signature.Results()), func(t types.Type) bool { return l.hasSessions(t, 0) }) {
		if at, name := l.sessionFlag(r.fn); at >= 0 {
			for _, v := range []bool{false, true} {
				given := map[int]ir.Expr{at: boolConst(v)}
				l.addEntry(r, l.wrapper(fmt.Sprintf("go %s(%s=%t)", f.Name, name, v), r.fn, f.Pos, recv, given))
			}
			return
		}
		f = l.wrapper("go "+f.Name, r.fn, f.Pos, recv, nil)
	}
	l.addEntry(r, f)
}

func (l *lowering) addEntry(r root, f *ir.Func) {
	e := &ir.Entry{Name: l.entryName(f), Func: f, Pos: f.Pos, Kind: r.kind, Multi: r.kind != "main"}
	l.p.Entries = append(l.p.Entries, e)
}

// entryName is a name for an entry that no other one has: that of the function in the
// source, where it is free.
func (l *lowering) entryName(f *ir.Func) string {
	plain := form.PlainName(f.Name)
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
		if !sure || count[f] > 1 || at == nil || form.OnCycle(at.Block()) || !l.once.runs(at.Parent()) {
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
		l.p.Assume("spawn-target", s.in.Pos, "which function the goroutine runs is not known here: every function value whose parameters fit is taken to be one (%d of them)", n)
	}
	for _, f := range order {
		if e := l.entryOf(f); e != nil {
			continue // runs by itself, too
		}
		l.p.Entries = append(l.p.Entries, &ir.Entry{Name: l.entryName(f), Func: f, Pos: f.Pos, Kind: kind[f], Spawned: true, Multi: multi[f]})
	}
	sort.SliceStable(l.p.Entries, func(i, j int) bool { return l.p.Entries[i].Pos.Less(l.p.Entries[j].Pos) })
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
