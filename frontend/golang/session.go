package golang

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Sessions. A transaction that a database begins, or gives to a function of its user, belongs to the goroutine that has it: its type has no lock,
// and its documentation does not promise that several goroutines may use it. So its methods are no entry points, of which any two may run on
// one value, but are run by who gets it: any of them, any number of times, where a method of another type returns it, or where a function of the
// user is given it. What they do to what is shared is compared with what all others do, under the locks that are held then.

// session is a type whose values belong to one goroutine each.
type session struct {
	uses []*ssa.Function // its exported methods
	ends []*ssa.Function // those that give back a lock which they did not take: they come last
	// funcs are the functions that stand for the uses of a value: of one that was begun, and of one that a function is given.
	funcs map[bool]*ir.Func
	// lowering: they are being made.
	lowering bool
}

// isSession reports whether values of a type, which would be one for concurrent use because its methods start goroutines, or which one that is for it returns, are handed out to one
// goroutine each: methods of other types return them, or give them to functions, and users cannot make them.
func (l *lowering) isSession(p *ssa.Package, t *types.Named) bool {
	if _, ok := t.Underlying().(*types.Struct); !ok || t.TypeParams().Len() > 0 || l.guarded(p, t) {
		return false
	}
	handed := false
	for _, n := range sortedKeys(p.Members) {
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if ast.IsExported(n) && mentionsResult(m.Signature, t) {
				return false
			}
		case *ssa.Type:
			ms := types.NewMethodSet(types.NewPointer(m.Type()))
			for i := range ms.Len() {
				f, ok := ms.At(i).Obj().(*types.Func)
				if ok && f.Exported() && !sameNamed(m.Type(), t) {
					handed = handed || mentionsResult(f.Signature(), t) || givesToFunction(f.Signature(), t)
				}
			}
		}
	}
	return handed
}

// sessionsOf finds the types without locks and promises that methods of types which are for concurrent use return, or give to functions of users, such as iterators, which may look into what
// the first has, and those that their methods return in turn. Users may make values of them, too: a value belongs to the goroutine that has it.
func (l *lowering) sessionsOf(p *ssa.Package, safe map[string]bool) []root {
	var givers, rest []*types.Named
	for _, n := range sortedKeys(p.Members) {
		m, ok := p.Members[n].(*ssa.Type)
		if !ok || !ast.IsExported(n) {
			continue
		}
		named, ok := types.Unalias(m.Type()).(*types.Named)
		switch {
		case !ok || types.IsInterface(named):
		case safe[n] || l.concurrent(p, named):
			givers = append(givers, named)
		case named.TypeParams().Len() == 0 && !l.guarded(p, named) && len(l.methods(p, named)) > 0:
			if _, isStruct := named.Underlying().(*types.Struct); isStruct {
				rest = append(rest, named)
			}
		}
	}
	var out []root
	for len(givers) > 0 {
		g := givers[0]
		givers = givers[1:]
		for _, r := range l.methods(p, g) {
			rest = slices.DeleteFunc(rest, func(t *types.Named) bool {
				if sameNamed(g, t) || !givesSession(r.fn.Signature, t) {
					return false
				}
				out = append(out, l.addSession(p, t)...)
				givers = append(givers, t)
				return true
			})
		}
	}
	return out
}

// givesSession reports whether who calls a function gets values of a type: as results, also in slices, maps, channels and exported members, or as what a function of his is given.
func givesSession(sig *types.Signature, n *types.Named) bool {
	return givesToFunction(sig, n) || slices.ContainsFunc(componentTypes(sig.Results()), func(t types.Type) bool { return leadsToSession(t, n, 0) })
}

// maxSessionDepth is how deep in results session values are looked for.
const maxSessionDepth = 2

func leadsToSession(t types.Type, n *types.Named, depth int) bool {
	if sameNamed(t, n) {
		return true
	}
	if depth == maxSessionDepth {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return leadsToSession(u.Elem(), n, depth+1)
	case *types.Map:
		return leadsToSession(u.Elem(), n, depth+1)
	case *types.Chan:
		return leadsToSession(u.Elem(), n, depth+1)
	case *types.Signature:
		return givesToFunction(u, n) || slices.ContainsFunc(componentTypes(u.Results()), func(t types.Type) bool { return leadsToSession(t, n, depth+1) })
	case *types.Struct:
		for i := range u.NumFields() {
			if u.Field(i).Exported() && leadsToSession(u.Field(i).Type(), n, depth+1) {
				return true
			}
		}
	}
	return false
}

func sameNamed(t types.Type, n *types.Named) bool {
	m, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && m.Origin() == n.Origin()
}

