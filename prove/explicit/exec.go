package explicit

import (
	"fmt"
	"slices"

	"whoop/ir"
)

// An exec is one way in which a thread may take its next step: from where it is, up to
// the next instruction that others may notice, or to where it has to choose in a loop.
// What it may choose between is tried one by one, by running it again.
type exec struct {
	p     *program
	s     *shared
	l     *local
	spans []span // of the symbols of both
	first []span // those of what is shared, as the step began
	fresh map[*object]bool
	moved map[int32]int32 // own objects that others may know now, with their new numbers
	// script are the choices to make, asked how many there were.
	script, asked []int
	steps         int
	// effect: others may notice what was done. Then the step ends before what ends the
	// program.
	effect  bool
	passed  map[*ir.Block]bool
	spawned []*local
	gone    bool     // the thread has ended
	vague   bool     // indices are not split up
	exact   bool     // values are not counted
	near    []access // that may race
	// log: values that are not determined are noted, with where they come from.
	log    bool
	values []noted
	// renamed are the symbols that the thread still knows, with their new numbers.
	renamed map[int32]int32
}

// These end an exec early, as panics: the execution goes on no further, an assertion
// fails, or what comes is not followed.
type (
	dropped  struct{}
	failure  struct{ at ir.Instr }
	surprise struct{ why string }
)

// Bounds of one step.
const (
	maxSteps    = 500_000   // instructions
	maxOutcomes = 5_000     // ways to go on
	maxTotal    = 2_000_000 // instructions in all of them
	maxObjects  = 60        // that threads share, beside globals
	maxSplit    = 64        // numbers that are tried one by one
)

// A noted is a value that something yields that may yield several.
type noted struct {
	in   ir.Instr
	term ir.Term
	val  val
}

func (x *exec) note(in ir.Instr, t ir.Term, v val) {
	if x.log {
		x.values = append(x.values, noted{in, t, v})
	}
}

func (x *exec) drop() { panic(dropped{}) }

func (x *exec) giveUp(at ir.Pos, format string, args ...any) {
	panic(surprise{fmt.Sprintf("%s: %s", at, fmt.Sprintf(format, args...))})
}

// choose is one of n.
func (x *exec) choose(n int) int {
	k := 0
	if i := len(x.asked); i < len(x.script) {
		k = min(x.script[i], n-1)
	}
	x.asked = append(x.asked, n)
	return k
}

// next is the script after this one; ok is false after the last.
func (x *exec) next() ([]int, bool) {
	for i := len(x.asked) - 1; i >= 0; i-- {
		k := 0
		if i < len(x.script) {
			k = x.script[i]
		}
		if k+1 < x.asked[i] {
			out := make([]int, i+1)
			copy(out, x.script)
			out[i] = k + 1
			return out, true
		}
	}
	return nil, false
}

func (p *program) newExec(s *shared, l *local, script []int) *exec {
	x := &exec{p: p, s: s.clone(), l: l.clone(), script: script, fresh: map[*object]bool{}, passed: map[*ir.Block]bool{}, moved: map[int32]int32{}}
	x.spans = append(slices.Clone(s.spans), l.spans...)
	if p.opt.Forget {
		x.first = s.spans
	}
	if n := int32(len(s.spans)); n > 0 && len(l.spans) > 0 {
		x.l.each(func(v val) val {
			if v.kind == symbol {
				v.o += n
			}
			return v
		})
	}
	return x
}

func (x *exec) top() *frame { return &x.l.frames[len(x.l.frames)-1] }

