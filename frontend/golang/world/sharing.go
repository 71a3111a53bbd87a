package world

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Which receiver types have one receiver. Rule: methods are compared on one value of their
// type only if two values share no memory that changes, whatever users do. Of all other
// types the receivers are what users can get hold of: then the analysis of pointers tells
// which values lead to what, and placings (package lockset) whether one value alone does.
//
// Users are taken for the most general client: it calls all exported functions, methods
// and function values, any number of times, with all that it has, and keeps what it gets.
//
// Argument. Let the region of a value be what one gets to from it, of memory that changes.
// Two values of a type have disjoint regions at first. Look at the call after which the
// regions of two values meet for the first time. Before it they were disjoint, so what it
// joins it has from both of them, or from one and something else that it can get at: an
// argument, a variable of a package, or a new object, that the other value gets in the
// same call or, being kept, in a later one. Regions (regions.go) have all that a call may
// join, since a pointer is put somewhere by a store, a send, a call or a closure only. So
// one of these was found (sharingcheck.go):
//   - two values that the function gets, makes or finds lead to one object;
//   - where a region stands for several values, a pointer is stored in one of them that
//     was not made for it right there;
//   - a value leads to what users give to the function, who may give it twice, to what a
//     closure has captured that users call twice, or to what variables lead to;
//   - users set an exported member, or one of a part of the value that they got.
//
// What a value leads to is its own; so another value that is found there is that value. An
// object outside of a region may have a piece of it, or lead to a value: then what has the
// object may access the value under the lock of another one. So the types of objects that
// have pieces, and of those that users get out of a value, are parts: such an object stands
// for its value, and none leads to two. Functions of users keep nothing of what they are
// given, and put nothing of it elsewhere (open-calls), but they may call the program with
// what two of their calls were given: it is part of a value, too.
//
// The pairs of values that a function in sight (only static calls of the program enter it)
// has as parameters are looked at where it is called: its shape tells what it joins.
//
// It is not known where that comes from which a library returns as an interface, or puts
// into a variable. Memory changes where it may be written, also by a pointer of another
// type, or of a part's.
//
// A function that has two values, and holds a lock, may access one under the lock of the
// other. A method that uses variables of packages that change does so under the lock of its
// value. Both count as sharing, too.
//
// Functions of users return something new, or what they were given (open-calls).

// sharing is what is known of the receiver types.
type sharing struct {
	w      *World
	C      *changing
	types  map[*types.Named]bool // of receivers
	shapes map[*ssa.Function]*shape
	// looked is when the shapes of a function and its closures were found, changed when one
	// became what it is, asked which shapes that of a function was found from.
	turn            int
	looked, changed map[*ssa.Function]int
	asked           map[*ssa.Function]map[*ssa.Function]bool
	counts          map[types.Type]map[*types.Named]int // see count
	// errorVars are variables that lead to nothing that changes.
	errorVars map[*ssa.Global]bool
	// Shared are the types of which two values may share memory, with a reason.
	Shared map[*types.Named]string
	// parts are types of objects that stand for values of receiver types: those that users
	// get out of them, and those with pieces. True: users keep some.
	parts map[*types.Named]map[*types.Named]bool
}

// shape is what a function does to what its callers have: of the parameters, the results,
// and what it has captured, in this order.
type shape struct {
	slots   []*region
	results int // where these begin
	generic bool
	print   string
	// takes says for parameters, then results, which parameters they come to lead to.
	takes []map[int]bool
}

// linkCall is a call that makes one argument, with values of a receiver type, lead to
// others.
type linkCall struct {
	at   *region
	v    ssa.Value
	in   ssa.CallInstruction
	args []ssa.Value
}

