package golang

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Numbers that workers get through a channel:
//
//	out, jobs := make([]int, len(xs)), make(chan int)
//	go func() { for i := range jobs { out[i] = f(xs[i]) } }() // any number of these
//	for i := range xs { jobs <- i }
//
// Where one loop alone sends, and counts up, each number is received once, so that who
// receives i has element i of the arrays for itself that were made where the channel was,
// for ever: there is one such channel for each of these arrays. This is said with a
// token, a lock at the element's address that nobody waits for or gives back.

// numbers knows such channels.
type numbers struct {
	l *lowering
	// arrays are those of which a channel's numbers are elements, by the instruction that
	// makes the channel.
	arrays map[*ssa.MakeChan][]ssa.Value
	closed map[*ssa.MakeChan]bool
}

func findNumbers(l *lowering, fs []*ssa.Function) *numbers {
	n := &numbers{l: l, arrays: map[*ssa.MakeChan][]ssa.Value{}, closed: map[*ssa.MakeChan]bool{}}
	for _, f := range fs {
		var chans []*ssa.MakeChan
		var arrays []ssa.Value
		for _, b := range f.Blocks {
			if form.OnCycle(b) {
				continue
			}
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeChan); ok && form.WideInt(form.ElemOf(m.Type())) {
					chans = append(chans, m)
				} else if v, ok := in.(ssa.Value); ok && n.fresh(v) {
					arrays = append(arrays, v)
				}
			}
		}
		if len(arrays) == 0 {
			continue
		}
		chans = slices.DeleteFunc(chans, func(m *ssa.MakeChan) bool {
			u := usesOf(m)
			n.closed[m] = len(u.closes) > 0
			return !u.known || len(u.sends) != 1 || !n.sendsOnce(u.sends[0], m)
		})
		if len(chans) == 1 { // the numbers of two may be the same
			n.arrays[chans[0]] = arrays
		}
	}
	return n
}

// fresh reports whether a value is an array, or a slice that begins where one does, that
// is made there, and of which nothing may be a lock.
func (n *numbers) fresh(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return n.plain(form.ElemOf(v.Type()))
	case *ssa.Alloc:
		a, ok := form.Deref(v.Type()).Underlying().(*types.Array)
		return ok && n.plain(a.Elem())
	case *ssa.Slice:
		a, ok := v.X.(*ssa.Alloc)
		return ok && v.Low == nil && len(form.Uses(a)) == 1 && n.fresh(a)
	}
	return false
}

// lockless are structs of the library that are locks of nothing.
var lockless = map[string]bool{"time.Time": true, "bytes.Buffer": true, "bytes.Reader": true, "strings.Builder": true, "strings.Reader": true}

// plain reports whether there is no other struct of a library in a type, the address of
// which might be a token for something else.
func (n *numbers) plain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if d, ok := types.Unalias(t).(*types.Named); ok && !n.l.Own[d.Obj().Pkg()] {
			return lockless[d.String()]
		}
		for f := range u.Fields() {
			if !n.plain(f.Type()) {
				return false
			}
		}
	case *types.Array:
		return n.plain(u.Elem())
	}
	return true
}

// sendsOnce reports whether a send of a channel never sends a number twice.
func (n *numbers) sendsOnce(s send, m *ssa.MakeChan) bool {
	if n.origin(s.ch) != ssa.Value(m) { // of the run that made it, and not of its caller's
		return false
	}
	if f := s.in.Parent(); f != m.Parent() {
		sites := n.l.once.Sites[f]
		if !n.known(f) || len(sites) != 1 || sites[0].Parent() != m.Parent() || form.OnCycle(sites[0].Block()) {
			return false
		}
	}
	return countsUp(s.x, s.in.Block())
}

// known reports whether a function is called or started, and all that does so is known.
func (n *numbers) known(f *ssa.Function) bool {
	return len(n.l.once.Sites[f]) > 0 && n.l.once.Known(f)
}

