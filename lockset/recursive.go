package lockset

import "whoop/ir"

// Locks that their holder may take again have a depth besides the held flags: a release frees the lock only at depth 0.

func depthConst(n int64) ir.Expr { return ir.IntConst(ir.I64, n) }

// deep says that the lock was taken at least n times more than released.
func (fn *guard) deep(n int64) ir.Expr {
	return ir.Binary{Op: "ge", X: ir.Use{Reg: fn.depth}, Y: depthConst(n)}
}

// maxDepth is where counting stops: below it nothing wraps, and a depth that is too small is on the safe side.
const maxDepth = 1000

// deeper is the depth after an acquisition, shallower after a release, if cond holds.
func (fn *guard) deeper(cond ir.Expr) ir.Expr {
	d := ir.Use{Reg: fn.depth}
	more := ir.Select{C: fn.deep(maxDepth), X: d, Y: ir.Binary{Op: "add", X: d, Y: depthConst(1)}}
	return ir.Select{C: cond, X: more, Y: d}
}

func (fn *guard) shallower(cond ir.Expr) ir.Expr {
	d := ir.Use{Reg: fn.depth}
	less := ir.Select{C: fn.deep(1), X: ir.Binary{Op: "sub", X: d, Y: depthConst(1)}, Y: depthConst(0)}
	return ir.Select{C: cond, X: less, Y: d}
}

// ghosts are the ghost registers of a lock function.
func (fn *guard) ghosts() []*ir.Reg {
	out := []*ir.Reg{fn.held[0], fn.held[1]}
	if fn.depth != nil {
		out = append(out, fn.depth)
	}
	return out
}

// findRecursive gives a depth to the lock functions that stand for recursive locks only: every initialisation that may
// be meant makes the lock recursive, or every operation is of an API whose locks are. An error-checking lock refuses a
// second acquisition, so it must not be counted.
func (l *locks) findRecursive() {
	var inits []*ir.LockInit
	var ops []*ir.Lock
	any := false
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.LockInit:
					if !in.Destroy {
						inits, any = append(inits, in), any || in.Recursive
					}
				case *ir.Lock:
					ops, any = append(ops, in), any || in.Recursive
				}
			}
		}
	}
	if !any {
		return
	}
	for _, fn := range l.list {
		if fn.pseudo == "" && (l.recursiveInits(fn, inits) || l.recursiveOps(fn, ops)) {
			fn.depth = &ir.Reg{Name: "$depth." + fn.held[0].Name, Type: ir.I64, Ghost: true}
		}
	}
}

func (l *locks) recursiveInits(fn *guard, inits []*ir.LockInit) bool {
	some := false
	for _, in := range inits {
		if l.f.affects(in, in.Lock, fn) {
			if !in.Recursive {
				return false
			}
			some = true
		}
	}
	return some
}

func (l *locks) recursiveOps(fn *guard, ops []*ir.Lock) bool {
	some := false
	for _, in := range ops {
		if l.f.affects(in, in.Lock, fn) {
			if !in.Recursive {
				return false
			}
			some = true
		}
	}
	return some
}
