package external

import (
	"slices"
	"sort"
)

// World answers questions about one program: what the functions of other modules that it
// calls do.
type World struct {
	src    *Source
	pkgs   map[string]*Package
	size   int // functions in there
	nodes  map[nodeID]*nodeState
	queue  []*nodeState
	boxes  *targets // methods of what is put into interfaces
	values *targets // functions that are kept
	roots  []Ref
	own    map[string]bool
	async  map[Key][]string // keys that goroutines call, with the packages of the calls
	now    map[Ref]keySet
	above  map[string]map[string]bool // see related
}

// maxFuncs is how many functions are looked at; where there are more, nothing is known of
// packages that are left out.
const maxFuncs = 120000

// Program says what a program does with other modules.
type Program struct {
	Imports []string // the packages of other modules that its packages import
	Calls   []Ref    // the functions of these that it calls, or has as values
	Methods []Key    // the methods of interfaces that it calls
	Boxes   []Method // of the types that it puts into interfaces
	// Own are the program's packages. Functions of other modules may call theirs.
	Own map[string]bool
}

// NewWorld finds out what goroutines the modules start that the program uses.
func NewWorld(src *Source, prog Program) *World {
	w := &World{src: src, own: prog.Own, pkgs: map[string]*Package{}, nodes: map[nodeID]*nodeState{}, boxes: newTargets(), values: newTargets(), above: map[string]map[string]bool{}}
	for _, path := range prog.Imports {
		w.family(path, map[string]bool{})
	}
	for _, m := range prog.Boxes {
		if r := m.Ref; src.pkgs[r.Package()] != nil && !src.standard(r.Package()) || r.Package() == "" {
			w.boxes.add(m.Key, r)
		}
	}
	w.roots = prog.Calls
	w.solve(prog.Methods)
	return w
}

// family loads a package and those of its module to which it leads: their initialisation
// may register what others call.
func (w *World) family(path string, seen map[string]bool) {
	p := w.src.pkgs[path]
	if p == nil || seen[path] || w.src.standard(path) {
		return
	}
	seen[path] = true
	w.load(path)
	imports := make([]string, 0, len(p.Imports))
	for _, i := range p.Imports {
		if i.Module != nil && p.Module != nil && i.Module.Path == p.Module.Path {
			imports = append(imports, i.PkgPath)
		}
	}
	sort.Strings(imports)
	for _, i := range imports {
		w.family(i, seen)
	}
}

// load returns the facts of a package.
func (w *World) load(path string) *Package {
	if p := w.pkgs[path]; p != nil {
		return p
	}
	if w.size > maxFuncs {
		w.pkgs[path] = &Package{Path: path, Unknown: "too many packages"}
		return w.pkgs[path]
	}
	p := w.src.facts(path)
	w.pkgs[path] = p
	w.size += len(p.Funcs)
	for k, rs := range p.Boxes {
		for _, r := range rs {
			w.boxes.add(k, r)
		}
	}
	return p
}

// fact returns the facts of a function; nil where there are none.
func (w *World) fact(r Ref) *Func {
	if w.src.standard(r.Package()) {
		return &Func{}
	}
	return w.load(r.Package()).Funcs[r.name()]
}

// targets are functions by the keys of the calls that may be of them.
type targets struct {
	by   map[Key]map[Ref]bool // by form, with the key after it
	keys map[Key][]Key        // by form
	n    int
}

func newTargets() *targets { return &targets{by: map[Key]map[Ref]bool{}, keys: map[Key][]Key{}} }

func (t *targets) add(k Key, r Ref) {
	if t.by[k] == nil {
		t.by[k] = map[Ref]bool{}
		t.keys[k.form()] = append(t.keys[k.form()], k)
	}
	if !t.by[k][r] {
		t.by[k][r] = true
		t.n++
	}
}

// of lists the functions that a call of a key may be of.
func (t *targets) of(k Key) []Ref {
	var out []Ref
	if k == Anything {
		for _, rs := range t.by {
			for r := range rs {
				out = append(out, r)
			}
		}
		return out
	}
	for _, other := range t.keys[k.form()] {
		if k.Match(other) {
			for r := range t.by[other] {
				out = append(out, r)
			}
		}
	}
	return out
}

// state is a function in the walk over calls. open: it is called by those that do not
// know it, so that its parameters are not known; concurrent: in a goroutine that these
// modules start.
type state struct {
	r                Ref
	open, concurrent bool
}

// dynamicCall is calls of a key, in goroutines that these modules start or not.
type dynamicCall struct {
	k          Key
	concurrent bool
}

