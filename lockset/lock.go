package lockset

import (
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// lock is the theory of locks, semaphores that are used as such among them. Who acquires
// a lock gets all of it, or a part in shared mode, and a release gives that back. A lock
// is granted to one thread, or to several that share it: that is what a lock means.
type lock struct {
	// addr is the lock's address as an expression over the frame's constant.
	addr ir.Expr
	// regions are those that the guard was found from, for the filter in affects; none
	// for the others.
	regions []*alias.Region
	// pointer is set for locks found through a pointer in memory that does not change:
	// dev->lockp for dev->count.
	pointer *pointerCell
	// sem: a semaphore that may be this lock never counts beyond 1 by its initialisation,
	// so a wait acquires it.
	sem bool
	// retry: who holds it shared, as the reader of a sequence lock, keeps nobody out: its
	// reads are thrown away where a writer came, its writes are not.
	retry bool
	// order: only the lowering takes it, to say in which order threads run.
	order bool
	// owned: a lock that says who has an object for itself may be this one; see
	// ir.GhostOwned.
	owned bool
	// bits are those of a word that atomic operations make a lock, 0 for other locks; see
	// words.go. cells are where it may lie.
	bits  uint64
	cells map[*alias.Region]bool
	// opened is set for one that lasts from the open of a file to its release.
	opened *opened
}

func (k *lock) traits() traits {
	return traits{everywhere: k.sem || k.owned || k.bits != 0, hidden: k.order}
}

// initial: nobody holds a lock at the start, but for an entry that the kernel calls with it
// (assumption kernel-lock).
func (k *lock) initial(x *instrumenter, g *guard) (full, some ir.Expr) {
	if k.opened != nil {
		return shareOf(k.opened.share(x.entry))
	}
	if g.frame != nil || k.pointer != nil || len(x.entry.Holds) == 0 {
		return nil, nil
	}
	lock, off, ok := constAddr(k.addr)
	if !ok || off != 0 {
		return nil, nil
	}
	if name, modelled := strings.CutPrefix(lock.Name, ir.LockPrefix); modelled && slices.Contains(x.entry.Holds, name) {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

func (k *lock) transfers(x *instrumenter, in ir.Instr, g *guard) []permission.Transfer {
	if k.bits != 0 {
		return k.wordTransfers(x, in, g)
	}
	switch in := in.(type) {
	case *ir.Lock:
		// nobody knows whether it was acquired
		if !x.affects(in, in.Lock, g) || in.Try && in.Dst == nil {
			return nil
		}
		share := permission.Full
		if in.Mode == ir.Shared {
			share = permission.Some
		}
		return []permission.Transfer{{Share: share, If: k.got(in.Lock, in.Try, in.Dst)}}
	case *ir.SemWait:
		if !k.sem || !x.affects(in, in.Sem, g) || in.Try && in.Dst == nil {
			return nil
		}
		return []permission.Transfer{{Share: permission.Full, If: k.got(in.Sem, in.Try, in.Dst)}}
	case *ir.SemPost:
		if x.affects(in, in.Sem, g) {
			return []permission.Transfer{{Kind: permission.Exhale, Share: permission.Full, If: k.is(in.Sem), Owed: k.sem}}
		}
	case *ir.Unlock:
		if x.affects(in, in.Lock, g) {
			return []permission.Transfer{{Kind: permission.Exhale, If: k.is(in.Lock)}}
		}
	case *ir.LockInit:
		if x.affects(in, in.Lock, g) {
			return []permission.Transfer{{Kind: permission.Exhale, If: k.is(in.Lock), All: true}}
		}
	}
	return nil
}

// got is the condition under which an operation on an address acquires the lock; tried is
// the result of one that may fail.
func (k *lock) got(addr ir.Expr, try bool, tried *ir.Reg) ir.Expr {
	if try {
		return ir.Binary{Op: "land", X: ir.Use{Reg: tried}, Y: k.is(addr)}
	}
	return k.is(addr)
}

// is the condition that an address is the lock's.
func (k *lock) is(addr ir.Expr) ir.Expr {
	return ir.Binary{Op: "eq", X: asPtr(addr), Y: k.addr}
}

// section is the theory of atomic sections: one runs at a time.
type section struct{}

func (section) traits() traits { return traits{} }

func (section) initial(*instrumenter, *guard) (full, some ir.Expr) { return nil, nil }

func (section) transfers(_ *instrumenter, in ir.Instr, _ *guard) []permission.Transfer {
	switch in.(type) {
	case *ir.AtomicBegin:
		return []permission.Transfer{permission.Gets(permission.Full, nil)}
	case *ir.AtomicEnd:
		return []permission.Transfer{permission.Loses()}
	}
	return nil
}
