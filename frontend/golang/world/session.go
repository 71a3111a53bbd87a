package world

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Session is a type whose values belong to one goroutine each.
type Session struct {
	Of   *types.Named
	Uses []*ssa.Function // its exported methods, and functions that are given a value
	// Ends come last: those that give back a lock which they did not take, and those that
	// put the value into a pool.
	Ends []*ssa.Function
	// Lone: no entry point gives users a value, but what users have registered may get one.
	Lone bool
	// instances are the uses of values of instances with other arguments than type
	// parameters; unknown says why not all uses are known.
	instances map[*types.Named][]*ssa.Function
	unknown   string
	pkg       *ssa.Package
}

// UsesOf lists what users do with a value of an instance of the type, and to end it; where
// that is not known it says why.
func (s *Session) UsesOf(n *types.Named) (uses, ends []*ssa.Function, unknown string) {
	n, _ = form.General(n).(*types.Named)
	if n == s.Of.Origin() || s.Of.TypeParams().Len() == 0 {
		return s.Uses, s.Ends, s.unknown
	}
	for t, fs := range s.instances {
		if types.Identical(t, n) {
			return fs, nil, s.unknown
		}
	}
	return nil, nil, "the methods of " + form.Key(n) + ", which depends on type parameters"
}

// sessionInstances finds the methods of the instances of generic session types: they have
// bodies of their own (instances.go).
func (w *World) sessionInstances(roots []Root) []Root {
	for _, n := range slices.SortedFunc(maps.Keys(w.Sessions), func(a, b *types.Named) int {
		return cmp.Compare(form.Key(a), form.Key(b))
	}) {
		s := w.Sessions[n]
		for _, t := range w.instances.of[n] {
			if form.DependsOnParams(t) || len(slices.Concat(s.Uses, s.Ends)) == 0 {
				continue
			}
			if s.instances == nil {
				s.instances = map[*types.Named][]*ssa.Function{}
			}
			for _, r := range w.instanceMethods(s.pkg, t) {
				r.Kind = SessionRoot
				roots = append(roots, r)
				s.instances[t] = append(s.instances[t], r.Fn)
			}
		}
	}
	return roots
}

// At is the parameter of a use, or an end, that is the value.
func (s *Session) At(f *ssa.Function) int {
	if f.Signature.Recv() != nil {
		return 0
	}
	return slices.IndexFunc(f.Params, func(p *ssa.Parameter) bool { return form.SameNamed(p.Type(), s.Of) })
}

// isSession reports whether values of a type, which would be one for concurrent use
// because its methods start goroutines, or which one that is for it returns, are handed
// out to one goroutine each: methods of other types return them, or give them to
// functions, and users cannot make them.
func (w *World) isSession(p *ssa.Package, t *types.Named) bool {
	if _, ok := t.Underlying().(*types.Struct); !ok || t.TypeParams().Len() > 0 {
		return false
	}
	handed := false
	for _, n := range form.SortedKeys(p.Members) {
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if ast.IsExported(n) && mentionsResult(m.Signature, t) {
				return false
			}
		case *ssa.Type:
			ms := types.NewMethodSet(types.NewPointer(m.Type()))
			for i := range ms.Len() {
				f, ok := ms.At(i).Obj().(*types.Func)
				if ok && f.Exported() && !form.SameNamed(m.Type(), t) {
					handed = handed || mentionsResult(f.Signature(), t) || givesToFunction(f.Signature(), t)
				}
			}
		}
	}
	return handed
}