// FindSharing finds the receiver types of which two values may share memory.
func (w *World) FindSharing(roots []Root) *sharing {
	s := &sharing{w: w, C: w.findChanging(), types: map[*types.Named]bool{},
		shapes: map[*ssa.Function]*shape{}, looked: map[*ssa.Function]int{},
		changed: map[*ssa.Function]int{}, asked: map[*ssa.Function]map[*ssa.Function]bool{},
		counts: map[types.Type]map[*types.Named]int{},
		Shared: map[*types.Named]string{}, parts: map[*types.Named]map[*types.Named]bool{}}
	for _, n := range ReceiverTypes(roots) {
		s.types[n], s.parts[n] = true, map[*types.Named]bool{}
	}
	if len(s.types) == 0 {
		return s
	}
	s.errorVars = w.errorVars()
	const rounds = 20
	for i := range rounds {
		grown := false
		for _, f := range w.Sources {
			if f.Parent() == nil && s.stale(f) {
				grown = s.shape(f) || grown
			}
		}
		if !grown {
			break
		}
		if i == rounds-1 {
			s.shareAll("not found out")
		}
	}
	for i := range rounds { // until no more parts are found: the last round tells
		before, known := s.countParts(), maps.Clone(s.Shared)
		for _, f := range w.Sources {
			if f.Parent() == nil {
				s.check(s.newUnit(f))
			}
		}
		if s.countParts() == before {
			break
		}
		if s.Shared = known; i == rounds-1 {
			s.shareAll("not found out")
		}
	}
	for n := range s.types {
		s.checkMembers(n)
		if len(w.instances.of[n]) > 0 {
			s.share(n, "users may have values of instances of it")
		}
	}
	for _, r := range roots {
		if n := receiverType(r); n != nil && r.Fn.Pkg != nil && w.usesState(r.Fn) {
			s.share(n, w.FuncName(r.Fn)+" uses variables of packages that change")
		}
	}
	return s
}

// receiverType is the type that a method which is an entry point is compared on.
func receiverType(r Root) *types.Named {
	if r.Fn.Signature.Recv() == nil || len(r.Fn.Params) == 0 {
		return nil
	}
	n, ok := types.Unalias(form.Deref(r.Fn.Params[0].Type())).(*types.Named)
	if !ok {
		return nil
	}
	return n.Origin()
}

// Sorted lists the types of which two values may share memory.
func (s *sharing) Sorted() []*types.Named {
	if s == nil {
		return nil
	}
	out := slices.Collect(maps.Keys(s.Shared))
	slices.SortFunc(out, func(a, b *types.Named) int { return cmp.Compare(form.Key(a), form.Key(b)) })
	return out
}

func (s *sharing) shareAll(why string) {
	for n := range s.types {
		s.share(n, why)
	}
}

func (s *sharing) countParts() int {
	n := 0
	for _, parts := range s.parts {
		for _, kept := range parts {
			if n++; kept {
				n++
			}
		}
	}
	return n
}

// isPart reports whether values of a type are parts of those of a receiver type, or lead to
// one at once.
func (s *sharing) isPart(of *types.Named, t types.Type) bool {
	m, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if ok {
		_, ok = s.parts[of][m.Origin()]
	}
	return ok
}

func (s *sharing) share(n *types.Named, why string) {
	if s.types[n] && s.Shared[n] == "" {
		s.Shared[n] = why
	}
}

// stale reports whether the shapes of a function may be others now: it was not looked at,
// or one that was asked for has changed since.
func (s *sharing) stale(f *ssa.Function) bool {
	at, known := s.looked[f]
	if !known {
		return true
	}
	for g := range s.asked[f] {
		if s.changed[g] >= at {
			return true
		}
	}
	return false
}

// shape computes the shapes of a function and its closures, and reports whether some have
// changed.
func (s *sharing) shape(f *ssa.Function) (grown bool) {
	u := s.newUnit(f)
	s.turn++
	s.looked[f], s.asked[f] = s.turn, u.asked
	for _, g := range u.fs {
		sh := u.shapeOf(g)
		if old := s.shapes[g]; old == nil || old.print != sh.print {
			s.changed[g], grown = s.turn, true
		}
		s.shapes[g] = sh
	}
	return grown
}

