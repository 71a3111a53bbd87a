package world

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// The checks for sharing: see sharing.go.

// regionsFrom lists the regions that one gets to from some, without going through stop; those
// of variables are left out.
func regionsFrom(from []*region, stop *region) map[*region]bool {
	out := map[*region]bool{}
	var visit func(r *region)
	visit = func(r *region) {
		if r = r.find(); out[r] || r == stop || r.global {
			return
		}
		out[r] = true
		for _, c := range r.contents() {
			visit(c)
		}
	}
	for _, r := range from {
		if r != nil {
			visit(r)
		}
	}
	return out
}

// leadsInto reports whether one gets from objects of one region to something that one
// gets to from another, and not only by the first.
func leadsInto(n, q *region) bool {
	if n == nil || q == nil {
		return false
	}
	n, q = n.find(), q.find()
	if n == q {
		return true
	}
	own := regionsFrom([]*region{n}, nil)
	for r := range regionsFrom([]*region{q}, n) {
		if own[r] {
			return true
		}
	}
	return false
}

// sourceAt is a region with values of a receiver type.
type sourceAt struct {
	at  *region
	key any
	src *regionSource
}

func (u *unit) sources() []sourceAt {
	var out []sourceAt
	seen := map[*region]bool{}
	for _, r := range u.vals {
		if r = r.find(); seen[r] || r.global {
			continue
		}
		seen[r] = true
		for k, src := range r.sources {
			out = append(out, sourceAt{r, k.key, src})
		}
	}
	return out
}

// check finds the types of which two values may share memory by what a function does.
func (s *sharing) check(u *unit) {
	u.settle()
	sources := append(u.sources(), u.returned()...)
	s.checkPairs(u, sources)
	s.checkPieces(u, sources)
	s.checkMany(u, sources)
	s.checkSeveral(u, sources)
	s.checkGlobal(u, sources)
	for _, g := range u.fs {
		if s.usersCall(g) {
			s.checkCalled(u, g, sources)
		}
	}
}

// returned are the values, not pointers, that functions return to users: a source in the
// region to which the value leads.
func (u *unit) returned() []sourceAt {
	var out []sourceAt
	for _, g := range u.fs {
		if !u.s.usersCall(g) {
			continue
		}
		for i := range g.Signature.Results().Len() {
			t := g.Signature.Results().At(i).Type()
			if r := u.result(g, i); r != nil && form.IsStruct(t) {
				for n, k := range u.s.count(t) {
					out = append(out, sourceAt{r.find(), sourceKey{nil, i, n}, &regionSource{n, k > 1}})
				}
			}
		}
	}
	return out
}

// usersCall reports whether users may call a function, by its name or as a value: closures
// count as captured.
func (s *sharing) usersCall(g *ssa.Function) bool {
	if g.Parent() != nil {
		return true
	}
	o := g.Object()
	return o != nil && (o.Exported() || s.w.isValue(g))
}

// checkSeveral: a function that is given two values may access one of them under the lock
// of the other, unless it holds none.
func (s *sharing) checkSeveral(u *unit, sources []sourceAt) {
	count := map[*types.Named]int{}
	for _, a := range sources {
		if _, param := a.key.(*ssa.Parameter); param && !s.onlyInSight(a) {
			count[a.src.of]++
			if a.src.many {
				count[a.src.of]++
			}
		}
	}
	for n, found := range u.foundOf {
		count[n] += len(found)
	}
	for n, k := range count {
		if k > 1 && s.Shared[n] == "" && s.holdsLocks(u, n) {
			s.share(n, "a function has two")
		}
	}
}

// pathTo names where a value was found: what has one name is taken for one.
func pathTo(v ssa.Value, depth int) string {
	if depth > 10 {
		return v.Name()
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if vs, ok := form.KeptIn(x); ok && len(vs) == 1 {
			return pathTo(vs[0], depth+1)
		}
		return "*" + pathTo(x.X, depth+1)
	case *ssa.FieldAddr:
		return pathTo(x.X, depth+1) + "." + strconv.Itoa(x.Field)
	case *ssa.Field:
		return pathTo(x.X, depth+1) + "." + strconv.Itoa(x.Field)
	case *ssa.IndexAddr:
		return pathTo(x.X, depth+1) + "[]"
	case *ssa.Lookup:
		return pathTo(x.X, depth+1) + "[]"
	case *ssa.Extract:
		return pathTo(x.Tuple, depth+1) + "," + strconv.Itoa(x.Index)
	case *ssa.TypeAssert:
		return pathTo(x.X, depth+1)
	case *ssa.FreeVar:
		if b := form.Binding(x); b != nil {
			return pathTo(b, depth+1)
		}
	}
	if v.Parent() == nil {
		return v.Name()
	}
	return v.Parent().Name() + " " + v.Name()
}

