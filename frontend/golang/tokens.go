package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Happens-before by WaitGroups and channels, said with locks, which every engine
// understands. A goroutine holds a token of the WaitGroup shared from its start until it
// calls Done; who has waited holds the token exclusively until the next Add. The thread
// that closes a channel, or is the only one that sends, holds the channel's token
// exclusively until it does; who has received holds it shared. So accesses that are
// ordered that way have a lock in common. A token is used only where all operations on
// the WaitGroup or channel are known and keep count; see group.valid and channel.valid.

// tokens knows which operations come with tokens.
type tokens struct {
	l      *lowering
	groups map[string]*group
	// stray: a WaitGroup that is not known may be counted down, or by a call that does
	// not name the operation.
	stray bool
	chans map[string]*channel
	// strays are channels that are not known and that something is sent to, or that are
	// closed; classes says which others they may be.
	strays  []ssa.Value
	classes *chanClasses
	fixed   *world.FixedFields
	// keys are the objects that operations are on, by instruction (select statements: see
	// stateKey).
	keys  map[ssa.Instruction]string
	start map[ssa.Instruction][]startToken
	// own are the groups that are members of objects, by operation.
	own map[ssa.Instruction]*ownGroup
	// onces are the calls of Do whose functions give the token of the Once to a goroutine.
	onces map[*ssa.Call]*onceStart
	// takers are the tokens with which functions of goroutines begin.
	takers map[*ssa.Function][]taker
	solos  map[*ssa.Function]solo
	// waiting are the groups that a function waits for in the place of its callers.
	waiting map[*ssa.Function][]*group
	// exits are the blocks behind loops in which all has been received from channels.
	exits map[*ssa.BasicBlock][]*channel
	// fans are the channels that say when a group has been waited for, where they are not
	// fixed; closed are the blocks where such a one is known to be closed.
	fans   map[*ssa.MakeChan]*fanIn
	closed map[*ssa.BasicBlock][]*fanIn
	run    runTokens
}

// startToken is a lock that a goroutine begins with. done: it is a WaitGroup's, and the
// function given to Go does not release it itself.
type startToken struct {
	lock  ir.Expr
	mode  ir.Mode
	count ir.Expr // of WaitGroup.Go: what to count down at the end
	// given is the group of an object that the goroutine is given as a parameter, with
	// the token.
	given *ownGroup
	param int
	// once is the Once of an object that the goroutine is given, with the token.
	once *onceStart
}

// at is the address of the token where the goroutine is started, or in the function that
// takes it; args are sf's.
func (tk startToken) at(t *tokens, sf *ssa.Function, args irgen.Value) ir.Expr {
	if tk.given == nil && tk.once == nil {
		return tk.lock
	}
	n := 0
	for _, p := range sf.Params[:tk.param] {
		n += len(t.l.lay.Of(p.Type()).Leaves)
	}
	if tk.once != nil {
		return tk.once.token(t.l, args[n])
	}
	return t.token(tk.given, args[n], form.Deref(sf.Params[tk.param].Type()))
}

// group is a WaitGroup (or errgroup.Group) with a fixed address, and what happens to it.
type group struct {
	addr               ir.Expr
	t                  types.Type
	adds, dones, waits []ssa.CallInstruction
	gos                []ssa.CallInstruction // WaitGroup.Go
	sites              []ssa.CallInstruction // go statements of functions that call Done
	ok                 bool
	overwritten        bool // it forgets what it has counted
	local              bool // see localgroups.go; addr is not set then
	// home counts and starts; closer, if set, waits in its place, see fanin.go. is are
	// the variables that are a local group, by function.
	home, closer *ssa.Function
	is           map[*ssa.Function]part
	waiters      map[*ssa.Function]bool // see waitsFor
	path         []int                  // to a local group, from its variable
}