// countsUp reports whether a value is a greater one each time that a block is executed,
// in one run of its function: the counter of a loop around the block, in no other loop,
// or that and a constant.
func countsUp(v ssa.Value, b *ssa.BasicBlock) bool {
	if sum, ok := v.(*ssa.BinOp); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
		if _, constant := sum.Y.(*ssa.Const); constant {
			v = sum.X
		}
	}
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return false
	}
	head := phi.Block()
	in := func(x *ssa.BasicBlock) bool { return form.LeadsTo(head, x) && form.LeadsTo(x, head) }
	if !in(b) || b != head && form.ReachesAvoiding(b, b, head) {
		return false
	}
	for i, e := range phi.Edges {
		if !in(head.Preds[i]) {
			continue
		}
		sum, ok := e.(*ssa.BinOp)
		if !ok || sum.Op != token.ADD || sum.X != ssa.Value(phi) {
			return false
		}
		c, ok := sum.Y.(*ssa.Const)
		if !ok || c.Value == nil || constant.Sign(c.Value) <= 0 || c.Int64() > 1<<16 {
			return false
		}
	}
	return true
}

// origin is the channel, slice or array that a value surely is, of the run of the
// function that made it which has led to the present run; nil where that is not known.
func (n *numbers) origin(v ssa.Value) ssa.Value {
	for range 20 {
		switch x := v.(type) {
		case *ssa.MakeChan:
			return x
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FreeVar:
			v = form.Binding(x)
		case *ssa.UnOp:
			st := form.VariableStore(x)
			if st == nil {
				return nil
			}
			v = st.Val
		case *ssa.Parameter:
			v = n.argument(x)
		default:
			if v != nil && n.fresh(v) {
				return v
			}
			return nil
		}
	}
	return nil
}

// argument is what a parameter is in all calls; nil where that is not one value.
func (n *numbers) argument(p *ssa.Parameter) ssa.Value {
	f := p.Parent()
	if !n.known(f) {
		return nil
	}
	i := slices.Index(f.Params, p)
	var out ssa.Value
	for _, s := range n.l.once.Sites[f] {
		if form.CalleeOf(s) != f || i >= len(s.Common().Args) {
			return nil
		}
		a := s.Common().Args[i]
		if l, ok := a.(*ssa.UnOp); ok { // of a variable that is stored once
			if st := form.VariableStore(l); st != nil {
				a = st.Val
			}
		}
		if ct, ok := a.(*ssa.ChangeType); ok {
			a = ct.X
		}
		if out != nil && out != a {
			return nil
		}
		out = a
	}
	return out
}

// received takes the tokens of the elements whose number was received.
func (n *numbers) received(x *fn, ch ssa.Value, got irgen.Value, commaOk bool) {
	if n == nil || x.Sf == nil || !form.WideInt(form.ElemOf(ch.Type())) {
		return
	}
	m, ok := n.origin(ch).(*ssa.MakeChan)
	if !ok || len(n.arrays[m]) == 0 || !commaOk && n.closed[m] {
		return
	}
	take := func() {
		for _, at := range n.reachable(x, m) {
			elem, base := n.elements(x, at)
			x.Emit(&ir.Lock{Base: x.Base(), Lock: x.Element(base, elem, got[0]), Mode: ir.Exclusive, Class: ir.GhostOrder})
		}
	}
	if !commaOk {
		take()
		return
	}
	x.When(irgen.Cond(got[len(got)-1]), take)
}

// reachable are the variables and parameters of a function that are arrays of which a
// channel's numbers are elements.
func (n *numbers) reachable(x *fn, m *ssa.MakeChan) []ssa.Value {
	var out []ssa.Value
	add := func(v ssa.Value) {
		at := v
		if p, ok := v.Type().Underlying().(*types.Pointer); ok {
			// a variable that is captured
			if _, slice := p.Elem().Underlying().(*types.Slice); slice {
				fv, ok := v.(*ssa.FreeVar)
				if !ok {
					return
				}
				a, ok := form.RootOf(fv).(*ssa.Alloc)
				if !ok {
					return
				}
				st := form.OnlyStore(a)
				if st == nil {
					return
				}
				at = st.Val
			}
		}
		if o := n.origin(at); o != nil && slices.Contains(n.arrays[m], o) && len(out) < 8 {
			out = append(out, v)
		}
	}
	for _, v := range x.Sf.FreeVars {
		add(v)
	}
	for _, v := range x.Sf.Params {
		add(v)
	}
	return out
}

// elements are the type of an array's elements and the address of the first.
func (n *numbers) elements(x *fn, v ssa.Value) (types.Type, ir.Expr) {
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		return t.Elem(), x.Val(v)[0]
	case *types.Pointer:
		switch u := t.Elem().Underlying().(type) {
		case *types.Array:
			return u.Elem(), x.followed(v)[0]
		case *types.Slice:
			return u.Elem(), x.Load(t.Elem(), x.followed(v)[0], ir.Plain)[0]
		}
	}
	panic("no array")
}
