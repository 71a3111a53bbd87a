package world

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// What calls do to regions: see sharing.go and regions.go.

// call applies what a call does.
func (u *unit) call(in ssa.CallInstruction) {
	cc := in.Common()
	var results []*region
	res := cc.Signature().Results()
	v, _ := in.(ssa.Value)
	for i := range res.Len() {
		var r *region
		switch {
		case v == nil || !u.s.C.leads(res.At(i).Type()):
		case res.Len() == 1:
			r = u.of(v)
			u.results = append(u.results, v)
		default:
			if u.parts[v] == nil {
				u.parts[v] = make([]*region, res.Len())
			}
			if u.parts[v][i] == nil {
				u.parts[v][i] = &region{}
			}
			r = u.parts[v][i].find()
		}
		results = append(results, r)
	}
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		u.builtin(in, b.Name(), results)
		return
	}
	if cc.IsInvoke() {
		args := append([]ssa.Value{cc.Value}, cc.Args...)
		it := cc.Value.Type().Underlying().(*types.Interface)
		for _, m := range u.s.w.methodsLike(cc.Method) {
			recv := m.Signature.Recv().Type()
			if types.Implements(recv, it) || types.Implements(types.NewPointer(recv), it) || form.IsGeneric(m) {
				u.apply(in, m, args, results, nil)
			}
		}
		u.openResults(cc, args, results)
		if !u.s.ownInterface(cc.Value.Type()) { // out of a library, as from a context
			self := u.of(cc.Value)
			for i, r := range results {
				if r != nil && self != nil {
					blur(self)
					unite(self, r)
				}
				u.unknown(r, v, res.At(i).Type())
			}
		}
		u.given = append(u.given, cc.Args...)
		return
	}
	f := cc.StaticCallee()
	switch {
	case f == nil:
		self := u.of(cc.Value)
		for _, g := range u.s.w.valuesLike(cc.Signature()) {
			u.apply(in, g, cc.Args, results, self)
		}
		if self != nil {
			blur(self)
			for _, a := range cc.Args {
				if holdsPointers(a.Type()) {
					unite(self, u.of(a))
				}
			}
			for _, r := range results {
				unite(self, r)
			}
		}
		u.openResults(cc, cc.Args, results)
		u.given = append(u.given, cc.Args...)
	case slices.Contains(u.fs, f):
		for i, a := range cc.Args {
			unite(u.of(f.Params[i]), u.of(a))
		}
		for i, r := range results {
			unite(u.result(f, i), r)
		}
	case len(form.Body(f).Blocks) > 0:
		u.apply(in, form.Body(f), cc.Args, results, nil)
	default:
		u.unseen(in, f, results)
	}
}

// holdsPointers reports whether there may be pointers in what a value leads to. Where
// there are none, as in bytes, a function of users puts nothing, and it keeps nothing of
// what it is given (open-calls); what one of the program does is in its shape.
func holdsPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return len(form.PointersIn(u.Elem())) > 0
	case *types.Pointer:
		return len(form.PointersIn(u.Elem())) > 0
	}
	return true
}

// openResults: what a function of users returns is new, or an argument (open-calls).
func (u *unit) openResults(cc *ssa.CallCommon, args []ssa.Value, results []*region) {
	for i, r := range results {
		if r == nil {
			continue
		}
		for _, a := range args {
			if types.Identical(a.Type(), cc.Signature().Results().At(i).Type()) {
				unite(r, u.of(a))
			}
		}
	}
}

// apply joins a copy of the shape of a function with arguments and results.
func (u *unit) apply(in ssa.CallInstruction, f *ssa.Function, args []ssa.Value,
	results []*region, self *region) {
	u.asked[f] = true
	sh := u.s.shapes[f]
	if sh == nil {
		if f.Parent() == nil && !slices.Contains(u.s.w.Sources, f) && len(f.Blocks) > 0 {
			u.s.shape(f)
		}
		if sh = u.s.shapes[f]; sh == nil {
			return
		}
	}
	c := &copier{to: map[*region]*region{}, global: u.global.find(), site: in,
		many: u.many(in)}
	for i, r := range sh.slots {
		made := c.copy(r)
		if made != nil && sh.generic {
			made.flatten()
		}
		switch {
		case i < sh.results:
			if i < len(args) {
				unite(u.of(args[i]), made)
				u.taken(in, u.of(args[i]), args[i], sh, i, args)
			}
		case i < sh.results+len(results):
			unite(results[i-sh.results], made)
			if v, ok := in.(ssa.Value); ok {
				u.taken(in, results[i-sh.results], v, sh, i, args)
			}
		case self != nil:
			unite(self, made)
		}
	}
	if sh.generic { // what is found by one type in it is found by others outside
		for _, r := range c.order {
			r.flatten()
		}
	}
}