func newTokens(l *lowering, fs []*ssa.Function) *tokens {
	t := &tokens{l: l, groups: map[string]*group{}, chans: map[string]*channel{}, classes: findChanClasses(fs), fixed: world.FindFixedFields(l.World, fs), keys: map[ssa.Instruction]string{},
		start: map[ssa.Instruction][]startToken{}, takers: map[*ssa.Function][]taker{}, solos: map[*ssa.Function]solo{}, exits: map[*ssa.BasicBlock][]*channel{},
		waiting: map[*ssa.Function][]*group{}, fans: map[*ssa.MakeChan]*fanIn{}, closed: map[*ssa.BasicBlock][]*fanIn{}}
	t.onces, t.run = map[*ssa.Call]*onceStart{}, newRunTokens()
	t.localGroups(fs)
	t.soloGoroutines(fs)
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok && t.collect(c) || t.countsUnseen(in) {
					t.stray = true
				}
				t.collectChan(in)
			}
		}
	}
	for _, f := range fs {
		t.onceGoroutines(f)
	}
	if fs != nil {
		t.ownGroups(fs)
	}
	for _, k := range form.SortedKeys(t.groups) {
		g := t.groups[k]
		if g.local || t.stray {
			continue
		}
		if t.valid(g) {
			g.ok = true
			t.assign(g)
			t.waitElsewhere(g)
		}
		if !g.ok || g.waitedBeside() {
			t.lateWaits(g)
		}
	}
	for _, k := range form.SortedKeys(t.chans) {
		c := t.chans[k]
		if c.open || t.strayed(c) {
			continue
		}
		if c.ok = t.validChan(c); !c.ok {
			if c.counted = t.countedChan(c); c.counted != nil && c.counted.all != nil {
				t.exits[c.counted.all] = append(t.exits[c.counted.all], c)
			}
		}
	}
	t.fanIns()
	t.runChans(fs)
	t.handOn(fs)
	return t
}

// collect notes an operation on a WaitGroup; it reports whether it may count down one
// that is not known.
func (t *tokens) collect(c ssa.CallInstruction) (stray bool) {
	f := c.Common().StaticCallee()
	if f == nil {
		return false
	}
	m := t.l.Models.Model(f)
	if m == nil || len(c.Common().Args) == 0 || !t.l.isGroup(c.Common().Args[0].Type()) {
		return false
	}
	if g := t.groups[t.keys[c]]; g != nil && g.local {
		return false
	}
	addr := t.l.constant_(c.Common().Args[0])
	if addr == nil {
		return m.Op == library.OpDone || m.Op == library.OpAdd && !positive(c)
	}
	k := ir.ExprString(addr)
	g := t.groups[k]
	if g == nil {
		g = &group{addr: addr, t: form.Deref(c.Common().Args[0].Type())}
		t.groups[k] = g
	}
	t.keys[c] = k
	g.overwritten = g.overwritten || t.l.overwritten.isWritten(c.Common().Args[0], g.t)
	g.note(m.Op, c)
	return false
}

// countsUnseen reports whether an instruction makes it possible that a WaitGroup is
// counted by a call which does not name the operation: its methods get into an interface,
// or one is used as a function value.
func (t *tokens) countsUnseen(in ssa.Instruction) bool {
	counts := func(f *types.Func) bool {
		r := f.Signature().Recv()
		return r != nil && t.l.isGroup(r.Type()) && f.Name() != "Wait" && t.l.Models.ByName(f.FullName()) != nil
	}
	if m, ok := in.(*ssa.MakeInterface); ok {
		ms := t.l.Prog.MethodSets.MethodSet(m.X.Type())
		for i := range ms.Len() {
			if counts(ms.At(i).Obj().(*types.Func)) {
				return true
			}
		}
	}
	c, _ := in.(ssa.CallInstruction)
	for _, op := range in.Operands(nil) {
		if f, ok := (*op).(*ssa.Function); ok && !(c != nil && *op == c.Common().Value) {
			if o, ok := f.Object().(*types.Func); ok && f.Synthetic == "" && counts(o) {
				return true
			}
		}
	}
	return false
}

// note notes an operation; false where it is none of a group.
func (g *group) note(op library.Op, c ssa.CallInstruction) bool {
	switch op {
	case library.OpAdd:
		g.adds = append(g.adds, c)
	case library.OpDone:
		g.dones = append(g.dones, c)
	case library.OpWait:
		g.waits = append(g.waits, c)
	case library.OpGo:
		g.gos = append(g.gos, c)
	default:
		return false
	}
	return true
}

// isGroup reports whether a type, or what its pointers lead to, counts goroutines as a
// WaitGroup does: its model has the members for that.
func (l *lowering) isGroup(t types.Type) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && l.Models.TypeOf(n).Counts()
}

// positive reports whether an Add adds a constant above zero, or a length.
func positive(c ssa.CallInstruction) bool {
	switch v := c.Common().Args[1].(type) {
	case *ssa.Const:
		return v.Int64() > 0
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	}
	return false
}