// shapeOf copies what one gets to from the parameters and results of a function.
func (u *unit) shapeOf(g *ssa.Function) *shape {
	c := &copier{to: map[*region]*region{}, export: true}
	sh := &shape{results: len(g.Params), generic: form.IsGeneric(g)}
	for _, r := range u.slots(g) {
		bound(r, maxContent, map[*region]bool{})
	}
	slots := u.slots(g)
	for _, r := range slots {
		sh.slots = append(sh.slots, c.copy(r))
	}
	sh.print = c.print(sh.slots)
	for i := range slots[:len(slots)-1] {
		takes := map[int]bool{}
		for j := range g.Params {
			if i != j && slots[i] != nil && leadsInto(slots[i], slots[j]) {
				takes[j] = true
			}
		}
		sh.takes = append(sh.takes, takes)
	}
	return sh
}

// maxContent is how deep what callers have is told apart.
const maxContent = 5

// bound makes what lies deeper one region.
func bound(r *region, depth int, seen map[*region]bool) {
	if r == nil || r.find().global || seen[r.find()] {
		return
	}
	if depth == 0 {
		blur(r.find())
		return
	}
	seen[r.find()] = true
	for _, c := range r.contents() {
		bound(c, depth-1, seen)
	}
}

func (u *unit) slots(g *ssa.Function) []*region {
	var out []*region
	for _, p := range g.Params {
		out = append(out, u.of(p))
	}
	for i := range g.Signature.Results().Len() {
		out = append(out, u.result(g, i))
	}
	var self *region
	for _, v := range g.FreeVars {
		if r := u.of(v); r != nil {
			unite(r, self)
			self = r
		}
	}
	if self != nil {
		self = self.find()
	}
	return append(out, self)
}

// copier copies regions.
type copier struct {
	to map[*region]*region
	// export: values of receiver types that the function was given are left out.
	export bool
	// global is the region of variables in the copy.
	global *region
	// site and many make the sources of a copy its own.
	site ssa.Instruction
	many bool
	// flat makes one of all contents.
	flat  bool
	order []*region
}

// sourceKey tells the values of one call from those of another.
type sourceKey struct {
	site ssa.Instruction
	n    int
	of   *types.Named
}

func (c *copier) copy(r *region) *region {
	if r == nil {
		return nil
	}
	r = r.find()
	if have := c.to[r]; have != nil {
		return have
	}
	if r.global && c.global != nil {
		return c.global
	}
	out := &region{user: r.user, global: r.global}
	c.to[r] = out
	c.order = append(c.order, out)
	n := 0
	for k, src := range r.sources {
		if _, param := k.key.(*ssa.Parameter); param && c.export {
			continue
		}
		if _, free := k.key.(*ssa.FreeVar); free && c.export {
			continue
		}
		out.source(sourceKey{c.site, len(c.order), src.of}, &regionSource{src.of, src.many || c.many})
		n++
	}
	if r.flat != nil {
		out.flat = c.copy(r.flat)
	}
	for _, k := range form.SortedKeys(r.next) {
		if out.next == nil {
			out.next = map[string]*region{}
		}
		out.next[k] = c.copy(r.next[k])
	}
	return out
}

// print writes copies down, to tell whether they have grown.
func (c *copier) print(slots []*region) string {
	id := map[*region]string{}
	for i, r := range c.order {
		id[r] = strconv.Itoa(i)
	}
	out := ""
	for _, r := range slots {
		out += id[r] + ","
	}
	for _, r := range c.order {
		out += ";"
		if r.user {
			out += "u"
		}
		if r.global {
			out += "g"
		}
		if r.flat != nil {
			out += "f" + id[r.flat]
		}
		for _, k := range form.SortedKeys(r.next) {
			out += " " + k + id[r.next[k]]
		}
		var of []string
		for _, src := range r.sources {
			m := ""
			if src.many {
				m = "*"
			}
			of = append(of, form.Key(src.of)+m)
		}
		slices.Sort(of)
		for _, o := range of {
			out += " " + o
		}
	}
	return out
}

// within lists the receiver types of which a value of a type is, or has one in it, behind
// one pointer.
func (s *sharing) within(t types.Type) map[*types.Named]bool {
	out := map[*types.Named]bool{}
	for n, k := range s.count(t) {
		out[n] = k > 0
	}
	return out
}

// count says how many values of receiver types are where a pointer of a type leads; two
// stands for several. A value of an interface type may be one.
func (s *sharing) count(t types.Type) map[*types.Named]int {
	out, known := s.counts[t]
	if !known {
		out = s.countIn(t)
		s.counts[t] = out
	}
	return out
}

