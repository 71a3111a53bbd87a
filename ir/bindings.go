package ir

import (
	"slices"
	"strings"
)

// Binding is a place where handlers are registered: from there on Fn, where it is the
// function of an entry, may be called with Args. Elements that are nil, and parameters
// beyond, are not known from it. Where an object is registered, Fn is nil, and the
// functions To get it.
type Binding struct {
	Fn   Expr
	Args []Expr
	To   []Target
	// Shows are members that hold Obj in objects that entries get from then on.
	Shows []ArgSource
	Obj   Expr
	only  map[*Func]bool // nil: any function
}

// Binds reports whether f is registered where it is the value of Fn.
func (b *Binding) Binds(f *Func) bool { return b.only == nil || b.only[f] }

// Target is a function that gets an object that is registered, among Args.
type Target struct {
	Func *Func
	Args []Expr
}

// Bindings are the places of a program where handlers are registered with arguments:
// Register instructions with a function or an object (members of an operation table that
// have a parameter of its type get the device that is registered), stores of functions
// where an entry's ArgSource looks for them, and such initialisers of globals.
type Bindings struct {
	entries []*Entry
	at      map[Instr]*Binding
	static  map[*Func][][]Expr
	params  map[*Func][]int
	loose   map[*Func]bool // whose address is used otherwise
	sites   map[*Func][]*Func
	exprs   map[*Func]map[int][]Expr
	passed  map[*Func][]int
	// handlers that are started by objects, and what may start one
	started map[*Func]map[*Register]bool
}

// BindingsOf finds the bindings of a program.
func BindingsOf(p *Program) *Bindings {
	b := &Bindings{entries: p.Entries, at: map[Instr]*Binding{}, static: map[*Func][][]Expr{}, params: map[*Func][]int{}, loose: map[*Func]bool{}, sites: map[*Func][]*Func{}, exprs: map[*Func]map[int][]Expr{}, passed: map[*Func][]int{}, started: map[*Func]map[*Register]bool{}}
	given := map[*Func][]ArgSource{}
	for _, e := range p.Entries {
		if e.Func != nil {
			given[e.Func] = append(given[e.Func], e.Given...)
			for _, v := range e.Given {
				b.pass(e.Func, v.Param)
			}
			b.params[e.Func] = nil
		}
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			b.initialiser(g, c, given)
		}
	}
	for _, f := range p.Funcs {
		for _, bl := range f.Blocks {
			for _, in := range bl.Instrs {
				b.instr(f, in, given)
			}
			for _, e := range TermOperands(bl.Term) {
				b.uses(e)
			}
		}
	}
	b.findStarted(p)
	return b
}

// initialiser looks at a cell of a global's initial value.
func (b *Bindings) initialiser(g *Global, c InitCell, given map[*Func][]ArgSource) {
	f := function(c.Value)
	if f == nil {
		b.uses(c.Value)
		return
	}
	found := false
	for _, v := range given[f] {
		if at, ok := structAt(g.Type, c.Offset, v); ok {
			args := make([]Expr, v.Param+1)
			args[v.Param] = IndexAddr{Base: GlobalAddr{Global: g}, Idx: IntConst(I64, at), Stride: 1, T: Ptr{Elem: v.S}}
			b.static[f] = append(b.static[f], args)
			b.param(f, v.Param, args[v.Param])
			found = true
		}
	}
	if !found {
		b.loose[f] = true
	}
}

// structAt is where in a value of type t a struct begins that has the byte at off where v
// has it.
func structAt(t Type, off int64, v ArgSource) (int64, bool) {
	at, base := off, int64(0)
	for {
		switch x := t.(type) {
		case *Struct:
			if x == v.S && at == v.Off {
				return base, true
			}
			i := slices.IndexFunc(x.Fields, func(f Field) bool { return f.Offset <= at && at < f.Offset+f.Type.Size() })
			if i < 0 {
				return 0, false
			}
			t, at, base = x.Fields[i].Type, at-x.Fields[i].Offset, base+x.Fields[i].Offset
		case Array:
			n := x.Elem.Size()
			if n <= 0 {
				return 0, false
			}
			t, base, at = x.Elem, base+at/n*n, at%n
		default:
			return 0, false
		}
	}
}

