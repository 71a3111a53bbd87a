package world

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Regions: what one call of a function may make lead to what. A region stands for objects;
// it has content regions, by the kind of the pointer that is found there. A store joins
// the region of what is stored with the content of where it is stored (Steensgaard's
// analysis, for one function with its closures). What a function does to its callers'
// objects is its shape: the regions that one gets to from its parameters and results. A
// call makes a copy of the shape of the callee, and joins it with the arguments, so two
// calls are told apart. Shapes only grow, and are computed until none does.
//
// Memory that does not change has no regions.

type region struct {
	up   *region
	next map[string]*region
	// flat: all kinds of content are one.
	flat *region
	// sources say that there may be values of receiver types, and where from.
	sources map[sourceID]*regionSource
	// user: users may have put something there. global: variables of packages lead there.
	user, global bool
}

// sourceID is where a value gets into a region, and of which type.
type sourceID struct {
	key any
	of  *types.Named
}

// regionSource is one way by which a value of a receiver type gets into a region. many:
// that may be several.
type regionSource struct {
	of   *types.Named
	many bool
}

func (r *region) find() *region {
	for r.up != nil {
		if r.up.up != nil {
			r.up = r.up.up
		}
		r = r.up
	}
	return r
}

func unite(a, b *region) {
	if a == nil || b == nil {
		return
	}
	if a, b = a.find(), b.find(); a == b {
		return
	}
	b.up = a
	a.user, a.global = a.user || b.user, a.global || b.global
	for k, s := range b.sources {
		a.source(k.key, s)
	}
	more, to := b.next, a.flat
	if to == nil && b.flat != nil {
		to, a.flat = b.flat, b.flat
		for _, k := range form.SortedKeys(a.next) {
			unite(to, a.next[k])
		}
	} else if b.flat != nil {
		unite(to, b.flat)
	}
	if a = a.find(); a.flat != nil {
		a.next = nil
	}
	for _, k := range form.SortedKeys(more) {
		a.attach(k, more[k])
	}
}

// attach adds what pointers of a kind lead to.
func (r *region) attach(kind string, to *region) {
	r = r.find()
	switch {
	case r.flat != nil:
		unite(r.flat, to)
	case r.next[kind] != nil:
		unite(r.next[kind], to)
	default:
		if r.next == nil {
			r.next = map[string]*region{}
		}
		r.next[kind] = to
	}
}

func (r *region) source(k any, s *regionSource) {
	if r.sources == nil {
		r.sources = map[sourceID]*regionSource{}
	}
	id := sourceID{k, s.of}
	if have := r.sources[id]; have != nil && have.many {
		return
	}
	r.sources[id] = s
}

// flatten makes one of all contents of a region.
func (r *region) flatten() *region {
	r = r.find()
	if r.flat != nil {
		return r.flat.find()
	}
	to := &region{}
	r.flat = to
	next := r.next
	r.next = nil
	for _, k := range form.SortedKeys(next) {
		unite(to, next[k])
	}
	return to.find()
}

// content is what pointers of a kind in a region lead to.
func (r *region) content(kind string) *region {
	r = r.find()
	if r.flat != nil {
		return r.flat.find()
	}
	if r.next[kind] == nil {
		if r.next == nil {
			r.next = map[string]*region{}
		}
		r.next[kind] = &region{}
	}
	return r.next[kind].find()
}

// blur makes a region one with all that is in it.
func blur(r *region) {
	if r != nil {
		unite(r, r.flatten())
	}
}

// contents are the regions that one leads to.
func (r *region) contents() []*region {
	r = r.find()
	if r.flat != nil {
		return []*region{r.flat.find()}
	}
	var out []*region
	for _, k := range form.SortedKeys(r.next) {
		out = append(out, r.next[k].find())
	}
	return out
}

// pointerKind is the kind of a pointer: two values of one kind may be found by one load.
func pointerKind(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if n, ok := types.Unalias(u.Elem()).(*types.Named); ok {
			return "*" + n.Obj().Name()
		}
		return "*"
	case *types.Map:
		return "map"
	case *types.Slice:
		return "[]"
	case *types.Chan:
		return "chan"
	case *types.Signature:
		return "func"
	case *types.Interface:
		return "any"
	}
	return "?"
}

// unit is the regions of a function with its closures.
type unit struct {
	s      *sharing
	vals   map[ssa.Value]*region
	parts  map[ssa.Value][]*region // of tuples
	global *region
	stores []regionStore
	// founds are the values that are found in memory, results those that calls return.
	founds, results []ssa.Value
	takers          []linkCall
	foundOf         map[*types.Named]map[string]bool // by where
	fs              []*ssa.Function
	// given is what function values and interfaces, which may be of users, are given.
	given []ssa.Value
	asked map[*ssa.Function]bool // whose shapes were asked for
}