// sessionsOf finds the types without locks and promises that methods of types which are
// for concurrent use return, or give to functions of users, such as iterators, which may
// look into what the first has, those that functions among the roots return, and those
// that their methods return in turn. Users may make values of them, too: a value belongs
// to the goroutine that has it.
func (w *World) sessionsOf(p *ssa.Package, safe map[string]bool, roots []Root) []Root {
	var givers, rest []*types.Named
	for _, n := range form.SortedKeys(p.Members) {
		m, ok := p.Members[n].(*ssa.Type)
		if !ok || !ast.IsExported(n) {
			continue
		}
		named, ok := types.Unalias(m.Type()).(*types.Named)
		switch {
		case !ok || types.IsInterface(named):
		case w.concurrent(p, named) || w.libraries[p].sessions[named]:
			givers = append(givers, named)
		case len(w.methods(p, named)) > 0 || len(w.functionsOf(p, &Session{Of: named})) > 0:
			if _, basic := named.Underlying().(*types.Basic); !basic { // which leads nowhere
				rest = append(rest, named)
			}
		}
	}
	var out []Root
	given := func(r Root, g *types.Named) {
		rest = slices.DeleteFunc(rest, func(t *types.Named) bool {
			if g != nil && form.SameNamed(g, t) ||
				!givesSession(r.Fn.Signature, t) && !(g != nil && takesSession(g, t, 0)) {
				return false
			}
			out = append(out, w.addSession(p, t)...)
			givers = append(givers, t)
			return true
		})
	}
	for _, r := range roots {
		if r.Kind == FunctionRoot {
			given(r, nil)
		}
	}
	shared := slices.Clone(givers)
	for len(givers) > 0 {
		g := givers[0]
		givers = givers[1:]
		for _, r := range w.methods(p, g) {
			given(r, g)
		}
	}
	if len(roots) > 0 {
		rest = slices.DeleteFunc(rest, func(t *types.Named) bool {
			if !w.registeredGet(p, t) {
				return false
			}
			out = append(out, w.addSession(p, t)...)
			w.Sessions[t.Origin()].Lone = true
			return true
		})
	}
	for _, t := range rest {
		if w.leadsToShared(p, t, shared) {
			w.Report.Assume("session", w.Pos(t.Obj().Pos()), "methods of %s are not called while others use what its values lead to: it has no lock, and it was not found out how users get values of it", w.TypeName(t))
		}
	}
	return out
}

// registeredGet reports whether users give a package functions, or values with methods,
// that are given values of a type: by exported functions, methods of exported types, and
// exported variables. Entry points may call these later.
func (w *World) registeredGet(p *ssa.Package, t *types.Named) bool {
	for _, n := range form.SortedKeys(p.Members) {
		if !ast.IsExported(n) {
			continue
		}
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if givesToFunction(m.Signature, t) {
				return true
			}
		case *ssa.Global:
			if takesSession(form.Deref(m.Type()), t, 0) {
				return true
			}
		case *ssa.Type:
			named, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok || types.IsInterface(named) || form.SameNamed(named, t) {
				continue
			}
			if slices.ContainsFunc(declaredMethods(p, named), func(r Root) bool { return givesToFunction(r.Fn.Signature, t) }) {
				return true
			}
		}
	}
	return false
}

// leadsToShared reports whether values of a type, or what its methods are given, lead to
// values of one that several goroutines use, or to what those lead to.
func (w *World) leadsToShared(p *ssa.Package, n *types.Named, shared []*types.Named) bool {
	theirs := map[string]bool{}
	for _, g := range shared {
		targets(g, theirs, map[types.Type]bool{}, 0)
		theirs[targetKey(g)] = true
	}
	own := map[string]bool{}
	targets(n, own, map[types.Type]bool{}, 0)
	for _, r := range w.methods(p, n) {
		for _, t := range form.ComponentTypes(r.Fn.Signature.Params()) {
			if form.IsPointer(t) {
				own[targetKey(form.Deref(t))] = true
			}
		}
	}
	for k := range own {
		if theirs[k] && k != targetKey(n) {
			return true
		}
	}
	return false
}

// targetKey names a type, all instances of a generic one alike.
func targetKey(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		t = n.Origin()
	}
	return form.Key(t)
}