// constant_ is the fixed address that a value is, or nil.
func (l *lowering) constant_(v ssa.Value) ir.Expr {
	f := l.consts.of(v)
	if f.top {
		return nil
	}
	return f.addr
}

// valid reports whether a wait on g surely comes after all that is counted: one function,
// which runs once, adds, starts and waits, or starts a goroutine that waits; every
// goroutine that counts down was counted before it was started, and counts down once.
func (t *tokens) valid(g *group) bool {
	if len(g.waits) == 0 || g.overwritten || !form.OnlyCalls(g.adds, g.gos) {
		return false
	}
	owner := map[*ssa.Function]bool{}
	for _, c := range slices.Concat(g.adds, g.gos) {
		owner[c.Parent()] = true
	}
	for _, d := range g.dones {
		f := t.goroutineOf(d)
		if f == nil {
			return false
		}
		for _, s := range t.l.once.Sites[f] {
			owner[s.Parent()] = true
			g.sites = append(g.sites, s)
		}
		for _, e := range g.dones {
			if e != d && t.goroutineOf(e) == f {
				return false // it may count down twice
			}
		}
	}
	for f := range owner {
		if g.home = f; !t.l.once.Runs(f) {
			return false
		}
	}
	if len(owner) != 1 || !t.waitsFor(g) {
		return false
	}
	for _, c := range g.gos {
		if form.StaticFunc(c.Common().Args[1]) == nil {
			return false
		}
	}
	return newCounts(g, t.fixed).covered()
}

// goroutineOf returns the function of the goroutine that executes a call at most once:
// the function around it, or the one that defers or calls that function once. It is nil
// where that is not known, or where it is not always a goroutine.
func (t *tokens) goroutineOf(in ssa.Instruction) *ssa.Function {
	o := t.l.once
	if _, other := in.(*ssa.Go); other {
		return nil // another goroutine executes it
	}
	for range 10 {
		f := in.Parent()
		sites := o.Sites[f]
		if form.OnCycle(in.Block()) || !o.Known(f) || len(sites) == 0 {
			return nil
		}
		if _, ok := sites[0].(*ssa.Go); ok {
			for _, s := range sites {
				if _, ok := s.(*ssa.Go); !ok {
					return nil
				}
			}
			return f
		}
		if len(sites) != 1 || form.CalleeOf(sites[0]) != f {
			return nil
		}
		in = sites[0]
	}
	return nil
}

// assign gives the goroutines of a valid group their tokens.
func (t *tokens) assign(g *group) {
	for _, s := range g.sites {
		t.start[s] = append(t.start[s], startToken{lock: t.order(g), mode: ir.Shared})
	}
	for _, s := range g.gos {
		t.start[s] = append(t.start[s], startToken{lock: t.order(g), mode: ir.Shared, count: t.member(g, 0)})
	}
}

func (t *tokens) member(g *group, i int) ir.Expr {
	s := t.l.lay.Of(g.t).Mem.(*ir.Struct)
	return ir.FieldAddr{Base: irgen.Typed(g.addr, ir.Ptr{Elem: s}), S: s, Index: i}
}

// order is the address that stands for the token.
func (t *tokens) order(g *group) ir.Expr { return t.member(g, 1) }

// at is the address of the token of a group; object is that of the group.
func (t *tokens) at(g *group, object ir.Expr) ir.Expr {
	if g.local {
		return t.orderOf(g, object)
	}
	return t.order(g)
}

func (t *tokens) group(in ssa.Instruction) *group {
	if g := t.groups[t.keys[in]]; g != nil && g.ok {
		return g
	}
	return nil
}

// add gives the token back before something is counted anew.
func (t *tokens) add(x *fn, object ir.Expr) {
	if g := t.group(x.Site); g != nil {
		t.giveBack(x, g, t.keys[x.Site], object)
	}
}

// giveBack gives a group's token back, if the function holds it.
func (t *tokens) giveBack(x *fn, g *group, key string, object ir.Expr) {
	held := x.waitedFor(key)
	x.When(irgen.Cond(ir.Use{Reg: held}), func() {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: t.at(g, object), Mode: ir.Exclusive, Class: ir.GhostOrder})
		x.Assign(held, irgen.BoolConst(false))
	})
}

// done gives the goroutine's token back.
func (t *tokens) done(x *fn, site ssa.Instruction, object ir.Expr) {
	t.run.countsDown(x, site)
	if g := t.group(site); g != nil {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: t.at(g, object), Mode: ir.Shared, Class: ir.GhostOrder})
	}
}

