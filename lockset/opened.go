package lockset

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/lockset/permission"
)

// Exclusive opens: `open` sets a word or flag that says that the device is in use, and
// `release` sets it back. The resource of the lock that this is lies with the file in
// between. An open that returns 0 has all of it (an obligation), and moves it to the file.
// The other calls on the file have some of it while they run, and give nothing away: they
// would have to have all. The release of the file has all: the core calls it once for each
// open that returned 0, after all other calls on the file (assumption file-context).
//
// So each file is one that the only `open` has opened: there is one table of operations,
// which nothing changes, and all entries for files are in it.

// opened is what a lock that lasts from open to release has for this.
type opened struct{ open *ir.Entry }

// share is what an entry has at its start of a lock that files carry: all, or some.
func (o *opened) share(e *ir.Entry) permission.Share {
	op, ok := strings.CutPrefix(e.Kind, fileOps)
	switch {
	case o == nil || !ok || e == o.open:
		return permission.None
	case op == "release":
		return permission.Full
	}
	return permission.Some
}

// shareOf is what theory.initial says of a share that an entry always has.
func shareOf(s permission.Share) (full, some ir.Expr) {
	if s == permission.Full {
		full = ir.BoolConst(true)
	}
	if s != permission.None {
		some = ir.BoolConst(true)
	}
	return full, some
}

const fileOps = "file_operations."

// findOpened adds, for locks of words that have no frame, those that last from open to
// release. Flags have theirs from the start (gateLocks).
func (l *locks) findOpened() {
	o := l.onlyOpen()
	if o == nil {
		return
	}
	for _, g := range slices.Clone(l.list) {
		if t, ok := theoryOf[*lock](g); ok && g.frame == nil && t.bits != 0 && t.pointer == nil {
			u := *t
			u.opened = o
			l.beside(g, fmt.Sprintf("opened:%d", g.id), &u)
		}
	}
}

// onlyOpen is the entry that opens all files of a program; nil where that is not known.
func (l *locks) onlyOpen() *opened {
	var table *ir.Global
	in := map[*ir.Func][]*ir.Global{} // what has a function's address, for each member
	for _, g := range l.f.p.Globals {
		for _, c := range g.Init {
			if f := ir.FuncOf(c.Value); f != nil {
				in[f] = append(in[f], g)
			}
		}
		if !holds(g.Type, fileOps) {
			continue
		}
		if _, alone := g.Type.(*ir.Struct); !alone || !g.Const || g.Extern || table != nil {
			return nil
		}
		table = g
	}
	ops := map[*ir.Func]bool{}
	for f, gs := range in {
		ops[f] = slices.Contains(gs, table)
		if ops[f] && slices.ContainsFunc(gs, func(g *ir.Global) bool { return g != table }) {
			return nil
		}
	}
	if table == nil || l.takesAddress(ops) {
		return nil
	}
	var open, release []*ir.Entry
	for _, e := range l.f.p.Entries {
		op, ok := strings.CutPrefix(e.Kind, fileOps)
		switch {
		case !ok:
			continue
		case !ops[e.Func]:
			return nil // registered in another way
		case op == "open":
			open = append(open, e)
		case op == "release":
			release = append(release, e)
		}
	}
	if len(open) != 1 || len(release) != 1 || len(in[open[0].Func]) != 1 || len(in[release[0].Func]) != 1 || !ir.IsInt(open[0].Func.Result) {
		return nil
	}
	return &opened{open[0]}
}

// holds reports whether a type has a struct in it whose name with a dot is as given.
func holds(t ir.Type, name string) bool {
	switch t := t.(type) {
	case ir.Array:
		return holds(t.Elem, name)
	case *ir.Struct:
		return t.Name+"." == name || slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return holds(f.Type, name) })
	}
	return false
}

// takesAddress reports whether an instruction has the address of one of some functions,
// but to call it, or makes a table of operations.
func (l *locks) takesAddress(fs map[*ir.Func]bool) bool {
	for _, in := range l.f.instructions() {
		if a, ok := in.(*ir.Alloc); ok && holds(a.Elem, fileOps) {
			return true
		}
		c, call := in.(*ir.Call)
		for _, e := range ir.Operands(in) {
			found := false
			ir.WalkExpr(e, func(e ir.Expr) bool {
				a, ok := e.(ir.FuncAddr)
				found = found || ok && fs[a.Func] && !(call && e == c.Callee)
				return true
			})
			if found {
				return true
			}
		}
	}
	return false
}

// opens are the obligations where an open returns: that it has the lock, or fails.
func (x *instrumenter) opens(b *ir.Block) []check {
	r, ok := b.Term.(*ir.Return)
	if !ok {
		return nil
	}
	var out []check
	for _, g := range x.l.list {
		o := openedOf(g)
		if o == nil || o.open != x.entry || x.locksAlone && !isLock(g) {
			continue
		}
		has := permission.Transfer{Share: permission.Full, Owed: true}
		if r.Val != nil {
			has.If = ir.Binary{Op: "eq", X: r.Val, Y: ir.IntConst(r.Val.Type().(ir.Int), 0)}
		}
		id := x.candidate()
		x.handovers[id] = g
		out = append(out, check{id, &ir.Assert{Base: ir.Base{Pos: r.At()}, Cond: g.Obligation(has, x.isActive(g)), Tag: "lockset"}})
	}
	return out
}

// mustOpen reports whether the entry has such obligations.
func (x *instrumenter) mustOpen() bool {
	return slices.ContainsFunc(x.l.list, func(g *guard) bool {
		o := openedOf(g)
		return o != nil && o.open == x.entry && !(x.locksAlone && !isLock(g))
	})
}

// openedOf is what a guard has for exclusive opens; nil for most.
func openedOf(g *guard) *opened {
	switch t := g.theory.(type) {
	case *lock:
		return t.opened
	case *gate:
		return t.opened
	}
	return nil
}
