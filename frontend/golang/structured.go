package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A goroutine is structured where the function that starts it does nothing but wait until
// it has ended:
//
//	ch := make(chan error)
//	go func() { defer close(ch); work(ch) }()
//	for err := range ch { ... }
//
// What it does is ordered with all that its starter does, before and after, and its
// starter holds its locks all the time. So it is the same, for races, as a call at the go
// statement, and is lowered as one. The wait may also be in the caller of the function,
// where that gets the channel as the result.

// structured knows the go statements that are calls, and the calls of functions that wait
// for a goroutine which the function starts.
type structured struct {
	l     *lowering
	gos   map[*ssa.Go]bool
	calls map[*ssa.Call]bool
	// in are the go statements that are calls in the variants of functions, see variant.
	in map[*ssa.Function]*ssa.Go
}

func findStructured(l *lowering, fs []*ssa.Function) *structured {
	s := &structured{l: l, gos: map[*ssa.Go]bool{}, calls: map[*ssa.Call]bool{}, in: map[*ssa.Function]*ssa.Go{}}
	if l.Exact || endsGoroutines(l, fs) {
		return s
	}
	l.recovering = slices.ContainsFunc(fs, form.CallsRecover)
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if g, ok := in.(*ssa.Go); ok {
					s.look(g)
				}
			}
		}
	}
	return s
}

// endsGoroutines reports whether a goroutine may end itself, and not what it was called
// by (runtime.Goexit).
func endsGoroutines(l *lowering, fs []*ssa.Function) bool {
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if g := c.Common().StaticCallee(); g != nil {
					if m := l.Models.Model(g); m != nil && m.Op == library.OpExit {
						return true
					}
				}
			}
		}
	}
	return false
}

// constantOnceMade reports whether what a value leads to is not written after it was
// made: errors of the standard library, values without pointers, and such values in
// interfaces.
func constantOnceMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeInterface:
		return constantOnceMade(v.X)
	case *ssa.Call:
		f := v.Call.StaticCallee()
		return f != nil && (library.Name(f) == "fmt.Errorf" || library.Name(f) == "errors.New")
	case *ssa.UnOp:
		if v.Op == token.MUL {
			_, basic := v.Type().Underlying().(*types.Basic)
			st, isStruct := v.Type().Underlying().(*types.Struct)
			return basic || isStruct && st.NumFields() == 0 || isStruct && form.BasicFields(st)
		}
	}
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// madeFor is madeAt in the function that a go statement starts, where the statement gives
// it what was made.
func madeFor(v ssa.Value, g ssa.CallInstruction) *ssa.MakeChan {
	f := form.CalleeOf(g)
	for range 20 {
		switch x := v.(type) {
		case *ssa.Parameter:
			i := slices.Index(f.Params, x)
			if i < 0 || i >= len(g.Common().Args) {
				return nil
			}
			return form.MadeAt(g.Common().Args[i])
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			st := form.VariableStore(x)
			if st == nil || st.Parent() != f {
				return form.MadeAt(v)
			}
			v = st.Val
		default:
			return form.MadeAt(v)
		}
	}
	return nil
}

// look decides about one go statement.
func (s *structured) look(g *ssa.Go) {
	child := form.CalleeOf(g)
	if child == nil || len(child.Blocks) == 0 || form.OnCycle(g.Block()) || s.l.tokens.start[g] != nil {
		return
	}
	sites := s.l.once.Sites[child]
	if len(sites) != 1 || !s.l.once.Known(child) || child.TypeParams().Len() > 0 {
		return
	}
	for _, b := range g.Parent().Blocks {
		for _, in := range b.Instrs {
			m, ok := in.(*ssa.MakeChan)
			if !ok {
				continue
			}
			if u := usesOf(m); u.known && len(u.closes) == 1 && u.closes[0].Parent() == child && isLast(u.closes[0]) && madeFor(u.closes[0].(ssa.CallInstruction).Common().Args[0], g) == m {
				s.wait(g, m, u)
				return
			}
		}
	}
}

// wait looks whether what comes after a go statement waits for the channel to be closed,
// in the function or in its callers.
func (s *structured) wait(g *ssa.Go, m *ssa.MakeChan, u *chanUses) {
	w := &waiting{l: s.l, uses: u, from: g, ch: func(v ssa.Value) bool { return form.MadeAt(v) == m }}
	if w.waits(g) {
		s.gos[g] = true
		s.panics(w, g.Parent())
		return
	}
	if !w.ok || !w.returned || s.in[g.Parent()] != nil {
		return
	}
	s.panics(w, g.Parent())
	for _, site := range s.l.once.Sites[g.Parent()] {
		c, ok := site.(*ssa.Call)
		if !ok || c.Call.IsInvoke() {
			continue
		}
		w := &waiting{l: s.l, uses: u, from: c, ch: func(v ssa.Value) bool { return v == ssa.Value(c) }}
		if form.OnlyReceived(c) && w.waits(c) {
			s.calls[c], s.in[g.Parent()] = true, g
			s.panics(w, c.Parent())
		}
	}
}

// panics notes what is assumed where a library panics instead of waiting.
func (s *structured) panics(w *waiting, f *ssa.Function) {
	if w.panics && s.l.LibraryMode {
		s.l.p.Assume("recover", s.l.Pos(f.Pos()), "users do not recover where %s panics while a goroutine runs that it would wait for", s.l.FuncName(f))
	}
}

