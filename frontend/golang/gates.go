package golang

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Flags that are set once keep operations on channels and WaitGroups apart:
//
//	mu.Lock(); if shut { mu.Unlock(); return }; wg.Add(1); mu.Unlock()     // it is not set
//	mu.Lock(); shut = true; mu.Unlock(); wg.Wait()                         // it is set
//	if closed.CompareAndSwap(false, true) { close(ch) }                    // one thread sets it
//
// Such a flag is written under one lock, and once others may know its object only true;
// or it is atomic, and only set. Who has seen it unset, and has held the lock since then,
// finds it unset still; who has set it finds it set for ever. So the two are never at
// their operations at the same time, which is said with a lock at the flag's address that
// is held during the operation: shared by the first, exclusively by the second. Two who
// set the flag would both hold it exclusively. That is of no harm where both wait, which
// is no conflict; a close gets it only where one thread sets the flag, which has found it
// unset in the same critical section, has exchanged it, or executes the only statement
// that sets the flag, which is executed once for each flag.

// cell tells variables and members apart; in is the object of a member, nil for
// variables.
type cell struct {
	in   ssa.Value
	what named
}

// named is a member or a variable of a package, by its object, or a variable of a
// function, of which each run has one, and that closures may have captured.
type named struct {
	o     types.Object
	local *ssa.Alloc
}

// is reports whether it names anything.
func (n named) is() bool { return n.o != nil || n.local != nil }

// typ is the type of the values.
func (n named) typ() types.Type {
	if n.local != nil {
		return form.Deref(n.local.Type())
	}
	return n.o.Type()
}

// gates finds the flags, by member or variable.
type gates struct {
	l *lowering
	// loads and stores are the plain accesses of each, sets the atomic operations that
	// set it; other is what may do anything else.
	loads  map[named][]*ssa.UnOp
	stores map[named][]*ssa.Store
	sets   map[named][]*ssa.Call
	other  map[named]bool
	locks  map[named]named // of plain flags; zero: not one
}

func findGates(l *lowering, fs []*ssa.Function) *gates {
	g := &gates{l: l, loads: map[named][]*ssa.UnOp{}, stores: map[named][]*ssa.Store{}, sets: map[named][]*ssa.Call{},
		other: map[named]bool{}, locks: map[named]named{}}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if c, ok := cellOf(*op); ok && mayBeFlag(c.what.typ()) {
						g.note(c.what, *op, in)
					}
				}
			}
		}
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if st, ok := in.(*ssa.Store); ok && !form.Initial(st, st.Addr) {
					g.whole(st.Val.Type())
				}
			}
		}
	}
	return g
}

// cellOf is the member or variable that an address is of.
func cellOf(v ssa.Value) (cell, bool) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		st := form.Deref(v.X.Type()).Underlying().(*types.Struct)
		return cell{sameValue(v.X), named{o: st.Field(v.Field).Origin()}}, true
	case *ssa.Global:
		return cell{nil, named{o: v.Object()}}, v.Object() != nil
	case *ssa.Alloc, *ssa.FreeVar:
		a, ok := form.RootOf(v).(*ssa.Alloc)
		return cell{nil, named{local: a}}, ok && a.Heap && form.IsVariable(a) && !form.OnCycle(a.Block())
	}
	return cell{}, false
}

// sameValue is the one store to a variable that a value is read from, or the value
// itself.
func sameValue(v ssa.Value) ssa.Value {
	for range 10 {
		u, ok := v.(*ssa.UnOp)
		if !ok {
			break
		}
		st := form.VariableStore(u)
		if st == nil {
			break
		}
		v = st.Val
	}
	return v
}

// mayBeFlag reports whether a type has values that may be flags: booleans, integers and
// their atomic counterparts.
func mayBeFlag(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "sync/atomic.Bool", "sync/atomic.Int32", "sync/atomic.Int64", "sync/atomic.Uint32", "sync/atomic.Uint64":
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsInteger) != 0
}