// holdsLocks reports whether a function that has two values of a type may hold a lock where
// it accesses something or calls another function: it takes one, or a function that
// it may run takes more than it gives back, or calls a function value, or, in sight, has
// two values itself.
func (s *sharing) holdsLocks(u *unit, n *types.Named) bool {
	return slices.ContainsFunc(s.w.mayRun(u.fs...), func(f *ssa.Function) bool {
		take, give := lockOps(f)
		return take+give > 0 && (slices.Contains(u.fs, f) || take > give || callsValues(f) || s.inSight(f) && s.hasTwo(f, n))
	})
}

// hasTwo reports whether a function has parameters with two values of a type.
func (s *sharing) hasTwo(f *ssa.Function, n *types.Named) bool {
	k := 0
	for _, p := range f.Params {
		k += s.count(p.Type())[n]
		if s.isPart(n, p.Type()) {
			k++
		}
	}
	return k > 1
}

// callsValues reports whether a function calls function values, or methods of interfaces.
func callsValues(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(ssa.CallInstruction)
			return ok && c.Common().StaticCallee() == nil && !form.BuiltinValue(c.Common().Value)
		})
	})
}

// lockOps counts where a function takes locks, or waits for a channel, and where it gives
// locks back.
func lockOps(f *ssa.Function) (take, give int) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) { // a lock's method as a value
				if g, ok := (*op).(*ssa.Function); ok && strings.HasSuffix(g.Name(), "ock$bound") {
					take++
				}
			}
			switch in := in.(type) {
			case *ssa.Send, *ssa.Select:
				take++
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					take++
				}
			case ssa.CallInstruction:
				name := ""
				if m := in.Common().Method; m != nil {
					name = m.Name()
				} else if g := in.Common().StaticCallee(); g != nil {
					name = g.Name()
				}
				switch name {
				case "Lock", "RLock", "TryLock", "TryRLock", "Acquire", "TryAcquire":
					take++
				case "Unlock", "RUnlock", "Release":
					give++
				}
			}
		}
	}
	return take, give
}

// checkGlobal: a value leads to what variables of packages lead to.
func (s *sharing) checkGlobal(u *unit, sources []sourceAt) {
	for _, a := range sources {
		for r := range regionsFrom([]*region{a.at}, nil) {
			for _, c := range r.contents() {
				if c.global {
					s.share(a.src.of, "it leads to what variables lead to in "+s.w.FuncName(u.fs[0]))
				}
			}
		}
	}
}

// checkPairs: two values that the function makes, gets or finds lead to one object.
func (s *sharing) checkPairs(u *unit, sources []sourceAt) {
	for i, a := range sources {
		for _, b := range sources[:i] {
			if s.onlyInSight(a) && s.onlyInSight(b) {
				continue
			}
			_, parameter := b.key.(*ssa.Parameter)
			if parameter && isReturned(a) && a.at == b.at && a.src.of == b.src.of && byValue(b.key) {
				s.share(a.src.of, "a copy of it leads to what it leads to")
			}
			if _, value := b.key.(sourceKey); value && a.at == b.at && isReturned(a) &&
				isReturned(b) && a.src.of == b.src.of {
				s.share(a.src.of, "two values of it that a function returns lead to one object")
			}
			if a.src.of == b.src.of && a.at != b.at && s.Shared[a.src.of] == "" &&
				(leadsInto(a.at, b.at) || leadsInto(b.at, a.at)) {
				s.share(a.src.of, "two values of it are made to lead to one object")
			}
		}
	}
}

// byValue reports whether a value is a struct, not a pointer.
func byValue(key any) bool {
	p, ok := key.(*ssa.Parameter)
	return ok && form.IsStruct(p.Type())
}

func isReturned(a sourceAt) bool {
	k, ok := a.key.(sourceKey)
	return ok && k.site == nil && k.n >= 0
}

// onlyInSight reports whether a value is a parameter of a function that static calls of
// the program alone enter. Two of these are told apart at the calls, where what the
// function makes lead to what is known by its shape.
func (s *sharing) onlyInSight(a sourceAt) bool {
	p, ok := a.key.(*ssa.Parameter)
	return ok && s.inSight(p.Parent())
}

// inSight reports whether static calls of the program alone enter a function: users cannot
// name it, and it is no function value.
func (s *sharing) inSight(f *ssa.Function) bool {
	return f.Parent() == nil && f.Object() != nil && !s.usersCall(f)
}

