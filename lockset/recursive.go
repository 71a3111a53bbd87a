package lockset

import "whoop/ir"

// findRecursive gives a depth to the lock functions that stand for recursive locks only:
// every initialisation that may be meant makes the lock recursive, or every operation is
// of an API whose locks are. An error-checking lock refuses a second acquisition, so it
// must not be counted.
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
		if _, ok := theoryOf[*lock](fn); ok && (l.recursiveInits(fn, inits) || l.recursiveOps(fn, ops)) {
			fn.Depth = &ir.Reg{Name: "$depth." + fn.Held[0].Name, Type: ir.I64, Ghost: true}
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