// targets notes the types of what values of a type lead to by pointers, slices, maps and
// channels.
func targets(t types.Type, out map[string]bool, seen map[types.Type]bool, depth int) {
	if depth > 2*maxSessionDepth || seen[t] {
		return
	}
	seen[t] = true
	to := func(e types.Type, k string) {
		// a slice of numbers or strings says little
		if _, basic := e.Underlying().(*types.Basic); !basic || form.IsPointer(t) {
			out[k] = true
		}
		targets(e, out, seen, depth+1)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		to(u.Elem(), targetKey(u.Elem()))
	case *types.Slice:
		to(u.Elem(), "[]"+targetKey(u.Elem()))
	case *types.Map:
		out[targetKey(u)] = true
		targets(u.Key(), out, seen, depth+1)
		targets(u.Elem(), out, seen, depth+1)
	case *types.Chan:
		to(u.Elem(), targetKey(u))
	case *types.Array:
		targets(u.Elem(), out, seen, depth)
	case *types.Struct:
		for f := range u.Fields() {
			targets(f.Type(), out, seen, depth+1)
		}
	}
}

// givesSession reports whether who calls a function gets values of a type: as results,
// also in slices, maps, channels and exported members, or as what a function of his is
// given.
func givesSession(sig *types.Signature, n *types.Named) bool {
	return givesToFunction(sig, n) || slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(t types.Type) bool { return leadsToSession(t, n, 0) })
}

// maxSessionDepth is how deep in what users get session values are looked for.
const maxSessionDepth = 4