// walk goes over the calls of functions.
type walk struct {
	w    *World
	seen map[state]bool
	work []state
	keys map[Key]map[string]bool // of the calls, with their packages
	// known is how many targets there were when calls of a key were last gone over.
	known map[dynamicCall]int
	// concurrent: only calls in goroutines count; otherwise goroutines are not followed.
	concurrent bool
}

func (w *World) newWalk(concurrent bool) *walk {
	return &walk{w: w, seen: map[state]bool{}, keys: map[Key]map[string]bool{}, known: map[dynamicCall]int{}, concurrent: concurrent}
}

func (a *walk) add(s state) {
	if s.concurrent && !a.concurrent || a.seen[s] {
		return
	}
	a.seen[s] = true
	a.work = append(a.work, s)
}

// dynamic notes a call of what is not known by name.
func (a *walk) dynamic(k Key, from string, concurrent bool) {
	if concurrent == a.concurrent {
		if a.keys[k] == nil {
			a.keys[k] = map[string]bool{}
		}
		a.keys[k][from] = true
	}
	if concurrent && !a.concurrent {
		return
	}
	c, n := dynamicCall{k, concurrent}, a.w.boxes.n+a.w.values.n+1
	if a.known[c] == n {
		return
	}
	a.known[c] = n
	if k == Anything || k.method() {
		for _, r := range a.w.boxes.of(k) {
			if r.Package() == "" { // a function with methods
				a.dynamic(Key(r.name()), from, concurrent)
				continue
			}
			a.add(state{r, true, concurrent})
		}
	}
	if k == Anything || !k.method() {
		for _, r := range a.w.values.of(k) {
			a.add(state{r, true, concurrent})
		}
	}
}

func (a *walk) run() {
	for len(a.work) > 0 {
		s := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		a.visit(s)
	}
}

// visit notes what a function calls and starts.
func (a *walk) visit(s state) {
	w, pkg := a.w, s.r.Package()
	f := w.fact(s.r)
	if f == nil { // it may do anything
		a.dynamic(Anything, pkg, s.concurrent)
		a.dynamic(Anything, pkg, true)
		return
	}
	for _, r := range f.Calls {
		a.add(state{r, false, s.concurrent})
	}
	for _, r := range f.Starts {
		a.add(state{r, false, true})
	}
	for _, k := range f.Dyn {
		a.dynamic(k, pkg, s.concurrent)
	}
	for _, k := range f.GoDyn {
		a.dynamic(k, pkg, true)
	}
	for _, v := range f.Values {
		b := w.bits(nodeID{s.r, v.Node})
		if b&Now != 0 {
			a.add(state{v.Ref, false, s.concurrent})
		}
		if b&Go != 0 {
			a.add(state{v.Ref, false, true})
		}
		if b&Kept != 0 {
			w.values.add(v.Key, v.Ref)
		}
	}
	for _, p := range f.Passed {
		a.keyed(p.Keys, w.edge(s.r, p.To), pkg, s.concurrent)
	}
	if s.open {
		for _, name := range sortedNodes(f) {
			if n := f.Nodes[name]; len(n.Keys) > 0 {
				a.keyed(n.Keys, w.bits(nodeID{s.r, name}), pkg, s.concurrent)
			}
		}
	}
}

