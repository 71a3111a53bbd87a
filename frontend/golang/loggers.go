package golang

import (
	"go/types"

	"whoop/ir"
)

// Loggers hold a lock while they write: those of package log all the time, those of
// package log/slog with the handlers of that package. Handlers of the program they call
// without.

// serialised does something under the lock of a logger.
func (x *fn) serialised(n *types.Named, p ir.Expr, do func()) {
	if n.Obj().Pkg() == nil || x.keptIn(p, n) == nil {
		do()
		return
	}
	x.underLock(n.Obj().Pkg().Path(), func() ir.Expr { return x.Member(p, n, 0) }, do)
}

// underLock does something that a package of loggers does under a lock, or writes under
// one.
func (x *fn) underLock(path string, lock func() ir.Expr, do func()) {
	switch path {
	case "log":
		x.holding(lock(), do)
	case "log/slog":
		defer func(old ir.Expr) { x.writeLock = old }(x.writeLock)
		x.writeLock = lock()
		do()
	default:
		do()
	}
}

// writing does something that a logger of package log/slog does under its lock, if it
// writes.
func (x *fn) writing(writes bool, do func()) {
	if x.writeLock == nil || !writes {
		do()
		return
	}
	x.holding(x.writeLock, do)
}

func (x *fn) holding(lock ir.Expr, do func()) {
	x.Emit(&ir.Lock{Base: x.Base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassLibrary})
	do()
	x.Emit(&ir.Unlock{Base: x.Base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassLibrary})
}

// packageLock is the lock of the logger that the functions of a package use.
func (x *fn) packageLock(pkg *types.Package) ir.Expr {
	if x.packageLocks == nil {
		x.packageLocks = map[*types.Package]*ir.Global{}
	}
	if x.packageLocks[pkg] == nil {
		x.packageLocks[pkg] = x.NewGlobal("lock of "+pkg.Path(), ir.U32, ir.Pos{})
	}
	return ir.GlobalAddr{Global: x.packageLocks[pkg]}
}