func leadsToSession(t types.Type, n *types.Named, depth int) bool {
	if form.SameNamed(t, n) {
		return true
	}
	if depth == maxSessionDepth {
		return false
	}
	in := func(t types.Type) bool { return leadsToSession(t, n, depth+1) }
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && in(u.Elem())
	case *types.Slice:
		return in(u.Elem())
	case *types.Array:
		return in(u.Elem())
	case *types.Map:
		return in(u.Key()) || in(u.Elem())
	case *types.Chan:
		return in(u.Elem())
	case *types.Signature:
		return slices.ContainsFunc(form.ComponentTypes(u.Params()), in) || slices.ContainsFunc(form.ComponentTypes(u.Results()), in)
	case *types.Struct:
		for i := range u.NumFields() {
			if u.Field(i).Exported() && in(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

func mentionsResult(sig *types.Signature, n *types.Named) bool {
	for i := range sig.Results().Len() {
		if form.SameNamed(sig.Results().At(i).Type(), n) {
			return true
		}
	}
	return false
}

// givesToFunction reports whether a function that users give, by itself, in a member, or
// as a method, is given values that lead to one of the type.
func givesToFunction(sig *types.Signature, n *types.Named) bool {
	return slices.ContainsFunc(form.ComponentTypes(sig.Params()), func(t types.Type) bool { return takesSession(t, n, 0) })
}

// takesSession is givesToFunction for a parameter.
func takesSession(t types.Type, n *types.Named, depth int) bool {
	if depth == maxSessionDepth {
		return false
	}
	takes := func(sig *types.Signature) bool {
		return slices.ContainsFunc(form.ComponentTypes(sig.Params()), func(t types.Type) bool { return leadsToSession(t, n, depth+1) })
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return takes(u)
	case *types.Interface:
		for m := range u.Methods() {
			if m.Exported() && takes(m.Signature()) {
				return true
			}
		}
	case *types.Pointer:
		return takesSession(u.Elem(), n, depth+1)
	case *types.Slice:
		return takesSession(u.Elem(), n, depth+1)
	case *types.Map:
		return takesSession(u.Elem(), n, depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && takesSession(f.Type(), n, depth+1) {
				return true
			}
		}
	}
	return false
}

// addSession notes a session type, and returns its methods: they are run, but by no
// thread of their own.
func (w *World) addSession(p *ssa.Package, t *types.Named) []Root {
	s := &Session{Of: t, pkg: p}
	w.Sessions[t.Origin()] = s
	var ends []string
	ms := slices.DeleteFunc(append(w.methods(p, t), w.functionsOf(p, s)...), func(r Root) bool {
		if r.Unknown != "" {
			s.unknown = r.Unknown
		}
		return r.Unknown != ""
	})
	for i := range ms {
		ms[i].Kind = SessionRoot
		f := form.Body(ms[i].Fn)
		if givesBackOther(f, map[*ssa.Function]bool{}) || pools(f, s.At(f), map[*ssa.Parameter]bool{}) {
			s.Ends = append(s.Ends, ms[i].Fn)
			ends = append(ends, ms[i].Fn.Name())
		} else {
			s.Uses = append(s.Uses, ms[i].Fn)
		}
	}
	last := ""
	if len(ends) > 0 {
		last = "; who began it ends it last of all (" + strings.Join(ends, ", ") + "), and nobody else"
	}
	w.Report.Assume("session", w.Pos(t.Obj().Pos()), "a value of %s is used by the goroutine that got it, with what its methods return%s: "+
		"it has no lock, and its documentation does not say that several goroutines may use it", w.TypeName(t), last)
	return ms
}

// functionsOf lists the exported functions of a package that are given a value, and do
// more than users may do themselves: each is as good as a method.
func (w *World) functionsOf(p *ssa.Package, s *Session) []Root {
	shared := func(t types.Type) bool {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		return ok && n.Obj().Pkg() == p.Pkg && !types.IsInterface(n) && w.concurrent(p, n)
	}
	var out []Root
	for _, n := range form.SortedKeys(p.Members) {
		f, ok := p.Members[n].(*ssa.Function)
		if ok && ast.IsExported(n) && len(f.Blocks) > 0 && !form.IsGeneric(f) && s.At(f) >= 0 && !isClient(f, shared) {
			out = append(out, Root{Fn: f, Pkg: p})
		}
	}
	return out
}

// givesBackOther reports whether a function gives back a lock that it does not take: it,
// or one that it calls, has an Unlock of a kind of which it has no Lock.
func givesBackOther(f *ssa.Function, seen map[*ssa.Function]bool) bool {
	if f = form.Body(f); seen[f] {
		return false
	}
	seen[f] = true
	takes, gives := map[string]bool{}, map[string]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			g := c.Common().StaticCallee()
			if g == nil {
				continue
			}
			switch name := library.Name(g); {
			case strings.HasSuffix(name, "Mutex).Lock"), strings.HasSuffix(name, "Mutex).RLock"):
				takes[lockName(c)] = true
			case strings.HasSuffix(name, "Mutex).Unlock"), strings.HasSuffix(name, "Mutex).RUnlock"):
				gives[lockName(c)] = true
			case givesBackOther(g, seen):
				return true
			}
		}
	}
	for n := range gives {
		if !takes[n] {
			return true
		}
	}
	return false
}

// pools reports whether a function, or one that it calls, puts what it is given as a
// parameter into a sync.Pool: others may get it from there.
func pools(f *ssa.Function, at int, seen map[*ssa.Parameter]bool) bool {
	if at < 0 || at >= len(f.Params) || seen[f.Params[at]] {
		return false
	}
	seen[f.Params[at]] = true
	var put func(v ssa.Value) bool
	put = func(v ssa.Value) bool {
		return slices.ContainsFunc(form.Uses(v), func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.MakeInterface:
				return put(in)
			case *ssa.ChangeType:
				return put(in)
			case *ssa.ChangeInterface:
				return put(in)
			case ssa.CallInstruction:
				g := in.Common().StaticCallee()
				if g == nil {
					return false
				}
				i := slices.Index(in.Common().Args, v)
				if library.Name(g) == "(*sync.Pool).Put" {
					return i > 0
				}
				return pools(form.Body(g), i, seen)
			}
			return false
		})
	}
	return put(f.Params[at])
}

// lockName is the member that a lock lies in.
func lockName(c ssa.CallInstruction) string {
	args := c.Common().Args
	if len(args) == 0 {
		return ""
	}
	if fa, ok := args[0].(*ssa.FieldAddr); ok {
		return form.Deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field).Name()
	}
	return args[0].Name()
}

// IsSessionValue reports whether a type is that of values with sessions.
func (w *World) IsSessionValue(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && w.Sessions[n.Origin()] != nil
}

// LeadsOn reports whether a value of a type is one with sessions, or leads to some.
func (w *World) LeadsOn(t types.Type, depth int) bool {
	return w.IsSessionValue(t) || w.HasSessions(t, depth)
}

// HasSessions reports whether values of a type lead to session values.
func (w *World) HasSessions(t types.Type, depth int) bool {
	for n := range w.Sessions {
		if leadsToSession(t, n, depth) {
			return true
		}
	}
	return false
}