func mentionsResult(sig *types.Signature, n *types.Named) bool {
	for i := range sig.Results().Len() {
		if sameNamed(sig.Results().At(i).Type(), n) {
			return true
		}
	}
	return false
}

// givesToFunction reports whether a parameter is a function that is given values of the type.
func givesToFunction(sig *types.Signature, n *types.Named) bool {
	for i := range sig.Params().Len() {
		f, ok := sig.Params().At(i).Type().Underlying().(*types.Signature)
		for j := 0; ok && j < f.Params().Len(); j++ {
			if sameNamed(f.Params().At(j).Type(), n) {
				return true
			}
		}
	}
	return false
}

// addSession notes a session type, and returns its methods: they are run, but by no thread of their own.
func (l *lowering) addSession(p *ssa.Package, t *types.Named) []root {
	if l.sessions == nil {
		l.sessions = map[*types.Named]*session{}
	}
	s := &session{funcs: map[bool]*ir.Func{}}
	l.sessions[t.Origin()] = s
	var ends []string
	ms := l.methods(p, t)
	for i := range ms {
		ms[i].kind = "session"
		if givesBackOther(ms[i].fn, map[*ssa.Function]bool{}) {
			s.ends = append(s.ends, ms[i].fn)
			ends = append(ends, ms[i].fn.Name())
		} else {
			s.uses = append(s.uses, ms[i].fn)
		}
	}
	last := ""
	if len(ends) > 0 {
		last = "; who began it ends it last of all (" + strings.Join(ends, ", ") + "), and nobody else"
	}
	l.p.Assume("session", l.pos(t.Obj().Pos()), "a value of %s is used by the goroutine that got it, with what its methods return%s: "+
		"it has no lock, and its documentation does not say that several goroutines may use it", l.typeName(t), last)
	return ms
}

// givesBackOther reports whether a function gives back a lock that it does not take: it, or one that it calls, has an Unlock of a kind of which it
// has no Lock.
func givesBackOther(f *ssa.Function, seen map[*ssa.Function]bool) bool {
	if f = body(f); seen[f] {
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
			switch name := modelName(g); {
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

// lockName is the member that a lock lies in.
func lockName(c ssa.CallInstruction) string {
	args := c.Common().Args
	if len(args) == 0 {
		return ""
	}
	if fa, ok := args[0].(*ssa.FieldAddr); ok {
		return deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field).Name()
	}
	return args[0].Name()
}

// useSessions runs the methods of the session values among what somebody gets: begun says that they are results, which he may end.
func (x *fn) useSessions(ts []types.Type, v value, begun bool) {
	for _, t := range ts {
		n := len(x.lay.of(t).leaves)
		x.useWithin(t, v[:n], begun, 0)
		v = v[n:]
	}
}

// useWithin is useSessions for what one value leads to.
func (x *fn) useWithin(t types.Type, v value, begun bool, depth int) {
	if x.isSessionValue(t) {
		if s := x.sessions[types.Unalias(deref(t)).(*types.Named).Origin()]; s.lowering {
			return
		}
		p := v
		if !isPointer(t) { // a copy, which the methods get by its address
			mem := x.lay.of(t).mem
			elem := mem
			if mem.Size() == 0 {
				elem = ir.U8
			}
			r := x.temp(ir.Ptr{Elem: elem})
			x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
			p = value{typed(ir.Use{Reg: r}, ir.Ptr{Elem: mem})}
			if len(v) > 0 {
				x.store(t, p[0], v, ir.Plain)
			}
		}
		f := x.sessionFunc(types.Unalias(deref(t)).(*types.Named).Origin(), p[0].Type(), begun)
		x.when(not(isNil(p[0])), func() { x.emit(&ir.Call{Base: x.base(), Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{p[0]}}) })
		return
	}
	if !x.hasSessions(t, depth) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		x.when(bin("gt", v[1], ir.IntConst(intT, 0)), func() {
			x.useWithin(u.Elem(), x.load(u.Elem(), x.element(v[0], u.Elem(), x.havoc(intT)), ir.Plain), begun, depth+1)
		})
	case *types.Map:
		x.when(not(isNil(v[0])), func() {
			_, e := x.mapEntry(v[0])
			x.useWithin(u.Elem(), x.load(u.Elem(), e, ir.Relaxed), begun, depth+1)
		})
	case *types.Chan:
		x.when(not(isNil(v[0])), func() { x.useWithin(u.Elem(), x.receive(v[0], t, false), begun, depth+1) })
	case *types.Struct:
		at := 0
		for i := range u.NumFields() {
			k := len(x.lay.of(u.Field(i).Type()).leaves)
			if u.Field(i).Exported() {
				x.useWithin(u.Field(i).Type(), v[at:at+k], begun, depth+1)
			}
			at += k
		}
	}
}

// hasSessions reports whether values of a type lead to session values.
func (l *lowering) hasSessions(t types.Type, depth int) bool {
	for n := range l.sessions {
		if leadsToSession(t, n, depth) {
			return true
		}
	}
	return false
}

// sessionFunc is the function that stands for what a goroutine does with a session value. One that it began it may end.
func (l *lowering) sessionFunc(n *types.Named, t ir.Type, begun bool) *ir.Func {
	s, name := l.sessions[n], "use of "
	if begun {
		name = "session of "
	}
	if f := s.funcs[begun]; f != nil {
		return f
	}
	p := &ir.Reg{Name: "session", Type: t}
	f := &ir.Func{Name: l.unique(name + l.typeName(n)), Params: []*ir.Reg{p}, Result: ir.Void{}, Pos: l.pos(n.Obj().Pos())}
	s.funcs[begun] = f
	s.lowering = true
	defer func() { s.lowering = false }()
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	x.used[p.Name]++
	x.start(x.block("entry"))
	have := x.sessionValues(s)
	x.repeat(func() { x.useSession(s.uses, ir.Use{Reg: p}, have) })
	if begun {
		x.useSession(s.ends, ir.Use{Reg: p}, have)
	}
	x.giveBack(nil)
	x.prune()
	return f
}

// sessionFlag finds the parameter, a flag, that tells an entry which sessions it begins, such as whether the transaction writes: the place of its value
// among the arguments, and its name. Such an entry is looked at once for each value, since which locks are held afterwards depends on it. -1 for others.
func (l *lowering) sessionFlag(sf *ssa.Function) (int, string) {
	flag, at, name := -1, 0, ""
	for i, t := range paramTypes(sf.Signature) {
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			if flag >= 0 {
				return -1, ""
			}
			flag, name = at, sf.Params[i].Name()
		}
		at += len(l.lay.of(t).leaves)
	}
	if flag < 0 || !slices.ContainsFunc(componentTypes(sf.Signature.Results()), l.isSessionValue) {
		return -1, ""
	}
	return flag, name
}

