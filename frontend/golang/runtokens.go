package golang

import (
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// What one run of a function makes is that run's: its variables, which lie in its frame,
// its channels and WaitGroups, and the goroutine that each of its go statements starts once.
// All closures of a run share them, and whoever calls such a closure finds this run's:
//
//	func start() (wait func() int) {
//		n, done := 0, make(chan struct{})
//		go func() { n = 1; close(done) }()
//		return func() int { <-done; return n }
//	}
//
// So the frame is the object of a resource (see permissions.md), one for each way in which
// a goroutine of the run says how far it is. The goroutine has all of it from its start
// until it first sends to the channel or closes it, or calls Done. Who has received from
// the channel, or has waited for the WaitGroup, has a part of it from then on, and never
// gives that back.
//
// Why an inhale is right: the run starts that goroutine once, so that nobody else of this
// frame begins with the resource. Only the goroutine sends to the channel or closes it: who
// has received comes after it has given all away. It counts down alone, once, in its own
// name: who waits in a closure that was made when the run had counted all it ever counts
// comes after it has called Done.

// runToken is such a resource.
type runToken struct {
	fi    *frameInfo
	index int
	// fixed is its address instead where the function runs once. taken: it is the token of a
	// channel with a fixed address, which receives take by themselves.
	fixed ir.Expr
	taken bool
}

// runTokens knows them.
type runTokens struct {
	// starts are the tokens that a goroutine's function begins with.
	starts map[*ssa.Function][]begun
	// gives are the tokens that are given back before something is sent to a channel, or it
	// is closed; tells those of which its receivers get a part.
	gives map[*ssa.MakeChan]*runToken
	tells map[*ssa.MakeChan][]*runToken
	// done and waits are the tokens of WaitGroups, by calls of Done and of Wait.
	done, waits map[ssa.Instruction][]*runToken
}

// begun is a token with which a goroutine begins.
type begun struct {
	k    *runToken
	mode ir.Mode
}

func newRunTokens() runTokens {
	return runTokens{map[*ssa.Function][]begun{}, map[*ssa.MakeChan]*runToken{}, map[*ssa.MakeChan][]*runToken{}, map[ssa.Instruction][]*runToken{}, map[ssa.Instruction][]*runToken{}}
}

// begins notes a token with which a goroutine's function begins.
func (t *runTokens) begins(f *ssa.Function, k *runToken, m ir.Mode) bool {
	if slices.ContainsFunc(t.starts[f], func(b begun) bool { return b.k == k }) {
		return false
	}
	t.starts[f] = append(t.starts[f], begun{k, m})
	return true
}

// takes notes a token of which who waits gets a part.
func (t *runTokens) takes(w ssa.Instruction, k *runToken) { t.waits[w] = append(t.waits[w], k) }

// tellsOf reports whether a function starts a goroutine with a channel that it makes: its
// variables lie in a frame then, so that there is a place for the token.
func tellsOf(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			g, ok := in.(*ssa.Go)
			if !ok || form.OnCycle(b) {
				continue
			}
			m, ok := g.Call.Value.(*ssa.MakeClosure)
			if ok && slices.ContainsFunc(m.Bindings, func(v ssa.Value) bool { return madeIn(v, f) }) {
				return true
			}
		}
	}
	return false
}

// madeIn reports whether a value is the variable of a channel that a function makes.
func madeIn(v ssa.Value, f *ssa.Function) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	st := form.OnlyStore(a)
	if st == nil {
		return false
	}
	m := form.MadeAt(st.Val)
	return m != nil && m.Parent() == f
}

// inFrame is the frame of a function, if another one captures a variable in it.
func (t *tokens) inFrame(f, home *ssa.Function) *frameInfo {
	fi := t.l.frames[home]
	if fi == nil || f == home {
		return fi
	}
	if slices.ContainsFunc(f.FreeVars, func(v *ssa.FreeVar) bool { other, _ := t.l.framed(v); return other == fi }) {
		return fi
	}
	return nil
}

// startedOnce reports whether each run of home starts a goroutine of a function at most
// once, and nothing else runs the function.
func (t *tokens) startedOnce(f, home *ssa.Function) bool {
	sites := t.l.once.Sites[f]
	if !t.l.once.Known(f) || len(sites) != 1 {
		return false
	}
	g, ok := sites[0].(*ssa.Go)
	return ok && form.CalleeOf(g) == f && g.Parent() == home && !form.OnCycle(g.Block())
}