// note notes a use of a flag's address.
func (g *gates) note(o named, addr ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return
	case *ssa.MakeClosure:
		if o.local != nil && namesAll(in, addr) {
			return
		}
	case *ssa.UnOp:
		if in.Op == token.MUL {
			g.loads[o] = append(g.loads[o], in)
			return
		}
	case *ssa.Store:
		if in.Addr == addr {
			g.stores[o] = append(g.stores[o], in)
			return
		}
	case *ssa.Call:
		switch g.atomicOp(in, addr) {
		case library.OpLoad:
			return
		case library.OpStore, library.OpSwap, library.OpCAS:
			g.sets[o] = append(g.sets[o], in)
			return
		}
	}
	g.other[o] = true
}

// atomicOp is the model's name of an atomic operation on an address, "" for other calls.
func (g *gates) atomicOp(c *ssa.Call, addr ssa.Value) library.Op {
	f := c.Call.StaticCallee()
	if f == nil || len(c.Call.Args) == 0 || c.Call.Args[0] != addr || slices.Contains(c.Call.Args[1:], addr) {
		return ""
	}
	if m := g.l.Models.Model(f); m != nil {
		return m.Op
	}
	return ""
}

// whole notes that values of a type are written over: their members are then, too.
func (g *gates) whole(t types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		g.other[named{o: f.Origin()}] = true
		g.whole(f.Type())
	}
}

// private reports whether only the program can write a flag.
func (g *gates) private(n named) bool {
	if g.other[n] || n.local != nil {
		return !g.other[n]
	}
	v, ok := n.o.(*types.Var)
	return ok && g.l.Own[v.Pkg()] && (!v.Exported() || !v.IsField() && !g.l.LibraryMode)
}

// gate is what an operation is done under.
type gate struct {
	flag ssa.Value // its address
	mode ir.Mode
}

// at are the flags that keep an operation apart from others.
func (g *gates) at(in ssa.Instruction, op ir.Operation) []gate {
	var out []gate
	f := in.Parent()
	if f == nil {
		return nil
	}
	_, late := in.(*ssa.Defer)
	for _, b := range f.Blocks {
		for _, x := range b.Instrs {
			switch x := x.(type) {
			case *ssa.If:
				if flag := g.unset(x.Cond, in); flag != nil && !late {
					out = append(out, gate{flag, ir.Shared})
				}
			case *ssa.Store:
				if c, ok := cellOf(x.Addr); ok && mayBeFlag(c.what.typ()) && isTrue(x.Val) && form.ComesBefore(x, in) && g.lockOf(c.what).is() && g.setsAlone(x, c, op) {
					out = append(out, gate{x.Addr, ir.Exclusive})
				}
			case *ssa.Call:
				if flag := g.won(x, in, op); flag != nil {
					out = append(out, gate{flag, ir.Exclusive})
				}
			}
		}
	}
	return out
}

// unset is a flag that is known to be unset at an instruction, since it was tested under
// the lock that is held still.
func (g *gates) unset(cond ssa.Value, in ssa.Instruction) ssa.Value {
	ld, branch := tested(cond, in, false)
	u, ok := ld.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || !branch || u.Parent() != in.Parent() {
		return nil
	}
	c, ok := cellOf(u.X)
	if !ok || !mayBeFlag(c.what.typ()) {
		return nil
	}
	lock := g.lockOf(c.what)
	if !lock.is() || !g.held(lock.beside(c), u, false) || g.mayGiveBack(lock, u, in) {
		return nil
	}
	return u.X
}

// tested is the value that a condition tests, where the instruction is executed only
// after it was found to be want.
func tested(cond ssa.Value, in ssa.Instruction, want bool) (v ssa.Value, ok bool) {
	v = cond
	for {
		n, isNot := v.(*ssa.UnOp)
		if !isNot || n.Op != token.NOT {
			break
		}
		v, want = n.X, !want
	}
	for _, r := range form.Uses(cond) {
		br, isIf := r.(*ssa.If)
		if !isIf {
			continue
		}
		to := br.Block().Succs[1]
		if want {
			to = br.Block().Succs[0]
		}
		if len(to.Preds) == 1 && to.Dominates(in.Block()) && br.Block().Succs[0] != br.Block().Succs[1] {
			return v, true
		}
	}
	return v, false
}

