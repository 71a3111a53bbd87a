package world

import (
	"errors"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/program"
)

// Root is a function that is lowered because something outside the program starts it.
type Root struct {
	Fn   *ssa.Function
	Kind rootKind
	Pkg  *ssa.Package
	// Unknown says why what the root stands for is not understood; then fn is a function
	// beside it.
	Unknown string
}

// rootKind is what a root is.
type rootKind string

const (
	MainRoot     rootKind = "main"     // of a program
	FunctionRoot rootKind = "function" // that users of a library call
	MethodRoot   rootKind = "method"   // that users call on values that they share
	// SessionRoot is a method of a session: it is run, but by no thread of its own.
	SessionRoot rootKind = "session"
	// InitRoot is the initialisation of a package that starts something.
	InitRoot rootKind = "init"
)

// ErrNoEntries says that nothing in the packages runs concurrently.
var ErrNoEntries = errors.New("no entry points: there is no main function, and no exported type or function has synchronisation, starts goroutines or says in its " +
	"doc comment that it is safe for concurrent use")

// Roots finds where execution starts: main functions, and the interface of library
// packages that is meant for concurrent use.
func (w *World) Roots(pkgs []program.Package) ([]Root, error) {
	var out []Root
	for _, pkg := range pkgs {
		if !pkg.Given {
			continue
		}
		p := pkg.SSA
		if f := program.ProgramOf(p); f != nil {
			out = append(out, Root{Fn: f, Kind: MainRoot, Pkg: p})
		} else {
			out = append(out, w.Library(p, pkg.Files)...)
		}
	}
	if !slices.ContainsFunc(out, func(r Root) bool { return r.Kind != MainRoot }) {
		w.instances = &instances{}
	} else {
		w.instances = w.findInstances(pkgs)
		out = w.sessionInstances(w.instanceRoots(out))
	}
	if len(out) == 0 {
		return nil, ErrNoEntries
	}
	return out, nil
}

// InitOf is the package initialisation to run before f, or nil.
func (w *World) InitOf(f *ssa.Function) *ssa.Function {
	if f != nil && f.Pkg != nil && f == program.ProgramOf(f.Pkg) {
		return f.Pkg.Func("init")
	}
	return nil
}