// isLast reports whether nothing of its function runs after a call: it is the first thing
// that is deferred, at the start, or comes just before the only return.
func isLast(in ssa.Instruction) bool {
	f := in.Parent()
	if d, ok := in.(*ssa.Defer); ok {
		if d.Block() != f.Blocks[0] {
			return false
		}
		for _, x := range d.Block().Instrs {
			switch x.(type) {
			case *ssa.Defer:
				return x == in
			case *ssa.Call, *ssa.Go, *ssa.Panic: // it may end the goroutine
				return false
			}
		}
	}
	returns := 0
	for _, b := range f.Blocks {
		for _, x := range b.Instrs {
			switch x.(type) {
			case *ssa.Return:
				returns++
			case *ssa.Defer, *ssa.RunDefers:
				return false
			}
		}
	}
	after := false
	for _, x := range in.Block().Instrs {
		switch x.(type) {
		case *ssa.Return:
			return after && returns == 1
		case *ssa.DebugRef:
		default:
			if after {
				return false
			}
		}
		after = after || x == in
	}
	return false
}

// chanUses is what is done with the channels that one make expression makes.
type chanUses struct {
	closes []ssa.Instruction
	sends  []send
	sent   []ssa.Value
	// known: nothing else is done, but to receive from them. They are kept in variables
	// and parameters alone.
	known bool
}

// send is a send statement, or a case of a select statement.
type send struct {
	in    ssa.Instruction
	ch, x ssa.Value
}

// usesOf follows a channel through variables, closures and calls.
func usesOf(m *ssa.MakeChan) *chanUses {
	u := &chanUses{known: true}
	seen := map[ssa.Value]bool{}
	work := []ssa.Value{m}
	for len(work) > 0 && u.known {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if ct, ok := v.Type().Underlying().(*types.Chan); seen[v] || ok && ct.Dir() == types.RecvOnly {
			continue
		}
		seen[v] = true
		for _, r := range form.Uses(v) {
			work = append(work, u.use(v, r)...)
		}
	}
	return u
}

// use notes one use of a channel, or of the address of its variable, and lists where the
// channel gets to.
func (u *chanUses) use(v ssa.Value, in ssa.Instruction) []ssa.Value {
	switch r := in.(type) {
	case *ssa.Store:
		a, ok := r.Addr.(*ssa.Alloc)
		u.known = u.known && ok && form.OnlyStore(a) == r
		return []ssa.Value{r.Addr}
	case *ssa.UnOp:
		if r.Op == token.MUL {
			return []ssa.Value{r}
		}
		return nil
	case *ssa.ChangeType:
		return []ssa.Value{r}
	case *ssa.MakeClosure:
		var out []ssa.Value
		for i, b := range r.Bindings {
			if b == v {
				out = append(out, r.Fn.(*ssa.Function).FreeVars[i])
			}
		}
		return out
	case *ssa.Send:
		u.known = u.known && r.X != v
		u.sent, u.sends = append(u.sent, r.X), append(u.sends, send{r, r.Chan, r.X})
		return nil
	case *ssa.Select:
		for _, st := range r.States {
			u.known = u.known && st.Send != v
			if st.Chan == v && st.Dir == types.SendOnly {
				u.sent, u.sends = append(u.sent, st.Send), append(u.sends, send{r, st.Chan, st.Send})
			}
		}
		return nil
	case ssa.CallInstruction:
		return u.call(v, r)
	}
	u.known = false
	return nil
}

// call notes that a call is given a channel.
func (u *chanUses) call(v ssa.Value, c ssa.CallInstruction) []ssa.Value {
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			u.closes = append(u.closes, c)
		}
		return nil
	}
	f := form.CalleeOf(c)
	if f == nil || len(f.Blocks) == 0 || f != c.Common().StaticCallee() {
		u.known = false
		return nil
	}
	var out []ssa.Value
	for i, a := range c.Common().Args {
		if a == v {
			out = append(out, f.Params[i])
		}
	}
	return out
}

// mutable reports whether something is sent that its sender may write afterwards.
func (u *chanUses) mutable() bool {
	return slices.ContainsFunc(u.sent, func(v ssa.Value) bool { return !constantOnceMade(v) })
}

// structuredCall is the function that a call runs where it waits for the goroutine that
// the function starts; nil for other calls.
func (x *fn) structuredCall(p *irgen.Call) *ir.Func {
	c, ok := x.Site.(*ssa.Call)
	if !ok || x.structured == nil || !x.structured.calls[c] || form.Body(p.Fn) != p.Fn || len(p.Fn.FreeVars) > 0 || form.CalleeOf(c) != p.Fn {
		return nil
	}
	return x.variant(p.Fn)
}

// variant is the function in which the go statement of the goroutine that its callers
// wait for is a call.
func (l *lowering) variant(sf *ssa.Function) *ir.Func {
	if f := l.variants[sf]; f != nil {
		return f
	}
	f := l.newFunc(sf, l.FuncName(sf)+" (waited for)")
	f.Copy = l.FuncName(sf)
	l.variants[sf] = f
	l.variantQueue = append(l.variantQueue, sf)
	return f
}

// isCall reports whether a go statement is lowered as a call.
func (x *fn) isCall(in *ssa.Go) bool {
	if x.structured == nil || x.tokens.start[in] != nil {
		return false
	}
	return x.structured.gos[in] || x.F == x.variants[x.Sf] && x.structured.in[x.Sf] == in
}