// checkPieces: an object that a value does not lead to, and that leads to something in the
// value, has a piece of it. Who has that object may access the piece without the value; so
// the types of such objects are parts. No object of a part leads to two values.
func (s *sharing) checkPieces(u *unit, sources []sourceAt) {
	for _, a := range sources {
		n := a.src.of
		if s.Shared[n] != "" {
			continue
		}
		own := regionsFrom([]*region{a.at}, nil)
		for _, v := range u.values() {
			m, ok := types.Unalias(form.Deref(v.Type())).(*types.Named)
			r := u.of(v)
			if !ok || r == nil || own[r] || r.find().global || m.Origin() == n || !form.IsStruct(m) {
				continue
			}
			m = m.Origin()
			if leadsInto(a.at, r) && !s.isPart(n, m) {
				s.parts[n][m] = false // users have it only where they get it
			}
			if !s.isPart(n, m) {
				continue
			}
			from := regionsFrom([]*region{r}, nil)
			leads := func(b sourceAt) bool { return from[b.at] || leadsInto(b.at, r) }
			for _, b := range sources {
				if b.src.of == n && b.key != a.key && leads(a) && leads(b) {
					s.share(n, "an object leads to two")
				}
			}
			if leads(a) && a.src.many {
				s.share(n, "an object leads to several")
			}
		}
	}
}

// checkMany: where a region stands for several values, what is stored in one of them, and
// what they lead to, may be what another one has.
func (s *sharing) checkMany(u *unit, sources []sourceAt) {
	count := map[*region]map[*types.Named]int{}
	for _, a := range sources {
		if count[a.at] == nil {
			count[a.at] = map[*types.Named]int{}
		}
		count[a.at][a.src.of]++
		if a.src.many {
			count[a.at][a.src.of]++
		}
	}
	if g := u.global.find(); count[g] == nil { // variables may have several of each type
		count[g] = map[*types.Named]int{}
	}
	for n := range s.types {
		count[u.global.find()][n] = 2
	}
	for r, of := range count {
		for n, k := range of {
			if k < 2 || s.Shared[n] != "" {
				continue
			}
			if r.global {
				s.checkVariables(u, n)
				continue
			}
			own := regionsFrom([]*region{r}, nil)
			for _, st := range u.stores {
				if own[st.at.find()] && !madeForThis(st.in, st.v) &&
					(own[st.val.find()] || st.val.find().user) {
					s.share(n, "a pointer is stored in one of several")
				}
			}
			for _, t := range u.takers {
				if t.at != nil && own[t.at.find()] &&
					slices.ContainsFunc(t.args,
						func(v ssa.Value) bool { return u.of(v) != nil && !madeForThis(t.in, v) }) {
					s.share(n, "a call stores a pointer in one of several")
				}
			}
		}
	}
}

// checkVariables is checkMany for the values that variables lead to.
func (s *sharing) checkVariables(u *unit, n *types.Named) {
	for _, st := range u.stores {
		var at ssa.Value
		switch in := st.in.(type) {
		case *ssa.Store:
			at = in.Addr
		case *ssa.MapUpdate:
			at = in.Map
		}
		if st.at.find().global && at != nil && goesThrough(at, n) && !madeForThis(st.in, st.v) {
			s.share(n, "a pointer is stored in one that a variable leads to")
		}
	}
	for _, t := range u.takers {
		if t.at != nil && t.at.find().global && goesThrough(t.v, n) &&
			slices.ContainsFunc(t.args, func(v ssa.Value) bool {
				return u.of(v) != nil &&
					!madeForThis(t.in, v)
			}) {
			s.share(n, "a call stores a pointer in one that a variable leads to")
		}
	}
}

// goesThrough reports whether an address or pointer was found in a value of a type.
func goesThrough(v ssa.Value, n *types.Named) bool {
	for range 20 {
		if form.OfType(v.Type(), n) {
			return true
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Lookup:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return false
		}
	}
	return true
}

// madeForThis reports whether a value is made right before an instruction, and stored or
// passed on by nothing else.
func madeForThis(in ssa.Instruction, v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
	default:
		return false
	}
	made, ok := v.(ssa.Instruction)
	if !ok || made.Block() != in.Block() {
		return false
	}
	passed := 0
	for _, r := range form.Uses(v) {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp, *ssa.DebugRef, *ssa.Lookup:
		case *ssa.MapUpdate:
			if r.Key == v || r.Value == v {
				passed++
			}
		case *ssa.Store:
			if r.Val == v {
				passed++
			}
		default:
			passed++
		}
	}
	return passed <= 1
}