func sortedNodes(f *Func) []string {
	out := make([]string, 0, len(f.Nodes))
	for n := range f.Nodes {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// keyed notes what is done to values that are not known.
func (a *walk) keyed(keys []Key, b Bits, pkg string, concurrent bool) {
	for _, k := range keys {
		if b&Now != 0 {
			a.dynamic(k, pkg, concurrent)
		}
		if b&Go != 0 {
			a.dynamic(k, pkg, true)
		}
	}
}

// solve walks over all that the program may run, until no more functions turn up as
// values.
func (w *World) solve(methods []Key) {
	for {
		boxes, values, size := w.boxes.n, w.values.n, len(w.pkgs)
		a := w.newWalk(true)
		for _, r := range w.roots {
			a.add(state{r, false, false})
		}
		for _, k := range methods {
			for _, r := range w.boxes.of(k) {
				a.add(state{r, false, false})
			}
		}
		for _, path := range sortedKeys(w.pkgs) {
			if w.pkgs[path].Unknown == "" {
				a.add(state{ref(path, path+".init"), false, false})
			}
		}
		a.run()
		if w.boxes.n == boxes && w.values.n == values && len(w.pkgs) == size {
			w.async = map[Key][]string{}
			for k, from := range a.keys {
				w.async[k] = sortedKeys(from)
			}
			w.now = map[Ref]keySet{}
			return
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Known reports whether there are facts of a function.
func (w *World) Known(f Ref) bool { return w.fact(f) != nil }

// Param says what a function does to what it is given as parameter i, the receiver
// included. Pointers to structs, and what carries nothing, are given nothing.
func (w *World) Param(f Ref, i int) Bits {
	fact := w.fact(f)
	if fact == nil {
		return All
	}
	if fact.Nodes[param(i)] == nil {
		return 0
	}
	return w.bits(nodeID{f, param(i)})
}

// MethodParam is Param for a call of a method through an interface; false where no method
// of these modules is known that it may be of.
func (w *World) MethodParam(m Key, i int) (Bits, bool) {
	var out Bits
	rs := w.othersOf(m)
	for _, r := range rs {
		out |= w.Param(r, i)
	}
	return out, len(rs) > 0
}

// othersOf lists the methods of other modules that a call through an interface may be of.
// Those of the program are no part of what is not seen.
func (w *World) othersOf(m Key) []Ref {
	return slices.DeleteFunc(w.boxes.of(m), func(r Ref) bool { return w.own[r.Package()] })
}

// Async reports whether a function that was given to a package, and kept there, may be
// called in a goroutine that some module starts: by a call of key k.
func (w *World) Async(pkg string, k Key) bool {
	for other, from := range w.async {
		if k.Match(other) && slices.ContainsFunc(from, func(q string) bool { return w.related(pkg, q) }) {
			return true
		}
	}
	return false
}

// Now reports whether a call of a function may call, before it returns, something kept by
// a package that key k stands for.
func (w *World) Now(f Ref, k Key) bool { return w.nowOf(f).matches(k) }

// MethodNow is Now for a call of a method through an interface.
func (w *World) MethodNow(m, k Key) bool {
	return slices.ContainsFunc(w.othersOf(m), func(r Ref) bool { return w.Now(r, k) })
}

// FuncParam is Param for a call of a function value that these modules made.
func (w *World) FuncParam(f Key, i int) (Bits, bool) {
	var out Bits
	rs := w.values.of(f)
	for _, r := range rs {
		out |= w.Param(r, i)
	}
	return out, len(rs) > 0
}

// FuncPackage is a package that makes function values of a key; false where none does.
func (w *World) FuncPackage(f Key) (string, bool) {
	rs := w.values.of(f)
	if len(rs) == 0 {
		return "", false
	}
	return slices.Min(rs).Package(), true
}

// FuncNow is Now for a call of a function value that these modules made.
func (w *World) FuncNow(f, k Key) bool {
	return slices.ContainsFunc(w.values.of(f), func(r Ref) bool { return w.Now(r, k) })
}

// keySet is a set of keys. forms are those of its members.
type keySet struct{ keys, forms map[Key]bool }

func (s keySet) add(k Key) {
	s.keys[k] = true
	if k != Anything {
		s.forms[k.form()] = true
	}
}

// matches reports whether a key matches one of the set. A key that is its own form is one
// of generic code.
func (s keySet) matches(k Key) bool {
	if s.keys[k] || s.keys[Anything] || k == Anything {
		return len(s.keys) > 0
	}
	form := k.form()
	return s.keys[form] || k == form && s.forms[form]
}

func (w *World) nowOf(f Ref) keySet {
	if ks, ok := w.now[f]; ok {
		return ks
	}
	a := w.newWalk(false)
	a.add(state{f, true, false})
	a.run()
	out := keySet{map[Key]bool{}, map[Key]bool{}}
	for k := range a.keys {
		out.add(k)
	}
	w.now[f] = out
	return out
}

// related reports whether what was given to package p may be called in package q: one of
// them imports the other. Others do not know the types in which p keeps it.
func (w *World) related(p, q string) bool { return w.leads(p, q) || w.leads(q, p) }

func (w *World) leads(p, q string) bool {
	all := w.above[p]
	if all == nil {
		all = map[string]bool{}
		w.above[p] = all
		var visit func(path string)
		visit = func(path string) {
			if all[path] {
				return
			}
			all[path] = true
			if n := w.src.pkgs[path]; n != nil {
				for _, i := range n.Imports {
					visit(i.PkgPath)
				}
			}
		}
		visit(p)
	}
	return all[q]
}

// Module is the path of a package's module, "" where it is not known.
func (w *World) Module(pkg string) string {
	if p := w.src.pkgs[pkg]; p != nil && p.Module != nil {
		return p.Module.Path
	}
	return ""
}

// Unknown lists the packages of which nothing is known, with the reasons.
func (w *World) Unknown() []string {
	var out []string
	for _, path := range sortedKeys(w.pkgs) {
		if why := w.pkgs[path].Unknown; why != "" {
			out = append(out, path+": "+why)
		}
	}
	return out
}