// run takes the step.
func (x *exec) run() {
	for first := true; ; first = false {
		f := x.top()
		b := f.fn.f.Blocks[f.block]
		if f.index == 0 && f.fn.heads[f.block] {
			if len(x.asked) > 0 && x.passed[b] && !first {
				break
			}
			x.passed[b] = true
		}
		var in ir.Instr
		if f.index < len(b.Instrs) {
			in = b.Instrs[f.index]
		}
		if !first && (in != nil && x.noticed(in) || x.ends(in, b.Term)) {
			break
		}
		if x.steps++; x.steps > maxSteps {
			x.giveUp(x.at(), "a loop that others do not notice does not end")
		}
		if in != nil {
			x.step(in)
		} else {
			x.leave(b.Term)
		}
		if x.gone || x.l.waits {
			break
		}
	}
	x.s.busy = x.l.depth > 0
	if x.s.busy && x.p.opt.Races != nil {
		panic(surprise{"an atomic section in which the thread ends, or chooses in a loop"})
	}
}

// at is the place that comes next.
func (x *exec) at() ir.Pos {
	f := x.top()
	b := f.fn.f.Blocks[f.block]
	if f.index < len(b.Instrs) {
		return b.Instrs[f.index].At()
	}
	return b.Term.At()
}

// ends reports whether an instruction, or the end of a block where there is none, may end
// the program after others could notice what was done in this step.
func (x *exec) ends(in ir.Instr, t ir.Term) bool {
	if !x.effect || x.l.depth > 0 {
		return false
	}
	switch in := in.(type) {
	case nil:
	case *ir.Assume:
		return true
	case *ir.Assert:
		return !x.p.opt.Wanted(in)
	default:
		return false
	}
	switch t := t.(type) {
	case *ir.Return:
		return len(x.l.frames) == 1 && x.l.thread == mainThread
	case *ir.Stop:
		return t.Kind != "exit"
	}
	return false
}

// noticed reports whether others may run before an instruction, and that matters.
func (x *exec) noticed(in ir.Instr) bool {
	if x.l.depth > 0 {
		return false
	}
	switch in := in.(type) {
	case *ir.Lock, *ir.AtomicBegin, *ir.Join, *ir.CondWait, *ir.SemWait, *ir.Spawn:
		return true
	case *ir.LockInit:
		return x.others(in.Lock)
	case *ir.SemInit:
		return x.others(in.Sem)
	case *ir.Load:
		return x.p.visible[in] && x.others(in.Addr)
	case *ir.Store:
		return x.p.visible[in] && !x.p.dead[in] && x.others(in.Addr)
	case *ir.RMW:
		return x.p.visible[in] && x.others(in.Addr)
	case *ir.CmpXchg:
		return x.p.visible[in] && x.others(in.Addr)
	case *ir.MemCopy:
		return x.p.visible[in] && (x.others(in.Dst) || x.others(in.Src))
	case *ir.MemSet:
		return x.p.visible[in] && x.others(in.Dst)
	case *ir.Touch:
		return in.Write && x.p.visible[in] && x.others(in.Addr)
	}
	return false
}

// others reports whether an address may be one that others have, too.
func (x *exec) others(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.FieldAddr:
		return x.others(e.Base)
	case ir.IndexAddr:
		return x.others(e.Base)
	case ir.Cast:
		return x.others(e.X)
	case ir.GlobalAddr:
		return !e.Global.ThreadLocal
	case ir.Use:
		v := x.top().regs[x.top().fn.regs[e.Reg]]
		return v.kind != pointer && v.kind != inside || v.o >= 0
	}
	return true
}

// leave is the end of a block.
func (x *exec) leave(t ir.Term) {
	f := x.top()
	to := func(b *ir.Block) { f.block, f.index = f.fn.blocks[b], 0 }
	switch t := t.(type) {
	case *ir.Goto:
		k := 0
		if len(t.Targets) > 1 {
			k = x.choose(len(t.Targets))
		}
		to(t.Targets[k])
		x.note(nil, t, num(int64(k)))
	case *ir.Branch:
		if x.truth(x.eval(t.Cond)) {
			to(t.Then)
		} else {
			to(t.Else)
		}
	case *ir.Return:
		v := val{}
		if t.Val != nil {
			v = x.eval(t.Val)
		}
		x.giveBack(v)
	case *ir.Stop:
		switch {
		case t.Kind != "exit":
			x.drop()
		case t.Val != nil:
			x.finish(x.eval(t.Val))
		default:
			x.finish(val{})
		}
	}
}