// lockOf is the lock under which a plain flag is set, by all that set it; zero where it
// is no such flag.
func (g *gates) lockOf(o named) named {
	if l, known := g.locks[o]; known {
		return l
	}
	g.locks[o] = named{}
	if !g.private(o) || len(g.sets[o]) > 0 {
		return named{}
	}
	var all []named
	first := true
	for _, st := range g.stores[o] {
		if form.Initial(st, st.Addr) || st.Parent().Synthetic == "package initializer" {
			continue
		}
		if !isTrue(st.Val) {
			return named{}
		}
		c, _ := cellOf(st.Addr)
		var held []named
		for _, l := range g.locksBefore(st) {
			if l == l.what.beside(c) && l.what.outlasts(o) && (first || slices.Contains(all, l.what)) && g.held(l, st, true) {
				held = append(held, l.what)
			}
		}
		all, first = held, false
	}
	if len(all) > 0 {
		g.locks[o] = all[0]
	}
	return g.locks[o]
}

func isTrue(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value)
}

// locksBefore are the locks that are taken somewhere in the function around an
// instruction.
func (g *gates) locksBefore(in ssa.Instruction) []cell {
	var out []cell
	for _, b := range in.Parent().Blocks {
		for _, x := range b.Instrs {
			if c, ok := x.(*ssa.Call); ok {
				if l, op, _ := g.lockCall(c); op == library.OpLock && !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// lockCall is the lock that a call takes or gives back.
func (g *gates) lockCall(c ssa.CallInstruction) (l cell, op library.Op, shared bool) {
	f := c.Common().StaticCallee()
	if f == nil || len(c.Common().Args) == 0 {
		return cell{}, "", false
	}
	m := g.l.Models.Model(f)
	if m == nil || m.Op != library.OpLock && m.Op != library.OpUnlock && m.Op != library.OpTryLock {
		return cell{}, "", false
	}
	l, ok := cellOf(c.Common().Args[0])
	if !ok {
		return cell{}, m.Op, false
	}
	return l, m.Op, m.Mode == "shared"
}

// held reports whether a lock is surely held at an instruction: taken in the same
// function, and not given back since.
func (g *gates) held(l cell, in ssa.Instruction, exclusive bool) bool {
	for _, b := range in.Parent().Blocks {
		for _, x := range b.Instrs {
			c, ok := x.(*ssa.Call)
			if !ok {
				continue
			}
			at, op, shared := g.lockCall(c)
			if op == library.OpLock && at == l && !(exclusive && shared) && form.ComesBefore(c, in) && !g.mayGiveBack(l.what, c, in) {
				return true
			}
		}
	}
	return false
}

// mayGiveBack reports whether a lock may be given back after one instruction and before
// another one of the function, which may be executed several times for each time that the
// first one is.
func (g *gates) mayGiveBack(lock named, from, to ssa.Instruction) bool {
	for _, b := range from.Parent().Blocks {
		for _, x := range b.Instrs {
			if x != from && x != to && g.givesBack(x, lock) && form.MayReach(from, x) && form.MayReach(x, to, from) {
				return true
			}
		}
	}
	return false
}

// givesBack reports whether an instruction may give back a lock: of calls, those of
// operations of other locks, of builtin functions, and of library functions that call
// nothing, do not.
func (g *gates) givesBack(in ssa.Instruction, lock named) bool {
	if _, ok := in.(*ssa.RunDefers); ok {
		return true
	}
	c, ok := in.(*ssa.Call)
	if !ok || form.IsBuiltin(c) {
		return false
	}
	if l, op, _ := g.lockCall(c); op != "" {
		return op == library.OpUnlock && (l.what == lock || !l.what.is())
	}
	f := c.Common().StaticCallee()
	if f == nil || len(form.Body(f).Blocks) > 0 {
		return true
	}
	m := g.l.Models.Model(f)
	return m == nil || !slices.Contains([]library.Op{library.OpAdd, library.OpDone, library.OpLoad, library.OpStore, library.OpSwap, library.OpCAS, library.OpUpdate}, m.Op)
}

// setsAlone reports whether a store that sets a flag is one after which an operation of
// the kind is kept apart: where two of the kind conflict, one thread only must execute
// it.
func (g *gates) setsAlone(st *ssa.Store, c cell, op ir.Operation) bool {
	if op == ir.OpWait {
		return true
	}
	if op != ir.OpClose || form.OnCycle(st.Block()) {
		return false
	}
	if g.setOnce(st, c.what) {
		return true
	}
	lock := g.locks[c.what]
	for _, ld := range g.loads[c.what] {
		at, _ := cellOf(ld.X)
		if ld.Parent() != st.Parent() || at.in != c.in || !g.held(lock.beside(c), ld, true) || g.mayGiveBack(lock, ld, st) {
			continue
		}
		for _, b := range st.Parent().Blocks {
			if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
				if v, ok := tested(br.Cond, st, false); ok && v == ssa.Value(ld) {
					return true
				}
			}
		}
	}
	return false
}

// won is an atomic flag that the thread has surely set as the only one when an
// instruction is executed.
func (g *gates) won(c *ssa.Call, in ssa.Instruction, op ir.Operation) ssa.Value {
	if len(c.Call.Args) == 0 || op != ir.OpClose && op != ir.OpWait {
		return nil
	}
	at, ok := cellOf(c.Call.Args[0])
	if !ok || !slices.Contains(g.sets[at.what], c) || !g.onlySet(at.what) {
		return nil
	}
	want := false // what was there
	switch g.atomicOp(c, c.Call.Args[0]) {
	case library.OpCAS:
		want = true // exchanged
	case library.OpSwap:
	default:
		return nil
	}
	for _, k := range append(g.compared(c, !want), condition{c, want}) {
		for _, r := range g.conditions(k.v) {
			if v, ok := tested(r, in, k.want); ok && v == k.v {
				return c.Call.Args[0]
			}
		}
	}
	return nil
}

// conditions are a result and its negations.
func (g *gates) conditions(v ssa.Value) []ssa.Value {
	out := []ssa.Value{v}
	for i := 0; i < len(out); i++ {
		for _, r := range form.Uses(out[i]) {
			if n, ok := r.(*ssa.UnOp); ok && n.Op == token.NOT {
				out = append(out, n)
			}
		}
	}
	return out
}

// onlySet reports whether an atomic flag is never unset, once others may know its object.
func (g *gates) onlySet(o named) bool {
	if !g.private(o) || len(g.loads[o]) > 0 {
		return false
	}
	for _, st := range g.stores[o] {
		if !form.Initial(st, st.Addr) {
			return false
		}
	}
	for _, c := range g.sets[o] {
		args := c.Call.Args[1:]
		if g.atomicOp(c, c.Call.Args[0]) == library.OpCAS {
			if !isZeroFlag(args[0]) {
				return false
			}
			args = args[1:]
		}
		if k, ok := args[0].(*ssa.Const); !ok || isZeroFlag(k) {
			return false
		}
	}
	return true
}

// isZeroFlag reports whether a value is false or 0.
func isZeroFlag(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	switch c.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(c.Value)
	case constant.Int:
		return constant.Sign(c.Value) == 0
	}
	return false
}

// gated emits an operation under the flags that keep it apart.
func (x *fn) gated(op ir.Operation, emit func()) {
	var held []ir.Lock
	if x.Site != nil && x.gates != nil && x.Site.Parent() == x.Sf {
		for _, g := range x.gates.at(x.Site, op) {
			held = append(held, ir.Lock{Base: x.Base(), Lock: x.followed(g.flag)[0], Mode: g.mode, Class: ir.GhostOrder})
		}
	}
	for i := range held {
		x.Emit(&held[i])
	}
	emit()
	for _, h := range held {
		x.Emit(&ir.Unlock{Base: h.Base, Lock: h.Lock, Mode: h.Mode, Class: h.Class})
	}
}