// runToken makes a token in the frame of a function, or, where that runs once, beside its
// variables.
func (t *tokens) runToken(home *ssa.Function) *runToken {
	fi := t.l.frames[home]
	if fi == nil {
		return &runToken{fixed: ir.GlobalAddr{Global: t.l.NewGlobal(t.l.FuncName(home)+".__told", ir.U32, t.l.Pos(home.Pos()))}}
	}
	k := &runToken{fi: fi, index: len(fi.s.Fields)}
	fi.s.Fields = append(fi.s.Fields, ir.Field{Name: "__told" + strconv.Itoa(k.index), Type: ir.U32, Offset: fi.s.Bytes})
	fi.s.Bytes += 8
	return k
}

// at is the token's address; nil in functions that have nothing of the run.
func (k *runToken) at(x *fn) ir.Expr {
	if k.fixed != nil {
		return k.fixed
	}
	if base := x.frame[k.fi]; base != nil {
		return ir.FieldAddr{Base: base, S: k.fi.s, Index: k.index}
	}
	return nil
}

// runChans finds the channels of runs to which one goroutine of the run alone sends, or
// that it closes.
func (t *tokens) runChans(fs []*ssa.Function) {
	for _, k := range form.SortedKeys(t.chans) {
		c := t.chans[k]
		if m, ok := c.made.(*ssa.MakeChan); ok && c.ok {
			t.run.tells[m] = []*runToken{{fixed: t.chanOrder(c), taken: true}}
		}
	}
	for _, f := range fs {
		if t.l.frames[f] == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeChan); ok && !form.OnCycle(b) {
					t.runChan(f, m)
				}
			}
		}
	}
}

// runChan looks at one channel.
func (t *tokens) runChan(home *ssa.Function, m *ssa.MakeChan) {
	u := usesOf(m)
	if !u.known || len(u.closes)+len(u.sends) == 0 {
		return
	}
	var by *ssa.Function
	for _, r := range u.releases() {
		f := t.threadOf(r.in, home)
		if f == nil || f == home || by != nil && f != by || form.MadeAt(r.ch) != m || t.inFrame(r.in.Parent(), home) == nil {
			return
		}
		by = f
	}
	if t.inFrame(by, home) == nil || !t.startedOnce(by, home) {
		return
	}
	k := t.runToken(home)
	t.run.gives[m], t.run.tells[m] = k, []*runToken{k}
	t.run.begins(by, k, ir.Exclusive)
}

// lateWaits gives tokens to the goroutines that a group counts, where somebody waits for
// them who is not the one that counts: closures of the run that anybody may call.
func (t *tokens) lateWaits(g *group) {
	home, sites, by := t.countedOnce(g)
	if home == nil {
		return
	}
	points := map[ssa.Instruction]ssa.Instruction{}
	for _, w := range g.waits {
		if points[w] = pointIn(home, w); points[w] == nil {
			return
		}
	}
	if !summed(g, points) && !t.coveredBy(g, sites, by) {
		return
	}
	for _, s := range sites {
		f := form.CalleeOf(s)
		var waits []ssa.Instruction
		for _, w := range g.waits {
			if isOver(g, s, points[w]) {
				waits = append(waits, w)
			}
		}
		if len(waits) == 0 {
			continue
		}
		k := t.runToken(home)
		t.run.begins(f, k, ir.Exclusive)
		for _, d := range by[f] {
			t.run.done[d] = append(t.run.done[d], k)
		}
		for _, w := range waits {
			t.run.takes(w, k)
		}
	}
}

// waitedBeside reports whether a group has waiters that its token does not serve: a
// goroutine that waits in the place of home, or home before it counts again.
func (g *group) waitedBeside() bool {
	return g.closer != nil || slices.ContainsFunc(g.waits, func(w ssa.CallInstruction) bool {
		return w.Parent() == g.home && slices.ContainsFunc(g.adds, func(a ssa.CallInstruction) bool { return form.MayFollow(w, a) })
	})
}