// checkCalled: users may call the function twice, with two values and one object that
// they have, or such that return two values for one object.
func (s *sharing) checkCalled(u *unit, g *ssa.Function, sources []sourceAt) {
	slots := u.slots(g)
	for _, a := range sources {
		n := a.src.of
		own := regionsFrom([]*region{a.at}, nil)
		for r := range own {
			if r.user {
				s.share(n, "it leads to what users give to a function of "+s.w.FuncName(g))
			}
		}
		for j, p := range g.Params {
			if p == a.key || slots[j] == nil || slots[j].has(n) || !s.C.Given(p.Type()) {
				continue
			}
			if leadsInto(a.at, slots[j]) {
				s.share(n, "it leads to what users give to "+s.w.FuncName(g))
			}
		}
		if self := slots[len(slots)-1]; self != nil && g.Parent() != nil {
			if p, param := a.key.(*ssa.Parameter); param && p.Parent() == g && leadsInto(a.at, self) {
				s.share(n, "it leads to what "+s.w.FuncName(g)+" has captured")
			}
		}
		for i := len(g.Params); i < len(slots)-1; i++ { // users get parts of it
			if slots[i] == nil || !leadsInto(a.at, slots[i]) {
				continue
			}
			s.usersHave(n, g.Signature.Results().At(i-len(g.Params)).Type(), own[slots[i].find()])
		}
		for _, v := range u.given {
			if r := u.of(v); r != nil && (own[r] || leadsInto(a.at, r)) {
				s.noteParts(n, v.Type(), false) // only while they run (open-calls)
			}
		}
	}
}

// usersHave notes that users have what a value leads to; within: they may put something
// into it, where it is a slice, a map, a channel, or a variable.
func (s *sharing) usersHave(of *types.Named, t types.Type, within bool) {
	s.noteParts(of, t, true)
	if p, ok := t.Underlying().(*types.Pointer); ok && within && s.libraryObject(p.Elem()) {
		s.share(of, "users may change an object of a library in it")
	}
	e, ok := t.Underlying().(interface{ Elem() types.Type })
	if !ok || !within {
		return
	}
	if _, named := types.Unalias(form.Deref(t)).(*types.Named); !(named && form.IsPointer(t)) && s.C.Given(e.Elem()) {
		s.share(of, "users may put something into a part of it")
	}
}

// libraryObject reports whether a type is one of a library, not for concurrent use, in
// which users may put something.
func (s *sharing) libraryObject(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && !types.IsInterface(n) && !s.w.Own[n.Obj().Pkg()] && !s.w.Models.SafeType(n) &&
		len(form.PointersIn(n)) > 0
}

// noteParts notes the types of objects that users get out of a value of a receiver type:
// not the copy that a result is. kept: they keep it, and may set its exported members.
func (s *sharing) noteParts(of *types.Named, t types.Type, kept bool) {
	pointers := form.PointersIn(t)
	for _, p := range pointers {
		if it, ok := p.Underlying().(*types.Interface); ok && it.NumMethods() == 0 && !form.IsParam(p) {
			for _, b := range s.w.Boxes { // the program may ask for what is in it
				if s.C.looksInto(it, b) {
					pointers = append(pointers, form.PointersIn(b)...)
				}
			}
			break
		}
	}
	for _, p := range pointers {
		s.w.EachBehind(p, func(n *types.Named) bool {
			if n == of || s.parts[of][n] || !kept && s.isPart(of, n) {
				return false
			}
			if form.IsStruct(n) && s.C.Given(types.NewPointer(n)) {
				s.parts[of][n] = kept
			}
			return true
		})
	}
}

// checkMembers: users set exported members of two values to one object, also those of
// parts that they have, and copy into them structs that lead to one.
func (s *sharing) checkMembers(n *types.Named) {
	seen := map[types.Type]bool{}
	var look func(t types.Type)
	look = func(t types.Type) {
		st, ok := t.Underlying().(*types.Struct)
		if !ok || seen[t] {
			return
		}
		seen[t] = true
		for f := range st.Fields() {
			switch {
			case f.Exported() && s.C.Given(f.Type()) && (!form.IsStruct(f.Type()) || !s.w.HoldsLock(f.Type(), 0)):
				s.share(n, "users set member "+f.Name())
			case f.Exported() || f.Embedded():
				look(f.Type())
			}
		}
	}
	look(n)
	for p, kept := range s.parts[n] {
		if kept {
			look(p)
		}
	}
}