// regionStore is a store of a pointer.
type regionStore struct {
	at, val *region
	in      ssa.Instruction
	v       ssa.Value
}

func (s *sharing) newUnit(f *ssa.Function) *unit {
	u := &unit{s: s, vals: map[ssa.Value]*region{}, parts: map[ssa.Value][]*region{},
		foundOf: map[*types.Named]map[string]bool{}, asked: map[*ssa.Function]bool{}}
	u.global = &region{global: true}
	u.global.flat = u.global
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		u.fs = append(u.fs, f)
		for _, a := range f.AnonFuncs {
			add(a)
		}
	}
	add(f)
	for _, f := range u.fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				u.instr(in)
			}
		}
	}
	return u
}

// of is the region that a value leads to; nil where it leads to nothing that changes.
func (u *unit) of(v ssa.Value) *region {
	switch x := v.(type) {
	case nil, *ssa.Const, *ssa.Builtin:
		return nil
	case *ssa.FieldAddr:
		return u.of(x.X)
	case *ssa.IndexAddr:
		return u.of(x.X)
	case *ssa.MakeInterface:
		return u.of(x.X)
	case *ssa.Function:
		return nil
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && u.s.errorVars[g] {
			return nil
		}
	}
	if !u.s.C.leads(v.Type()) {
		return nil
	}
	if r := u.vals[v]; r != nil {
		return r.find()
	}
	if _, ok := v.(*ssa.Global); ok {
		return u.global.find()
	}
	r := &region{}
	u.vals[v] = r
	switch x := v.(type) {
	case *ssa.Alloc:
		u.s.place(r, x, form.Deref(x.Type()), u.many(x))
	case *ssa.MakeSlice:
		u.s.place(r, x, x.Type(), true)
	case *ssa.Parameter:
		u.s.place(r, x, x.Type(), false)
	}
	return r.find()
}

// many reports whether an instruction may run several times in what one call does.
func (u *unit) many(in ssa.Instruction) bool {
	return form.OnCycle(in.Block()) || u.s.w.recurs(in.Parent())
}

// values lists the values of the functions that lead to memory, in their order.
func (u *unit) values() []ssa.Value {
	var out []ssa.Value
	add := func(v ssa.Value) {
		if u.vals[v] != nil {
			out = append(out, v)
		}
	}
	for _, f := range u.fs {
		for _, p := range f.Params {
			add(p)
		}
		for _, v := range f.FreeVars {
			add(v)
		}
		eachInstruction(f, func(in ssa.Instruction) {
			if v, ok := in.(ssa.Value); ok {
				add(v)
			}
		})
	}
	return out
}

// load is what a value of a type that lies in a region leads to.
func (u *unit) load(at *region, t types.Type) *region {
	if at == nil || !u.s.C.leads(t) {
		return nil
	}
	var out *region
	for _, p := range form.PointersIn(t) {
		if u.s.C.leads(p) {
			c := at.content(pointerKind(p))
			unite(c, out)
			out = c.find()
		}
	}
	return out
}

// store joins what a value leads to with what is found in a region.
func (u *unit) store(in ssa.Instruction, at *region, v ssa.Value) {
	val := u.of(v)
	if at == nil || val == nil {
		return
	}
	for _, p := range form.PointersIn(v.Type()) {
		if u.s.C.leads(p) {
			unite(at.content(pointerKind(p)), val)
		}
	}
	u.stores = append(u.stores, regionStore{at, val, in, v})
}

// found gives a value that was found in memory what the region has.
func (u *unit) found(v ssa.Value, r *region) {
	unite(r, u.of(v))
	u.founds = append(u.founds, v)
}