// isSessionValue reports whether a type is that of values with sessions.
func (l *lowering) isSessionValue(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && l.sessions[n.Origin()] != nil
}

// sessionValues makes a variable for each type of which the methods of a session return pointers: what they returned is what they are given.
func (x *fn) sessionValues(s *session) map[types.Type]*ir.Reg {
	have := map[types.Type]*ir.Reg{}
	for _, f := range s.uses {
		for _, t := range componentTypes(f.Signature.Results()) {
			n, ok := types.Unalias(deref(t)).(*types.Named)
			if _, isPtr := t.Underlying().(*types.Pointer); ok && isPtr && x.own[n.Obj().Pkg()] && have[n.Origin()] == nil {
				r := x.temp(x.lay.of(t).leaves[0].t)
				x.assign(r, ir.Null{T: r.Type.(ir.Ptr)})
				have[n.Origin()] = r
			}
		}
	}
	return have
}

// useSession calls one of the methods, or none.
func (x *fn) useSession(fs []*ssa.Function, recv ir.Expr, have map[types.Type]*ir.Reg) {
	x.anyOf(len(fs), func(i int) {
		f := fs[i]
		x.pos = x.lowering.pos(f.Pos())
		args := value{recv}
		if t := f.Params[0].Type(); !isPointer(t) {
			args = x.load(t, typed(recv, ir.Ptr{Elem: x.lay.of(t).mem}), ir.Plain)
		}
		for _, t := range componentTypes(f.Signature.Params()) {
			n, ok := types.Unalias(deref(t)).(*types.Named)
			if r := (*ir.Reg)(nil); ok && isPointer(t) && have[n.Origin()] != nil {
				r = have[n.Origin()]
				x.emit(&ir.Assume{Base: x.base(), Cond: not(isNil(ir.Use{Reg: r}))})
				args = append(args, ir.Use{Reg: r})
			} else {
				args = append(args, x.outside(t)...)
			}
		}
		out := x.callFunc(f, args, nil)
		x.useSessions(componentTypes(f.Signature.Results()), out, false)
		for _, t := range componentTypes(f.Signature.Results()) {
			n, ok := types.Unalias(deref(t)).(*types.Named)
			if ok && isPointer(t) && have[n.Origin()] != nil {
				kept := out[0]
				x.when(cond(x.havoc(boolT)), func() { x.assign(have[n.Origin()], typed(kept, have[n.Origin()].Type.(ir.Ptr))) })
			}
			out = out[len(x.lay.of(t).leaves):]
		}
	})
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
