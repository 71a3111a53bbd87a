package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// channel is a channel with a fixed address, and what happens to it.
type channel struct {
	addr ir.Expr
	t    *types.Chan
	// value is one that the channel has in the program.
	value ssa.Value
	made  ssa.Instruction
	// releases are the sends, closes and select statements with sends.
	releases []ssa.Instruction
	ok       bool
	// receives are those outside of select statements; counted is set where as much is
	// received as there are goroutines.
	receives []*ssa.UnOp
	// takers are the functions that receive from it, in select statements, too.
	takers map[*ssa.Function]bool
	// open: code that is not seen, as that of a library's users, may send to it or close
	// it.
	open    bool
	counted *counted
	fan     *fanIn
}

func (t *tokens) channelOf(v ssa.Value) *channel {
	ct, ok := v.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	addr := t.l.constant_(v)
	if addr == nil {
		return nil
	}
	k := ir.ExprString(addr)
	c := t.chans[k]
	if c == nil {
		c = &channel{addr: addr, t: ct, value: v, takers: map[*ssa.Function]bool{}}
		t.chans[k] = c
	}
	t.classes.join(c.value, v)
	return c
}

// strayed reports whether a channel may be one of those that are not known.
func (t *tokens) strayed(c *channel) bool {
	of := t.classes.of(c.value)
	return slices.ContainsFunc(t.strays, func(v ssa.Value) bool { return t.classes.of(v) == of })
}

// collectChan notes an operation on a channel.
func (t *tokens) collectChan(in ssa.Instruction) {
	release := func(v ssa.Value) {
		if c := t.channelOf(v); c != nil {
			c.releases = append(c.releases, in)
			return
		}
		t.strays = append(t.strays, v)
	}
	t.openChans(in)
	switch in := in.(type) {
	case *ssa.MakeChan:
		if c := t.channelOf(in); c != nil {
			c.made = in
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			if c := t.channelOf(in.X); c != nil {
				c.receives = append(c.receives, in)
				c.takers[in.Parent()] = true
			}
		}
	case *ssa.Send:
		release(in.Chan)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.SendOnly {
				release(s.Chan)
			} else if c := t.channelOf(s.Chan); c != nil {
				c.takers[in.Parent()] = true
			}
		}
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			release(in.Common().Args[0])
			return
		}
		// library code may send to a channel it is given, or close it
		for _, a := range in.Common().Args {
			if _, ok := a.Type().Underlying().(*types.Chan); ok && t.libraryCall(in) {
				release(a)
				if in.Common().StaticCallee() != nil { // also later: signal.Notify
					t.strays = append(t.strays, a)
				}
			}
		}
	}
}

// openChans notes the channels that an instruction puts where code that is not seen finds
// them, to send to or to close. What only can be received from does no harm.
func (t *tokens) openChans(in ssa.Instruction) {
	switch in.(type) {
	case *ssa.Store, *ssa.Return, *ssa.MakeInterface, *ssa.MapUpdate, *ssa.Send, *ssa.Select:
	default:
		return
	}
	for _, op := range in.Operands(nil) {
		if *op == nil { // a receive's case sends nothing
			continue
		}
		ct, ok := (*op).Type().Underlying().(*types.Chan)
		if !ok || ct.Dir() == types.RecvOnly || !t.opens(in, *op) {
			continue
		}
		if c := t.channelOf(*op); c != nil {
			c.open = true
		}
	}
}

// opens reports whether an instruction puts a channel where code that is not seen finds
// it.
func (t *tokens) opens(in ssa.Instruction, ch ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.Send:
		return in.X == ch
	case *ssa.Select:
		return slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Send == ch })
	case *ssa.Return: // a constructor is known, but its results are the users'
		f := in.Parent()
		return !t.l.once.Known(f) || t.l.LibraryMode && t.l.Callable(f)
	case *ssa.Store:
		switch at := in.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return false
		case *ssa.FieldAddr:
			return !t.l.ownStruct(form.Deref(at.X.Type())) || t.l.LibraryMode && t.l.UsersSet(at)
		case *ssa.Global:
			return t.l.setOutside[t.l.global(at)]
		}
	}
	return true
}

func (t *tokens) libraryCall(c ssa.CallInstruction) bool {
	f := c.Common().StaticCallee()
	return f == nil && !form.IsBuiltin(c) || f != nil && len(form.Body(f).Blocks) == 0
}

