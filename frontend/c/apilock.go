package c

import "whoop/ir"

// lockKind is what a function sets a lock attribute to.
type lockKind int

const (
	plainKind     lockKind = iota
	recursiveKind          // PTHREAD_MUTEX_RECURSIVE, mtx_recursive
	otherKind              // any other, or more than one
)

// kindOf reads a kind argument: recursive is bit 0 alone in C11 threads and the value 1
// in pthread.
func kindOf(v ir.Expr) lockKind {
	for {
		c, ok := v.(ir.Cast)
		if !ok {
			break
		}
		v = c.X
	}
	c, ok := v.(ir.Const)
	switch {
	case !ok || !c.Val.IsInt64():
		return otherKind
	case c.Val.Int64() == 0:
		return plainKind
	case c.Val.Int64() == 1:
		return recursiveKind
	}
	return otherKind
}

// errorCheck is PTHREAD_MUTEX_ERRORCHECK.
const errorCheck = 2

const lockKindText = "a lock whose kind may be error-checking: taking it twice or releasing it unheld is not followed"

// staticKind notes the kind that a pthread_mutex_t is initialised to, as a constant in
// its member __kind.
func (u *unit) staticKind(g *ir.Global, lf leaf, v ir.Expr) {
	c, ok := v.(ir.Const)
	if !ok || !lf.kind || !c.Val.IsInt64() {
		return
	}
	switch c.Val.Int64() {
	case 1:
		at := ir.IndexAddr{Base: ir.Cast{X: ir.GlobalAddr{Global: g}, T: ir.VPtr}, Idx: ir.IntConst(ir.I64, lf.off-lf.kindOff), Stride: 1, T: ir.VPtr}
		u.locks = append(u.locks, &ir.LockInit{Base: ir.Base{Pos: pos(lf.e.Position())}, Lock: at, Class: "mutex", Recursive: true})
	case errorCheck:
		u.p.Assume("lock-kind", pos(lf.e.Position()), lockKindText)
	}
}

// initLocks makes locks recursive that are initialised so, before main does anything.
func (pr *program) initLocks() {
	f := pr.funcs["main"]
	if f == nil || len(f.Blocks) == 0 {
		return
	}
	f.Blocks[0].Instrs = append(append([]ir.Instr(nil), pr.locks...), f.Blocks[0].Instrs...)
}

// attrKey names the variable that an attribute pointer is the address of; nil where it is
// not that simple.
func attrKey(v ir.Expr) any {
	for {
		c, ok := v.(ir.Cast)
		if !ok {
			break
		}
		v = c.X
	}
	switch x := v.(type) {
	case ir.GlobalAddr:
		return x.Global
	case ir.Use:
		return x.Reg
	}
	return nil
}

// setAttr notes the kind a lock attribute is set to. Two different kinds in one function
// make neither known.
func (a *apiCall) setAttr() {
	v, _ := a.role("attr")
	k, _ := a.role("kind")
	key, kind := attrKey(v), kindOf(k)
	if key == nil {
		return
	}
	if c, ok := k.(ir.Const); !ok || c.Val.IsInt64() && c.Val.Int64() == errorCheck {
		a.p.Assume("lock-kind", pos(a.x.Position()), lockKindText)
	}
	if old, ok := a.attrs[key]; ok && old != kind {
		kind = otherKind
	}
	if a.attrs == nil {
		a.lowerer.attrs = map[any]lockKind{}
	}
	a.attrs[key] = kind
}

// recursiveInit reports whether an initialisation makes the lock one that its holder may
// take again.
func (a *apiCall) recursiveInit() bool {
	if a.m.Recursive {
		return true
	}
	if k, ok := a.role("kind"); ok {
		return kindOf(k) == recursiveKind
	}
	if v, ok := a.role("attr"); ok {
		if key := attrKey(v); key != nil {
			return a.attrs[key] == recursiveKind
		}
	}
	return false
}
