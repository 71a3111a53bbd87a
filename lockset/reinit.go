package lockset

import (
	"fmt"

	"whoop/ir"
)

// A lock that is made anew while others hold it, or wait for it, keeps nobody out:
// mutex_init in open, memset over a device. That locks are initialised before they are
// used is assumed; that they are not initialised again meanwhile is looked at, for locks
// at fixed addresses and in what a variable at a fixed address points to. (A loop that
// makes an object's lock and starts the object's thread is not meant.) With
// Options.Discipline all locks are looked at: see discipline.go.

// making is an instruction that makes a lock anew while an operation of another entry, or
// of another run, may be on it.
type making struct {
	entry *ir.Entry
	in    ir.Instr
	use   syncOp
}

// madeAnew finds the lock functions whose locks may be made anew while they are used.
func (l *locks) madeAnew(late func() error) (map[*guard]making, error) {
	out := map[*guard]making{}
	for _, e := range l.f.p.Entries {
		for _, fn := range l.f.reach[e] {
			if err := late(); err != nil {
				return nil, err
			}
			var res *resolver
			for _, b := range fn.Blocks {
				for i, in := range b.Instrs {
					addr := madeAt(in)
					if addr == nil || l.f.al.Fresh(in) {
						continue
					}
					if res == nil {
						res = newResolver(fn)
					}
					if res.fixed(addr, b, i) {
						if err := l.noteMade(out, e, in, late); err != nil {
							return nil, err
						}
					}
				}
			}
		}
	}
	return out, nil
}

func (l *locks) noteMade(out map[*guard]making, e *ir.Entry, in ir.Instr, late func() error) error {
	if l.ops == nil {
		l.operations()
	}
	for fn := range l.makes(in) {
		if _, known := out[fn]; known {
			continue
		}
		if err := late(); err != nil {
			return err
		}
		for _, op := range l.ops[fn] {
			if both, _ := l.f.mh.Parallel(e, in, op.entry, op.in); both {
				out[fn] = making{e, in, op}
				break
			}
		}
	}
	return nil
}

// madeAt is the address of the lock, or of the memory, that an instruction makes anew;
// nil for others.
func madeAt(in ir.Instr) ir.Expr {
	switch in := in.(type) {
	case *ir.LockInit:
		if !in.Destroy {
			return in.Lock
		}
	case *ir.SemInit:
		return in.Sem
	case *ir.MemSet:
		return in.Dst
	case *ir.MemCopy:
		return in.Dst
	}
	return nil
}

// fixed reports whether an address, used at instruction i of block b, is one in a
// variable, or in what a variable at a fixed address points to.
func (r *resolver) fixed(addr ir.Expr, b *ir.Block, i int) bool {
	e := r.expand(addr, b, i)
	if _, _, ok := constAddr(e); ok {
		return true
	}
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
		case ir.IndexAddr:
			if _, ok := x.Idx.(ir.Const); !ok {
				return false
			}
			e = x.Base
		case ir.Cast:
			e = x.X
		case ir.Use:
			ds := r.defs[x.Reg]
			if len(ds) != 1 {
				return false
			}
			ld, ok := ds[0].in.(*ir.Load)
			if !ok {
				return false
			}
			_, _, ok = constAddr(ld.Addr)
			return ok
		default:
			return false
		}
	}
}

// explain says why a lock does not count.
func (m making) explain(name string) string {
	return fmt.Sprintf("%s: the lock %s does not count: %s makes it anew here, while %s may use it (%s)", m.in.At(), name, m.entry.Name, m.use.entry.Name, m.use.in.At())
}