// taken notes what a call makes one slot of a function lead to.
func (u *unit) taken(in ssa.CallInstruction, at *region, v ssa.Value, sh *shape, slot int, args []ssa.Value) {
	if at == nil || slot >= len(sh.takes) {
		return
	}
	var others []ssa.Value
	for j := range sh.takes[slot] {
		if j < len(args) {
			others = append(others, args[j])
		}
	}
	if len(others) > 0 {
		u.takers = append(u.takers, linkCall{at, v, in, others})
	}
}

// builtin: elements move with append and copy.
func (u *unit) builtin(in ssa.CallInstruction, name string, results []*region) {
	args := in.Common().Args
	switch name {
	case "append", "copy":
		if len(args) < 2 {
			return
		}
		to, from := u.of(args[0]), u.of(args[1])
		if name == "append" && results[0] != nil {
			unite(results[0], to)
			to = results[0].find()
		}
		sl, ok := args[0].Type().Underlying().(*types.Slice)
		if ok && to != nil && from != nil {
			a, b := u.load(to, sl.Elem()), u.load(from, sl.Elem())
			if a != nil {
				unite(a, b)
				u.stores = append(u.stores, regionStore{to, a, in, args[1]})
			}
		}
	case "recover":
		if len(results) > 0 {
			unite(u.global, results[0])
		}
	case "min", "max", "ssa:wrapnilchk":
		for _, a := range args {
			if len(results) > 0 {
				unite(results[0], u.of(a))
			}
		}
	}
}

// unseen: a library function may make all that it is given and returns lead to one
// another.
func (u *unit) unseen(in ssa.CallInstruction, f *ssa.Function, results []*region) {
	var all []*region
	for _, a := range in.Common().Args {
		if r := u.of(a); r != nil {
			all = append(all, r)
		}
	}
	back := false
	for _, r := range results {
		if r != nil {
			all, back = append(all, r), true
		}
	}
	u.unknownIn(in)
	if f.Object() != nil && !back && u.s.w.onlyReads(f.Object().(*types.Func)) {
		return
	}
	if len(all) < 2 {
		return
	}
	if copies(f) { // what it returns is new, and has the elements of the others
		for _, r := range all {
			if u.elementsLead(in) {
				unite(all[0].flatten(), r.flatten())
			}
		}
		return
	}
	for _, r := range all {
		unite(all[0], r)
	}
	blur(all[0])
	for _, a := range in.Common().Args {
		if r := u.of(a); r != nil {
			u.stores = append(u.stores, regionStore{all[0], r, in, a})
		}
	}
}

// unknownIn: a library may fill a variable of the program with what it got elsewhere, as
// errors.As does.
func (u *unit) unknownIn(in ssa.CallInstruction) {
	for _, a := range in.Common().Args {
		if m, ok := a.(*ssa.MakeInterface); ok {
			a = m.X
		}
		p, ok := a.Type().Underlying().(*types.Pointer)
		if r := u.of(a); ok && r != nil {
			switch p.Elem().Underlying().(type) {
			case *types.Pointer, *types.Interface:
				u.unknown(u.load(r, p.Elem()), a, p.Elem())
			}
		}
	}
}

// unknown notes that it is not known where a value of a type comes from.
func (u *unit) unknown(r *region, at ssa.Value, t types.Type) {
	if r == nil {
		return
	}
	r.find().user = true
	for n := range u.s.types {
		if u.s.count(t)[n] > 0 || u.s.isPart(n, t) {
			r.source(at, &regionSource{n, true})
		}
	}
}

// elementsLead reports whether the elements of what a function is given lead to memory
// that changes.
func (u *unit) elementsLead(in ssa.CallInstruction) bool {
	return slices.ContainsFunc(in.Common().Args, func(a ssa.Value) bool {
		switch t := a.Type().Underlying().(type) {
		case *types.Map:
			return u.s.C.leads(t.Elem()) || u.s.C.leads(t.Key())
		case *types.Slice:
			return u.s.C.leads(t.Elem())
		}
		return true
	})
}

// copies reports whether a library function returns a new map or slice with the elements
// of what it is given.
func copies(f *ssa.Function) bool {
	if f.Object() == nil || f.Object().Pkg() == nil {
		return false
	}
	switch f.Object().Pkg().Path() + "." + f.Object().Name() {
	case "maps.Clone", "maps.Collect", "slices.Clone", "slices.Collect", "slices.Concat",
		"slices.Sorted", "bytes.Clone":
		return true
	}
	return false
}