// instr looks at an instruction of f.
func (b *Bindings) instr(f *Func, in Instr, given map[*Func][]ArgSource) {
	switch i := in.(type) {
	case *Register:
		if i.Fn == nil {
			b.object(f, i)
		} else {
			b.register(f, i)
			for _, a := range i.Args {
				b.uses(a)
			}
			return
		}
	case *Store:
		if b.store(f, i, given) {
			return
		}
	case *Call:
		if function(i.Callee) != nil {
			for _, a := range i.Args {
				b.uses(a)
			}
			return
		}
	}
	for _, e := range Operands(in) {
		b.uses(e)
	}
}

func (b *Bindings) register(f *Func, i *Register) {
	b.at[i] = &Binding{Fn: i.Fn, Args: i.Args}
	bind := func(g *Func) {
		for k, a := range i.Args {
			if a != nil && k < len(g.Params) {
				b.param(g, k, a)
				b.pass(g, k)
			}
		}
		b.sites[g] = append(b.sites[g], f)
	}
	if g := function(i.Fn); g != nil {
		bind(g)
		return
	}
	p, _ := i.Fn.Type().(Ptr)
	ft, known := p.Elem.(FuncType)
	for g := range b.params { // any of them
		if !known || ft.String() == g.Type().String() {
			bind(g)
		}
	}
}

// object binds the members of operation tables that get an object which is registered.
func (b *Bindings) object(f *Func, i *Register) {
	s := structOf(i.Obj)
	if s == nil || len(i.Kinds) == 0 {
		return
	}
	var to []Target
	for _, e := range b.entries {
		if e.Func == nil || len(e.Given) > 0 || !strings.Contains(WithoutPlace(e.Kind), ".") || !slices.ContainsFunc(i.Kinds, func(k string) bool { return strings.HasPrefix(e.Kind, k) }) {
			continue
		}
		k, n := -1, 0
		for j, q := range e.Func.Params {
			if p, ok := q.Type.(Ptr); ok && p.Elem == Type(s) {
				k, n = j, n+1
			}
		}
		if n != 1 || slices.ContainsFunc(to, func(t Target) bool { return t.Func == e.Func }) {
			continue
		}
		args := make([]Expr, k+1)
		args[k] = i.Obj
		to = append(to, Target{e.Func, args})
		b.param(e.Func, k, i.Obj)
		b.sites[e.Func] = append(b.sites[e.Func], f)
	}
	if len(to)+len(i.Shows) > 0 {
		b.at[i] = &Binding{To: to, Shows: i.Shows, Obj: i.Obj}
	}
}

// structOf is the struct that an address is of, nil where it is not known.
func structOf(e Expr) *Struct {
	e = Uncast(e)
	if e == nil {
		return nil
	}
	p, _ := e.Type().(Ptr)
	s, _ := p.Elem.(*Struct)
	return s
}

// store looks at a store of a function; false where it registers none. Structs on the
// stack are copied to where they are used: what their handlers get is not known then.
func (b *Bindings) store(f *Func, i *Store, given map[*Func][]ArgSource) bool {
	g := function(i.Val)
	p, ok := i.Val.Type().(Ptr)
	if _, fn := p.Elem.(FuncType); g == nil && (!ok || !fn) {
		return false
	}
	off, e := int64(0), i.Addr
	for {
		fa, ok := e.(FieldAddr)
		if !ok {
			return false
		}
		off += fa.S.Fields[fa.Index].Offset
		if onStack(f, fa.Base) {
			return false
		}
		found := false
		for _, e := range b.entries {
			for _, v := range given[e.Func] {
				if v.S == fa.S && v.Off == off && (g == nil || g == e.Func) {
					b.bind(f, i, e.Func, v, fa.Base)
					found = true
				}
			}
		}
		if found {
			return true
		}
		e = fa.Base
	}
}

// bind notes that a store of f registers g with an address.
func (b *Bindings) bind(f *Func, i *Store, g *Func, v ArgSource, base Expr) {
	x := b.at[i]
	if x == nil {
		x = &Binding{Fn: i.Val, Args: make([]Expr, v.Param+1), only: map[*Func]bool{}}
		x.Args[v.Param] = base
		b.at[i] = x
	}
	if len(x.Args) != v.Param+1 || x.only[g] {
		return
	}
	x.only[g] = true
	b.param(g, v.Param, base)
	b.sites[g] = append(b.sites[g], f)
}