// validChan reports whether one thread alone sends and closes, and gives it the token:
// from its start for a goroutine that is started once, from the making of the channel
// where that thread makes it.
func (t *tokens) validChan(c *channel) bool {
	if c.made == nil || len(c.releases) == 0 {
		return false
	}
	var by *ssa.Function
	for _, r := range c.releases {
		f := t.threadOf(r, c.made.Parent())
		if f == nil || by != nil && by != f {
			return false
		}
		by = f
	}
	if by == c.made.Parent() {
		return true // it takes the token where the channel is made
	}
	sites := t.l.once.Sites[by]
	if len(sites) != 1 || form.OnCycle(sites[0].Block()) || !t.l.once.Runs(sites[0].Parent()) {
		return false
	}
	t.start[sites[0]] = append(t.start[sites[0]], startToken{lock: t.chanOrder(c), mode: ir.Exclusive})
	return true
}

// threadOf climbs from an instruction through the only calls of its functions to the
// function home, or to one that is started as a goroutine; nil where neither is reached.
func (t *tokens) threadOf(in ssa.Instruction, home *ssa.Function) *ssa.Function {
	o := t.l.once
	if _, other := in.(*ssa.Go); other {
		return nil // another goroutine executes it
	}
	for range 10 {
		f := in.Parent()
		sites := o.Sites[f]
		if f == home {
			return f
		}
		if !o.Known(f) || len(sites) != 1 || form.CalleeOf(sites[0]) != f {
			return nil
		}
		if _, ok := sites[0].(*ssa.Go); ok {
			return f
		}
		in = sites[0]
	}
	return nil
}

func (t *tokens) chanOrder(c *channel) ir.Expr { return orderOf(c.addr, c.t, t.l) }

func orderOf(ch ir.Expr, t *types.Chan, l *lowering) ir.Expr {
	s := l.lay.ChanObject(t)
	return ir.FieldAddr{Base: irgen.Typed(ch, ir.Ptr{Elem: s}), S: s, Index: 1}
}

// countedBy is the counted channel that a value is, or nil.
func (t *tokens) countedBy(v ssa.Value) *channel {
	addr := t.l.constant_(v)
	if addr == nil {
		return nil
	}
	if c := t.chans[ir.ExprString(addr)]; c != nil && c.counted != nil {
		return c
	}
	return nil
}

func (t *tokens) knownChan(v ssa.Value) *channel {
	addr := t.l.constant_(v)
	if addr == nil {
		return nil
	}
	if c := t.chans[ir.ExprString(addr)]; c != nil && c.ok {
		return c
	}
	return nil
}

// making takes the token of a channel that its maker will send to or close.
func (t *tokens) making(x *fn, v *ssa.MakeChan) {
	c := t.knownChan(v)
	if c == nil || t.threadOf(c.releases[0], v.Parent()) != v.Parent() {
		return
	}
	x.Emit(&ir.Lock{Base: x.Base(), Lock: t.chanOrder(c), Mode: ir.Exclusive, Class: ir.GhostOrder})
}

// releasing gives the token back before something is sent or the channel is closed.
func (t *tokens) releasing(x *fn, v ssa.Value) {
	t.closing(x, v)
	t.run.telling(x, v)
	if c := t.countedBy(v); c != nil {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: t.chanOrder(c), Mode: ir.Shared, Class: ir.GhostOrder})
	}
	if c := t.knownChan(v); c != nil {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: t.chanOrder(c), Mode: ir.Exclusive, Class: ir.GhostOrder})
	}
}

// received takes the token of a channel from which something came.
func (t *tokens) received(x *fn, v ssa.Value) {
	t.run.told(x, v)
	if c := t.countedBy(v); c != nil && c.counted.after != nil && x.Site == ssa.Instruction(c.counted.after) {
		t.gotAll(x, c)
	}
	if c := t.knownChan(v); c != nil {
		x.Emit(&ir.Lock{Base: x.Base(), Lock: t.chanOrder(c), Mode: ir.Shared, Class: ir.GhostOrder})
	}
	if fan := t.fanIn(v); fan != nil && fan.always && fan.taker == x.Sf {
		t.foundClosed(x, fan)
	}
}