// giveBack returns from a call.
func (x *exec) giveBack(v val) {
	if len(x.l.frames) == 1 {
		if x.top().fn == x.p.main && x.l.thread == mainThread {
			x.drop()
		}
		x.finish(v)
		return
	}
	x.endObjects(x.top().stack)
	x.l.frames = x.l.frames[:len(x.l.frames)-1]
	f := x.top()
	c := f.fn.f.Blocks[f.block].Instrs[f.index].(*ir.Call)
	if c.Dst != nil {
		x.set(c.Dst, x.fit(v, c.Dst.Type))
	}
	f.index++
}

// finish ends the thread.
func (x *exec) finish(v val) {
	v = x.escape(v)
	for _, f := range x.l.frames {
		x.endObjects(f.stack)
	}
	if n := x.l.thread; n >= 0 {
		x.s.ended[n], x.s.results[n] = true, v
	} else if x.p.opt.Counted {
		x.s.over++
	}
	x.gone, x.effect = true, true
	x.l.frames = nil
}

// mainThread is the number of main.
const mainThread = 0

// endObjects ends objects whose addresses must not be used any more.
func (x *exec) endObjects(ids []int32) {
	for _, id := range ids {
		o := x.object(id)
		if o == nil {
			continue
		}
		if slices.ContainsFunc(o.cells, func(c cell) bool { return c.size <= 0 && c.val.n != 0 && c.size == lockCell }) {
			x.giveUp(x.at(), "a variable ends while it is a lock that is held")
		}
		x.setObject(id, &object{site: o.site, ended: true})
	}
}

func (x *exec) object(id int32) *object {
	if id < 0 {
		return x.l.objs[-id-1]
	}
	return x.s.objs[id]
}

func (x *exec) setObject(id int32, o *object) {
	x.fresh[o] = true
	if id < 0 {
		x.l.objs[-id-1] = o
	} else {
		x.s.objs[id] = o
		x.effect = true
	}
}

// change is an object that may be changed.
func (x *exec) change(id int32) *object {
	o := x.object(id)
	if id >= 0 {
		x.effect = true
	}
	if x.fresh[o] {
		return o
	}
	o = o.clone()
	x.setObject(id, o)
	return o
}

// escape makes what a value leads to known to others.
func (x *exec) escape(v val) val {
	if v.kind != pointer && v.kind != inside || v.o >= 0 {
		return v
	}
	if id, ok := x.moved[v.o]; ok {
		v.o = id
		return v
	}
	old, o := v.o, x.l.objs[-v.o-1]
	id := int32(len(x.s.objs))
	if len(x.s.objs) > len(x.p.start.objs)+maxObjects {
		x.giveUp(x.at(), "more than %d objects", maxObjects)
	}
	x.s.objs = append(x.s.objs, o)
	x.l.objs[-old-1] = nil
	x.moved[old] = id
	x.l.each(func(w val) val {
		if (w.kind == pointer || w.kind == inside) && w.o == old {
			w.o = id
		}
		return w
	})
	for i, w := range x.l.held {
		if w.o == old {
			x.l.held[i].o = id
		}
	}
	for _, f := range x.l.frames {
		for i, w := range f.stack {
			if w == old {
				f.stack[i] = id
			}
		}
	}
	for i := 1; i < len(x.l.tls); i += 2 {
		if x.l.tls[i] == old {
			x.giveUp(x.at(), "the address of a thread-local variable is given to others")
		}
	}
	for i, c := range o.cells { // what it leads to, in turn
		if w := x.escape(c.val); w != c.val {
			x.change(id).cells[i].val = w
		}
	}
	v.o = id
	return v
}