func (u *unit) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		u.store(in, u.of(in.Addr), in.Val)
	case *ssa.MapUpdate:
		u.store(in, u.of(in.Map), in.Key)
		u.store(in, u.of(in.Map), in.Value)
	case *ssa.Send:
		u.store(in, u.of(in.Chan), in.X)
	case *ssa.Select:
		parts := make([]*region, 2)
		for _, st := range in.States {
			if st.Send != nil {
				u.store(in, u.of(st.Chan), st.Send)
			} else {
				e := form.ElemOf(st.Chan.Type())
				parts = append(parts, u.load(u.of(st.Chan), e))
			}
		}
		u.parts[in] = parts
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			r := u.load(u.of(in.X), in.Type())
			if local, ok := form.AddressIn(in.X).(*ssa.Alloc); ok && form.IsLocalVariable(local, in.X) {
				unite(r, u.of(in))
			} else {
				u.found(in, r)
			}
		case token.ARROW:
			r := u.load(u.of(in.X), form.ElemOf(in.X.Type()))
			if in.CommaOk {
				u.parts[in] = []*region{r, nil}
			} else {
				u.found(in, r)
			}
		}
	case *ssa.Lookup:
		m, ok := in.X.Type().Underlying().(*types.Map)
		if !ok {
			return
		}
		r := u.load(u.of(in.X), m.Elem())
		if in.CommaOk {
			u.parts[in] = []*region{r, nil}
		} else {
			u.found(in, r)
		}
	case *ssa.Range:
		if r := u.of(in.X); r != nil {
			u.parts[in] = []*region{r}
		}
	case *ssa.Next:
		u.next(in)
	case *ssa.Extract:
		if ps := u.parts[in.Tuple]; in.Index < len(ps) && ps[in.Index] != nil {
			if _, call := in.Tuple.(*ssa.Call); call {
				unite(ps[in.Index], u.of(in))
				u.results = append(u.results, in)
			} else {
				u.found(in, ps[in.Index])
			}
		}
	case *ssa.TypeAssert:
		if u.of(in.X) == nil && u.s.C.leads(in.AssertedType) { // out of a library, or an error
			r := &region{}
			if in.CommaOk {
				u.parts[in] = []*region{r, nil}
			} else {
				u.found(in, r)
			}
			u.unknown(r, in, in.AssertedType)
			return
		}
		if in.CommaOk {
			u.parts[in] = []*region{u.of(in.X), nil}
		} else {
			u.found(in, u.of(in.X))
		}
	case *ssa.Phi:
		for _, e := range in.Edges {
			unite(u.of(e), u.of(in))
		}
	case *ssa.ChangeType:
		unite(u.of(in.X), u.of(in))
	case *ssa.ChangeInterface:
		unite(u.of(in.X), u.of(in))
	case *ssa.Convert:
		unite(u.of(in.X), u.of(in))
	case *ssa.MultiConvert:
		unite(u.of(in.X), u.of(in))
	case *ssa.SliceToArrayPointer:
		unite(u.of(in.X), u.of(in))
	case *ssa.Slice:
		unite(u.of(in.X), u.of(in))
	case *ssa.Field:
		u.found(in, u.of(in.X))
	case *ssa.Index:
		u.found(in, u.of(in.X))
	case *ssa.MakeClosure:
		u.closure(in)
	case *ssa.Panic:
		unite(u.global, u.of(in.X))
	case *ssa.Return:
		for i, v := range in.Results {
			unite(u.result(in.Parent(), i), u.of(v))
		}
	case ssa.CallInstruction:
		u.call(in)
	}
}

func (u *unit) next(in *ssa.Next) {
	rng, _ := in.Iter.(*ssa.Range)
	if rng == nil || u.parts[rng] == nil {
		return
	}
	m, ok := rng.X.Type().Underlying().(*types.Map)
	if !ok {
		return
	}
	at := u.of(rng.X)
	u.parts[in] = []*region{nil, u.load(at, m.Key()), u.load(at, m.Elem())}
}

// result is the region of a result of a function of the unit.
func (u *unit) result(f *ssa.Function, i int) *region {
	rs := u.parts[f]
	if rs == nil {
		rs = make([]*region, f.Signature.Results().Len())
		u.parts[f] = rs
	}
	if rs[i] == nil && u.s.C.leads(f.Signature.Results().At(i).Type()) {
		rs[i] = &region{}
	}
	return rs[i]
}

// closure makes what a closure has captured, gets and returns one region, unless it is
// only called where it is made.
func (u *unit) closure(in *ssa.MakeClosure) {
	f := in.Fn.(*ssa.Function)
	for i, b := range in.Bindings {
		if f.Parent() != nil {
			unite(u.of(b), u.of(f.FreeVars[i]))
		}
	}
	self := u.of(in)
	if calledHere(in) {
		return
	}
	if self == nil {
		return
	}
	blur(self)
	for _, b := range in.Bindings {
		unite(self, u.of(b))
	}
	if f.Parent() == nil { // a method value
		return
	}
	for _, p := range f.Params {
		r := u.of(p)
		if r != nil && u.s.C.Given(p.Type()) && usersMayCall(in) {
			r.find().user = true
		}
		unite(self, r)
	}
	for i := range f.Signature.Results().Len() {
		unite(self, u.result(f, i))
	}
}

// calledHere reports whether a closure is nothing but called, deferred or started.
func calledHere(m *ssa.MakeClosure) bool {
	return !slices.ContainsFunc(form.Uses(m), func(r ssa.Instruction) bool {
		c, ok := r.(ssa.CallInstruction)
		return !ok || c.Common().Value != m || slices.Contains(c.Common().Args, ssa.Value(m))
	})
}

// usersMayCall reports whether a closure is more than an argument of a function.
func usersMayCall(m *ssa.MakeClosure) bool {
	return slices.ContainsFunc(form.Uses(m), func(r ssa.Instruction) bool {
		_, call := r.(ssa.CallInstruction)
		return !call
	})
}
