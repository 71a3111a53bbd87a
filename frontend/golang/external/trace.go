package external

import (
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// tracer finds the facts of one function.
type tracer struct {
	x   *extraction
	f   *ssa.Function
	out *Func
	// closures are the nodes of closures, funcs those of other functions that are values.
	closures map[ssa.Value]string
	funcs    map[*ssa.Function]string
	// seen are the values that the node which is traced has come to.
	seen map[ssa.Value]bool
	work []ssa.Value
	at   *Node
}

// values makes the nodes of the functions that are values, before anything else is
// traced: edges refer to them.
func (t *tracer) values() {
	var made []*ssa.MakeClosure
	for _, b := range t.f.Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok {
				t.closures[m] = t.value(m.Fn.(*ssa.Function))
				made = append(made, m)
			}
			t.named(in)
		}
	}
	for _, m := range made {
		t.trace(t.out.Nodes[t.closures[m]], m)
	}
}

// value makes the node of a function that is a value.
func (t *tracer) value(f *ssa.Function) string {
	name := "v" + strconv.Itoa(len(t.out.Values))
	t.out.Nodes[name] = &Node{}
	g := t.x.declared(f)
	if r, ok := RefOf(g); ok {
		sig := types.NewSignatureType(nil, nil, nil, f.Signature.Params(), f.Signature.Results(), f.Signature.Variadic())
		t.out.Values = append(t.out.Values, Value{Ref: r, Node: name, Key: FuncKey(sig)})
	}
	return name
}

// named follows the functions that an instruction uses as values.
func (t *tracer) named(in ssa.Instruction) {
	var callee ssa.Value
	if c, ok := in.(ssa.CallInstruction); ok {
		callee = c.Common().Value
	}
	if m, ok := in.(*ssa.MakeClosure); ok {
		callee = m.Fn
	}
	for _, op := range in.Operands(nil) {
		f, ok := (*op).(*ssa.Function)
		if !ok || *op == callee && !t.asArgument(in, f) {
			continue
		}
		name, ok := t.funcs[f]
		if !ok {
			name = t.value(f)
			t.funcs[f] = name
		}
		n := t.out.Nodes[name]
		t.begin(n)
		t.use(f, in)
		t.end()
	}
}

// asArgument reports whether a call has its own function among its arguments.
func (t *tracer) asArgument(in ssa.Instruction, f *ssa.Function) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	for _, a := range c.Common().Args {
		if a == f {
			return true
		}
	}
	return false
}

// node makes the node of a value and follows it.
func (t *tracer) node(name string, keys []Key, v ssa.Value) {
	n := &Node{Keys: keys}
	t.out.Nodes[name] = n
	t.trace(n, v)
}

func (t *tracer) trace(n *Node, v ssa.Value) {
	t.begin(n)
	t.follow(v)
	t.end()
}

func (t *tracer) begin(n *Node) { t.at, t.seen, t.work = n, map[ssa.Value]bool{}, nil }

func (t *tracer) end() {
	for len(t.work) > 0 {
		v := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, in := range *v.Referrers() {
			t.use(v, in)
		}
	}
}

// follow goes on with a value in which the traced one may be.
func (t *tracer) follow(v ssa.Value) {
	if !t.seen[v] {
		t.seen[v] = true
		t.work = append(t.work, v)
	}
}

// use notes what an instruction does with a value that is traced.
func (t *tracer) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Convert, *ssa.MultiConvert, *ssa.TypeAssert, *ssa.Extract,
		*ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Field, *ssa.Index, *ssa.Range, *ssa.Next:
		t.follow(in.(ssa.Value))
	case *ssa.MakeInterface:
		if isStructPointer(v.Type()) {
			t.at.Bits |= Kept
			return
		}
		t.follow(in)
	case *ssa.Lookup:
		if in.X == v {
			t.follow(in)
		}
	case *ssa.UnOp:
		if in.Op == token.MUL || in.Op == token.ARROW {
			t.follow(in)
		}
	case *ssa.FieldAddr:
		t.follow(in)
	case *ssa.IndexAddr:
		if in.X == v {
			t.follow(in)
		}
	case *ssa.Store:
		if in.Val == v {
			t.stored(in.Addr)
		}
	case *ssa.MapUpdate:
		if in.Value == v || in.Key == v {
			if m, ok := in.Map.(*ssa.MakeMap); ok {
				t.follow(m)
			} else {
				t.at.Bits |= Kept
			}
		}
	case *ssa.Return, *ssa.Panic:
		t.at.Bits |= Kept
	case *ssa.Send:
		if in.X == v {
			t.at.Bits |= Kept
		}
	case *ssa.Select:
		for _, s := range in.States {
			if s.Send == v {
				t.at.Bits |= Kept
			}
		}
		t.follow(in)
	case *ssa.MakeClosure:
		t.captured(v, in)
	case ssa.CallInstruction:
		t.call(v, in)
	}
}