// onStack reports whether an address is of a local variable of f.
func onStack(f *Func, e Expr) bool {
	for {
		switch x := e.(type) {
		case FieldAddr:
			e = x.Base
		case IndexAddr:
			e = x.Base
		case Cast:
			e = x.X
		case Use:
			for in := range f.Instrs() {
				if a, ok := in.(*Alloc); ok && a.Dst == x.Reg && a.Kind == "stack" {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

// uses notes functions whose address is used for something else.
func (b *Bindings) uses(e Expr) {
	WalkExpr(e, func(e Expr) bool {
		if fa, ok := e.(FuncAddr); ok {
			b.loose[fa.Func] = true
		}
		return true
	})
}

func (b *Bindings) pass(f *Func, k int) {
	if !slices.Contains(b.passed[f], k) {
		b.passed[f] = append(b.passed[f], k)
	}
}

func (b *Bindings) param(f *Func, k int, arg Expr) {
	if b.exprs[f] == nil {
		b.exprs[f] = map[int][]Expr{}
	}
	b.exprs[f][k] = append(b.exprs[f][k], arg)
	if !slices.Contains(b.params[f], k) {
		b.params[f] = append(b.params[f], k)
		slices.Sort(b.params[f])
	}
}

// At is the binding that an instruction is, or nil.
func (b *Bindings) At(in Instr) *Binding { return b.at[in] }

// Static are the arguments that initialisers of globals bind f to, one list for each.
func (b *Bindings) Static(f *Func) [][]Expr { return b.static[f] }

// Params are the parameters of f that some binding gives, in order.
func (b *Bindings) Params(f *Func) []int { return b.params[f] }

// Passed reports whether parameter k of f is what a handler is registered with, by
// whatever means.
func (b *Bindings) Passed(f *Func, k int) bool { return slices.Contains(b.passed[f], k) }

// Closed reports whether f is registered somewhere, and its address is used for nothing
// else: who calls it, but for direct calls, has it from a binding.
func (b *Bindings) Closed(f *Func) bool {
	return !b.loose[f] && len(b.static[f])+len(b.sites[f]) > 0
}

// Place is where an argument may point to: Off bytes into Global, or into some object of
// type S where Global is nil.
type Place struct {
	Global *Global
	S      *Struct
	Off    int64
}

// Places are where parameter k of f may point to when something has registered it of
// which nothing more is known: what its bindings say, at most one of them without a
// global. nil: it may be anything.
func (b *Bindings) Places(f *Func, k int) []Place {
	if !b.Closed(f) || k >= len(f.Params) || !IsPtr(f.Params[k].Type) {
		return nil
	}
	var out []Place
	objects := 0
	for _, e := range b.exprs[f][k] {
		p, ok := placeOf(e)
		if !ok {
			return nil
		}
		if slices.Contains(out, p) {
			continue
		}
		if out = append(out, p); p.Global == nil {
			objects++
		}
	}
	if objects > 1 {
		return nil
	}
	return out
}

// placeOf is where an address points to.
func placeOf(e Expr) (Place, bool) {
	off := int64(0)
	for {
		switch x := e.(type) {
		case Cast:
			if !IsPtr(x.X.Type()) {
				return Place{}, false
			}
			e = x.X
		case FieldAddr:
			off += x.S.Fields[x.Index].Offset
			e = x.Base
		case IndexAddr:
			c, ok := x.Idx.(Const)
			if !ok || !c.Val.IsInt64() {
				return Place{}, false
			}
			off += c.Val.Int64() * x.Stride
			e = x.Base
		case GlobalAddr:
			return Place{Global: x.Global, Off: off}, !x.Global.ThreadLocal
		case Use:
			p, _ := x.Reg.Type.(Ptr)
			s, ok := p.Elem.(*Struct)
			return Place{S: s, Off: off}, ok
		default:
			return Place{}, false
		}
	}
}

// Sites are the functions that bind f, in the program's order; a function may occur more
// than once.
func (b *Bindings) Sites(f *Func) []*Func { return b.sites[f] }

// function is the function that e is the address of, or nil.
func function(e Expr) *Func {
	switch e := e.(type) {
	case FuncAddr:
		return e.Func
	case Cast:
		return function(e.X)
	}
	return nil
}