// wait takes the token.
func (t *tokens) wait(x *fn, object ir.Expr) {
	t.run.waited(x, x.Site)
	if g := t.group(x.Site); g != nil {
		t.take(x, g, t.keys[x.Site], object)
	}
}

// take takes a group's token; one that is held already is given back first.
func (t *tokens) take(x *fn, g *group, key string, object ir.Expr) {
	t.giveBack(x, g, key, object)
	x.Emit(&ir.Lock{Base: x.Base(), Lock: t.at(g, object), Mode: ir.Exclusive, Class: ir.GhostOrder})
	x.Assign(x.waitedFor(key), irgen.BoolConst(true))
}

// waitedFor is the register that says whether this function holds a group's token. It is
// cleared at the function's start.
func (x *fn) waitedFor(key string) *ir.Reg {
	r := x.waited[key]
	if r == nil {
		r = x.Reg("waited", irgen.BoolT)
		x.waited[key] = r
		first := x.F.Blocks[0]
		first.Instrs = append([]ir.Instr{&ir.Assign{Base: ir.Base{Pos: x.F.Pos}, Dst: r, X: irgen.BoolConst(false)}}, first.Instrs...)
	}
	return r
}

// spawnWith starts a goroutine that begins with tokens.
func (x *fn) spawnWith(site ssa.Instruction, tks []startToken, sf *ssa.Function, args irgen.Value, captured ir.Expr) {
	f := x.starter(tks, sf, args, captured)
	if captured != nil {
		args = append(append(irgen.Value{}, args...), captured)
	}
	for _, tk := range tks {
		if tk.count != nil {
			x.Emit(&ir.RMW{Base: x.Base(), Op: "add", Addr: tk.count, Val: ir.IntConst(ir.U64, 1), Order: ir.SeqCst})
		}
		if tk.given != nil || tk.once != nil {
			x.Emit(&ir.Unlock{Base: x.Base(), Lock: tk.at(x.tokens, sf, args),
				Mode: ir.Exclusive, Class: ir.GhostOrder})
		}
	}
	x.Spawn(site, ir.FuncAddr{Func: f}, types.NewSignatureType(nil, nil, nil, nil, nil, false), args, nil)
}

// starter is the function of a goroutine that takes tokens and then calls sf.
func (x *fn) starter(tks []startToken, sf *ssa.Function, args irgen.Value, captured ir.Expr) *ir.Func {
	name := "go " + x.FuncName(sf)
	k := x.declare(sf).Name
	for _, tk := range tks {
		if k += " " + string(tk.mode); tk.given != nil {
			k += tk.given.field.String() + " " + strconv.Itoa(tk.param)
		} else if tk.once != nil {
			k += fmt.Sprintf("%p %d", tk.once, tk.param)
		} else {
			k += ir.ExprString(tk.lock)
		}
	}
	if f := x.starters[k]; f != nil {
		return f
	}
	f := &ir.Func{Name: x.Unique(name), Pos: x.lowering.Pos(sf.Pos()), Result: ir.Void{}}
	x.starters[k] = f
	y := newFn(x.lowering, nil, f)
	y.Pos = x.Pos
	var in irgen.Value
	for i, a := range args {
		r := &ir.Reg{Name: "p" + strconv.Itoa(i), Type: a.Type()}
		f.Params = append(f.Params, r)
		in = append(in, ir.Use{Reg: r})
	}
	var self ir.Expr
	if captured != nil {
		r := &ir.Reg{Name: ir.Captured, Type: captured.Type()}
		f.Params = append(f.Params, r)
		self = ir.Use{Reg: r}
	}
	x.p.Funcs = append(x.p.Funcs, f)
	y.Start(y.Block("entry"))
	for _, tk := range tks {
		y.Emit(&ir.Lock{Base: y.Base(), Lock: tk.at(x.tokens, sf, in), Mode: tk.mode, Class: ir.GhostOrder})
	}
	y.CallFunc(sf, in, self)
	for _, tk := range tks {
		if tk.count != nil {
			y.Emit(&ir.Unlock{Base: y.Base(), Lock: tk.lock, Mode: tk.mode, Class: ir.GhostOrder})
			y.Emit(&ir.RMW{Base: y.Base(), Op: "sub", Addr: tk.count, Val: ir.IntConst(ir.U64, 1), Order: ir.SeqCst})
		}
	}
	y.End(&ir.Return{TermBase: y.Term()})
	y.Prune()
	return f
}