func isStructPointer(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return ok
}

// stored follows a value into the variable that it is stored in, if that is one of the
// function.
func (t *tracer) stored(addr ssa.Value) {
	if root := rootOf(addr); local(root) {
		t.follow(root)
	} else {
		t.at.Bits |= Kept
	}
}

// rootOf is the variable, array or slice in which an address lies.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Slice:
			addr = a.X
		default:
			return addr
		}
	}
}

func local(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
		return true
	}
	return false
}

// captured notes that a closure captures a value.
func (t *tracer) captured(v ssa.Value, m *ssa.MakeClosure) {
	f := m.Fn.(*ssa.Function)
	for i, b := range m.Bindings {
		if b != v {
			continue
		}
		if e, ok := t.binding(m, f, i); ok {
			t.at.To = append(t.at.To, e)
		} else {
			t.at.Bits |= Kept
		}
	}
}

// binding is the edge from what a closure captures into it; false where that is not
// followed.
func (t *tracer) binding(m *ssa.MakeClosure, f *ssa.Function, i int) (Edge, bool) {
	if !carries(f.FreeVars[i].Type()) {
		return Edge{}, false
	}
	e := Edge{Node: "f" + strconv.Itoa(i), Via: t.closures[m]}
	g := t.x.declared(f)
	if g != f { // a method value: it captures the receiver
		e.Node = param(0)
		if !carries(paramTypes(g.Signature)[0]) || types.IsInterface(paramTypes(g.Signature)[0]) {
			return Edge{}, false
		}
	}
	var ok bool
	e.Func, ok = RefOf(g)
	return e, ok && !t.x.standard(e.Func.Package())
}

// call notes what a call does with a value.
func (t *tracer) call(v ssa.Value, in ssa.CallInstruction) {
	c := in.Common()
	_, isGo := in.(*ssa.Go)
	if c.Value == v {
		if isGo {
			t.at.Bits |= Go
		} else {
			t.at.Bits |= Now
		}
	}
	for i, a := range c.Args {
		if a == v {
			t.argument(in, i, isGo)
		}
	}
}

// argument notes what a call does with its argument i.
func (t *tracer) argument(in ssa.CallInstruction, i int, isGo bool) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		t.builtin(b, in, i)
		return
	}
	g := c.StaticCallee()
	if g == nil {
		t.at.Bits |= Kept
		return
	}
	if e, ok := t.parameter(g, i); ok {
		e.Go = isGo
		t.at.To = append(t.at.To, e)
		return
	}
	if p := packageOf(t.x.declared(g)); p != nil && t.x.standard(p.Path()) {
		b := t.library(t.x.declared(g), i, c.Args[i].Type())
		if isGo && b&Now != 0 {
			b = b&^Now | Go
		}
		t.at.Bits |= b
		return
	}
	t.at.Bits |= Kept
}

// parameter is the edge to a parameter of a function of another module; false where there
// is none.
func (t *tracer) parameter(g *ssa.Function, i int) (Edge, bool) {
	g = t.x.declared(g)
	ps := paramTypes(g.Signature)
	r, ok := RefOf(g)
	if !ok || i >= len(ps) || !carries(ps[i]) || t.x.standard(r.Package()) {
		return Edge{}, false
	}
	return Edge{Func: r, Node: param(i)}, true
}

func (t *tracer) builtin(b *ssa.Builtin, in ssa.CallInstruction, i int) {
	switch b.Name() {
	case "append", "ssa:wrapnilchk", "min", "max":
		if v, ok := in.(ssa.Value); ok {
			t.follow(v)
		}
	case "copy":
		if i == 1 {
			t.stored(in.Common().Args[0])
		}
	case "panic":
		t.at.Bits |= Kept
	}
}