// countedOnce is the function that counts for a group and starts the goroutines that count
// down, each once, and their calls of Done; nil where that is not so.
func (t *tokens) countedOnce(g *group) (home *ssa.Function, sites []ssa.CallInstruction, by map[*ssa.Function][]ssa.CallInstruction) {
	if len(g.adds) == 0 || len(g.dones) == 0 || len(g.gos) > 0 || g.overwritten || !form.OnlyCalls(g.adds, g.waits) {
		return nil, nil, nil
	}
	home = g.adds[0].Parent()
	if !g.local && !t.l.once.Runs(home) || g.local && t.l.frames[home] == nil {
		return nil, nil, nil
	}
	for _, a := range g.adds {
		if a.Parent() != home {
			return nil, nil, nil
		}
	}
	by = map[*ssa.Function][]ssa.CallInstruction{}
	for _, d := range g.dones {
		f := t.goroutineOf(d)
		if f == nil || !t.startedOnce(f, home) || g.local && (t.inFrame(f, home) == nil || t.inFrame(d.Parent(), home) == nil) {
			return nil, nil, nil
		}
		if len(by[f]) == 0 {
			sites = append(sites, t.l.once.Sites[f][0])
		}
		by[f] = append(by[f], d)
	}
	return home, sites, by
}

// summed reports whether the numbers that are added, all of them before anybody waits, are
// as many as there are calls of Done at least: who has waited comes after all of these.
func summed(g *group, points map[ssa.Instruction]ssa.Instruction) bool {
	sum := int64(0)
	for _, a := range g.adds {
		k, ok := a.Common().Args[1].(*ssa.Const)
		if !ok || k.Value == nil || k.Int64() <= 0 || k.Int64() > 1<<20 || form.OnCycle(a.Block()) {
			return false
		}
		for _, p := range points {
			if !form.ComesBefore(a, p) {
				return false
			}
		}
		sum += k.Int64()
	}
	return sum >= int64(len(g.dones))
}

// coveredBy reports whether each goroutine of a group was counted before it was started, and
// counts down once.
func (t *tokens) coveredBy(g *group, sites []ssa.CallInstruction, by map[*ssa.Function][]ssa.CallInstruction) bool {
	for _, s := range sites {
		if len(by[form.CalleeOf(s)]) != 1 {
			return false
		}
	}
	h := *g
	h.sites = sites
	return newCounts(&h, t.fixed).covered()
}

// isOver reports whether a goroutine is over when somebody who comes after p in the
// function that starts it has waited: it is not started after p, or all was counted by
// then.
func isOver(g *group, start ssa.CallInstruction, p ssa.Instruction) bool {
	return !form.MayFollow(p, start) || !slices.ContainsFunc(g.adds, func(a ssa.CallInstruction) bool { return form.MayFollow(p, a) })
}

// pointIn is an instruction of home that comes before another one is executed: that one, or
// what makes the closure that executes it; nil where that is not known.
func pointIn(home *ssa.Function, in ssa.Instruction) ssa.Instruction {
	for in.Parent() != home {
		m := onlyMaker(in.Parent())
		if m == nil {
			return nil
		}
		in = m
	}
	return in
}

// onlyMaker is the one instruction that makes a closure of a function; nil where there are
// several, or none.
func onlyMaker(f *ssa.Function) *ssa.MakeClosure {
	if ms := form.Makers(f); len(ms) == 1 {
		return ms[0]
	}
	return nil
}

// handOn finds who else gets parts of tokens: a part can be split without end, so whoever
// has one may give some of it to a goroutine that it starts, and to those who receive from a
// channel, if all who send to that or close it have a part then.
func (t *tokens) handOn(fs []*ssa.Function) {
	if len(t.run.starts)+len(t.run.tells) == 0 {
		return
	}
	var made []*ssa.MakeChan
	var starts []*ssa.Go
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MakeChan:
					made = append(made, in)
				case *ssa.Go:
					starts = append(starts, in)
				}
			}
		}
	}
	for more := true; more; {
		more = false
		for _, g := range starts {
			more = t.handToGoroutine(g) || more
		}
		for _, m := range made {
			more = t.handToReceivers(m) || more
		}
	}
}

// handToGoroutine gives a goroutine parts of what its starter has.
func (t *tokens) handToGoroutine(g *ssa.Go) (more bool) {
	f := form.CalleeOf(g)
	if f == nil || !t.l.once.Known(f) || len(t.l.once.Sites[f]) != 1 {
		return false
	}
	for _, k := range t.partsAt(g) {
		if k.knownIn(t, f) {
			more = t.run.begins(f, k, ir.Shared) || more
		}
	}
	return more
}