func (s *sharing) countIn(t types.Type) map[*types.Named]int {
	out := map[*types.Named]int{}
	var add func(t types.Type, k int)
	add = func(t types.Type, k int) {
		if n, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(n) {
			if s.types[n.Origin()] {
				out[n.Origin()] += k
			}
			if !s.w.Own[n.Obj().Pkg()] {
				return
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				add(f.Type(), k)
			}
		case *types.Array:
			add(u.Elem(), 2)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		add(u.Elem(), 1)
	case *types.Slice:
		add(u.Elem(), 2)
	case *types.Map:
		add(u.Elem(), 2)
	case *types.Chan:
		add(u.Elem(), 2)
	case *types.Struct, *types.Array:
		for _, p := range form.PointersIn(t) {
			if _, again := p.Underlying().(*types.Struct); !again {
				for n, k := range s.count(p) {
					out[n] += k
				}
			}
		}
		add(t, 1)
	case *types.Interface:
		for n := range s.types {
			if u.NumMethods() > 0 && (n.Obj().Exported() && s.ownInterface(t) || s.w.isBoxed(n)) &&
				s.w.mayBeBehind(n, u) {
				out[n]++
			}
		}
	}
	return out
}

// ownInterface reports whether an interface type is not one of a library.
func (s *sharing) ownInterface(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || s.w.Own[n.Obj().Pkg()]
}

// place notes the values of receiver types that an allocation makes, or a parameter is.
func (s *sharing) place(r *region, at ssa.Value, t types.Type, many bool) {
	if _, param := at.(*ssa.Parameter); !param {
		if _, slice := at.(*ssa.MakeSlice); !slice {
			t = types.NewPointer(t)
			if _, variable := form.Deref(t).Underlying().(*types.Pointer); variable {
				return
			}
			if a, ok := at.(*ssa.Alloc); ok && !a.Heap {
				return // a copy that nobody else gets
			}
		}
	}
	for n, k := range s.count(t) {
		if !s.countsAsParameter(at, n) {
			r.find().source(at, &regionSource{n, many || k > 1})
		}
	}
	if p, param := at.(*ssa.Parameter); param { // a part stands for the whole
		for n := range s.parts {
			if s.isPart(n, p.Type()) {
				r.find().source(at, &regionSource{n, false})
			}
		}
	}
}

// countsAsParameter reports whether what is made has the lock of a parameter.
func (s *sharing) countsAsParameter(at ssa.Value, n *types.Named) bool {
	a, ok := at.(*ssa.Alloc)
	return ok && slices.ContainsFunc(a.Parent().Params,
		func(p *ssa.Parameter) bool { return s.takesLock(a, n, p) })
}

// settle notes the values of receiver types that were found in memory, once all is known:
// a value leads to no other of its type, or they share memory, so what is found by one is
// that one.
func (u *unit) settle() {
	for n := range u.s.types {
		var from []*region
		for _, g := range u.fs {
			for _, p := range g.Params {
				if r := u.of(p); r != nil && !r.has(n) {
					from = append(from, r)
				}
			}
			for _, v := range g.FreeVars {
				if r := u.of(v); r != nil && g.Parent() == nil {
					from = append(from, r)
				}
			}
		}
		for _, r := range u.vals {
			if r.find().user {
				from = append(from, r)
			}
		}
		all := regionsFrom(from, nil)
		for _, v := range slices.Concat(u.founds, u.results) {
			if r := u.of(v); r != nil && all[r] && (u.s.count(v.Type())[n] > 0 || u.s.isPart(n, v.Type())) {
				r.source(sourceKey{nil, -1, n}, &regionSource{n, true})
				if u.foundOf[n] == nil {
					u.foundOf[n] = map[string]bool{}
				}
				u.foundOf[n][pathTo(v, 0)] = true
			}
		}
	}
}

// has reports whether a region has values of a type that are known one by one.
func (r *region) has(n *types.Named) bool {
	for _, src := range r.find().sources {
		if src.of == n {
			return true
		}
	}
	return false
}