// instr notes what an instruction calls, starts and puts into interfaces.
func (t *tracer) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeInterface:
		t.x.box(in.X.Type())
	case *ssa.MakeClosure:
		f := in.Fn.(*ssa.Function)
		for i, b := range in.Bindings {
			if keys := FuncKeys(b.Type()); len(keys) > 0 && !t.known(b, nil) {
				if e, ok := t.binding(in, f, i); ok {
					t.out.Passed = append(t.out.Passed, Passed{keys, e})
				}
			}
		}
	case ssa.CallInstruction:
		t.calls(in)
	}
}

// calls notes what a call, a defer or a go statement runs.
func (t *tracer) calls(in ssa.CallInstruction) {
	c := in.Common()
	_, isGo := in.(*ssa.Go)
	dyn, static := &t.out.Dyn, &t.out.Calls
	if isGo {
		dyn, static = &t.out.GoDyn, &t.out.Starts
	}
	if c.IsInvoke() {
		*dyn = append(*dyn, MethodKey(c.Method))
		return
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	g := c.StaticCallee()
	if g == nil {
		if sig := c.Signature(); !t.known(c.Value, nil) {
			*dyn = append(*dyn, FuncKey(sig))
		}
		return
	}
	if _, ok := c.Value.(*ssa.MakeClosure); ok {
		return // its node is called
	}
	d := t.x.declared(g)
	r, ok := RefOf(d)
	if ok && t.x.standard(r.Package()) {
		t.standard(in, d, isGo)
		return
	}
	if ok {
		*static = append(*static, r)
	}
	for i, a := range c.Args {
		keys := FuncKeys(a.Type())
		if len(keys) == 0 || t.known(a, nil) {
			continue
		}
		if e, ok := t.parameter(g, i); ok {
			e.Go = isGo
			t.out.Passed = append(t.out.Passed, Passed{keys, e})
		}
	}
}

// known reports whether all functions that a value may have are parameters, captured
// variables and functions of the program, of which it is found out where they go.
func (t *tracer) known(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	if seen == nil {
		seen = map[ssa.Value]bool{}
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return carries(v.Type())
	case *ssa.MakeClosure, *ssa.Function, *ssa.Const:
		return true
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !t.known(e, seen) {
				return false
			}
		}
		return true
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.Slice, *ssa.Field, *ssa.Index, *ssa.Range, *ssa.Next:
		return t.known(*v.(ssa.Instruction).Operands(nil)[0], seen)
	case *ssa.Lookup:
		return t.known(v.X, seen)
	case *ssa.UnOp:
		return v.Op == token.MUL && t.knownAt(rootOf(v.X), seen)
	case *ssa.Alloc, *ssa.MakeSlice:
		return t.knownAt(v, seen)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return t.known(v.Call.Args[0], seen) && t.known(v.Call.Args[1], seen)
		}
	}
	return false
}

// knownAt is known for what is in a variable.
func (t *tracer) knownAt(root ssa.Value, seen map[ssa.Value]bool) bool {
	switch r := root.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return carries(r.Type()) && !isStructPointer(r.Type())
	case *ssa.Alloc, *ssa.MakeSlice:
		return t.storesKnown(r, seen)
	}
	return t.known(root, seen)
}

// storesKnown reports whether only known values are stored into a variable of the
// function, by the function alone.
func (t *tracer) storesKnown(v ssa.Value, seen map[ssa.Value]bool) bool {
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Addr == v && !t.known(in.Val, seen) || in.Val == v {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !t.storesKnown(in.(ssa.Value), seen) {
				return false
			}
		case *ssa.UnOp, *ssa.Slice, *ssa.DebugRef:
		case *ssa.MakeClosure:
			f := in.Fn.(*ssa.Function)
			for i, b := range in.Bindings {
				if b == v && (i >= len(f.FreeVars) || writes(f.FreeVars[i])) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// writes reports whether a closure may write a variable that it captures, or hand on its
// address.
func writes(v *ssa.FreeVar) bool {
	for _, in := range *v.Referrers() {
		if u, ok := in.(*ssa.UnOp); ok && u.Op == token.MUL {
			continue
		}
		if _, ok := in.(*ssa.DebugRef); !ok {
			return true
		}
	}
	return false
}