// handToReceivers gives those who receive from a channel parts of what all have who send to
// it or close it.
func (t *tokens) handToReceivers(m *ssa.MakeChan) (more bool) {
	u := usesOf(m)
	if !u.known || form.OnCycle(m.Block()) {
		return false
	}
	var all []*runToken
	for i, r := range u.releases() {
		if _, late := r.in.(*ssa.Defer); late || form.MadeAt(r.ch) != m {
			return false
		}
		parts := t.partsAt(r.in)
		if i == 0 {
			all = parts
		}
		all = slices.DeleteFunc(all, func(k *runToken) bool { return !slices.Contains(parts, k) })
	}
	for _, k := range all {
		ofRun := k.fixed != nil && t.l.once.Runs(m.Parent()) || k.fi != nil && k.fi == t.l.frames[m.Parent()]
		if ofRun && !slices.Contains(t.run.tells[m], k) {
			t.run.tells[m] = append(t.run.tells[m], k)
			more = true
		}
	}
	return more
}

// releases are the sends to a channel and what closes it.
func (u *chanUses) releases() []send {
	out := slices.Clone(u.sends)
	for _, c := range u.closes {
		out = append(out, send{in: c, ch: c.(ssa.CallInstruction).Common().Args[0]})
	}
	return out
}

// partsAt are the tokens of which a function has a part when it gets to an instruction.
func (t *tokens) partsAt(at ssa.Instruction) []*runToken {
	var out []*runToken
	for _, b := range at.Parent().Blocks {
		if !b.Dominates(at.Block()) {
			continue
		}
		for _, in := range b.Instrs {
			parts := t.run.waits[in]
			if r, ok := in.(*ssa.UnOp); ok && r.Op == token.ARROW {
				parts = t.run.tells[form.MadeAt(r.X)]
			}
			for _, k := range parts {
				if form.ComesBefore(in, at) && k.knownIn(t, at.Parent()) && !slices.Contains(out, k) {
					out = append(out, k)
				}
			}
		}
	}
	for _, b := range t.run.starts[at.Parent()] {
		if b.mode == ir.Shared && !slices.Contains(out, b.k) {
			out = append(out, b.k)
		}
	}
	return out
}

// knownIn reports whether a function knows where a token is.
func (k *runToken) knownIn(t *tokens, f *ssa.Function) bool {
	return k.fixed != nil || t.l.frames[f] == k.fi || slices.ContainsFunc(f.FreeVars, func(v *ssa.FreeVar) bool { fi, _ := t.l.framed(v); return fi == k.fi })
}

// begin takes the tokens that a goroutine starts with.
func (t *runTokens) begin(x *fn) {
	for _, b := range t.starts[x.Sf] {
		x.Emit(&ir.Lock{Base: x.Base(), Lock: b.k.at(x), Mode: b.mode, Class: ir.GhostOrder})
	}
}

// telling gives the token of a channel back before something is sent, or it is closed.
func (t *runTokens) telling(x *fn, ch ssa.Value) {
	if k := t.gives[form.MadeAt(ch)]; k != nil {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: k.at(x), Mode: ir.Exclusive, Class: ir.GhostOrder})
	}
}

// told takes parts of the tokens of a channel from which something came.
func (t *runTokens) told(x *fn, ch ssa.Value) {
	for _, k := range t.tells[form.MadeAt(ch)] {
		if !k.taken || k != t.tells[form.MadeAt(ch)][0] {
			t.part(x, k)
		}
	}
}

// part takes a part of a token.
func (t *runTokens) part(x *fn, k *runToken) {
	if k.fi != nil && x.Sf == k.fi.leader.Parent() && !form.ComesBefore(k.fi.leader, x.Site) {
		return
	}
	if at := k.at(x); at != nil {
		x.Emit(&ir.Lock{Base: x.Base(), Lock: at, Mode: ir.Shared, Class: ir.GhostOrder})
	}
}

// countsDown gives the token of a goroutine back before it calls Done.
func (t *runTokens) countsDown(x *fn, site ssa.Instruction) {
	for _, k := range t.done[site] {
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: k.at(x), Mode: ir.Exclusive, Class: ir.GhostOrder})
	}
}

// waited takes parts of the tokens of those who were waited for.
func (t *runTokens) waited(x *fn, site ssa.Instruction) {
	for _, k := range t.waits[site] {
		t.part(x, k)
	}
}
