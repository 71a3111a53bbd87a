package golang

import (
	"errors"
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/library"
	"whoop/frontend/golang/precise"
	"whoop/frontend/golang/program"
	"whoop/frontend/golang/world"
	"whoop/internal/kept"
	"whoop/ir"
	"whoop/ir/messages"
)

// Options configure reading Go.
type Options struct {
	// Models are further model files, of the form of the embedded ones.
	Models []string
	// Root, where not "", is the function that is run: main, a test or another function
	// without parameters. Then the program is lowered for bmc: exactly, up to places
	// where executions end because that is not possible.
	Root string
	// Open says what functions and methods do that are not seen and not known; "" means
	// OpenConfined.
	Open world.Open
	// Alone: the packages use others of which neither the source nor a model is there.
	// What those do to objects of their own is left out, so that the result is no proof.
	// For a tool that sees one package at a time.
	Alone bool
	// More are further inputs that Load reads with the first, and Tags build tags: see
	// Input.
	More []string
	Tags string
	// Cache is where facts about packages of other modules are kept between runs, nil for
	// nowhere.
	Cache *kept.Store
}

// Open says what functions and methods do that are not seen and not known.
type Open = world.Open

// What they do: see package world.
const (
	OpenConfined = world.OpenConfined
	OpenAny      = world.OpenAny
)

// ErrNoEntries says that nothing in the packages runs concurrently.
var ErrNoEntries = world.ErrNoEntries

// Load reads the packages that path names, lowers them and finds their entry points. path
// is a directory, a directory followed by "/...", or a .go file.
func Load(path string, opts Options) (*ir.Program, error) {
	in := program.Input{Paths: append([]string{path}, opts.More...), Tags: opts.Tags}
	src, err := program.ReadWith(in, opts.Root != "" && opts.Root != "main", opts.Root != "")
	if err != nil {
		return nil, err
	}
	low, err := Lower(src, opts)
	if errors.Is(err, precise.ErrRoot) && opts.Root == "main" { // say which tests there are
		if src, err := program.ReadWith(in, true, false); err == nil {
			if _, err := Lower(src, opts); err != nil {
				return nil, err
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return low.Program, nil
}

// Lowered is a program with the way back to its syntax.
type Lowered struct {
	Program *ir.Program
	// Places has the syntax's position for every source position that occurs in the
	// program.
	Places map[ir.Pos]token.Pos
}

// maxLowered is how often the packages are lowered with more functions that are reached,
// before all count as reached.
const maxLowered = 6

// Lower makes the IR of the packages and finds their entry points; it is an error if
// there are none (ErrNoEntries), with which a program comes that says what was looked at.
func Lower(s *program.Source, opts Options) (*Lowered, error) {
	m, err := library.Load(opts.Models)
	if err != nil {
		return nil, err
	}
	var l *lowering
	modules := world.FindModules(s, m, opts.Cache)
	reached := alsoReached{more: map[*ssa.Function]bool{}}
	for try := 0; ; try++ {
		reached.all = try == maxLowered
		l = newLowering(s.Prog, m)
		l.p.Name, l.reached, l.precise.Root, l.Open, l.Bodies, l.Moved = s.Name, reached, opts.Root, opts.Open, s.Bodies, s.Moved
		l.alone = opts.Alone
		l.Modules = modules
		l.precise.SetExact()
		err = l.program(s.Packages)
		var narrow *narrowError
		if !errors.As(err, &narrow) {
			break
		}
		for _, f := range narrow.missing {
			reached.more[f] = true
		}
	}
	if err != nil && !errors.Is(err, world.ErrNoEntries) {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Name, err)
	}
	if l.Exact {
		messages.Exact(l.p)
	} else {
		messages.Abstract(l.p)
	}
	return &Lowered{l.p, l.Places}, err
}

// Units divides a source into programs: see Source.Units.
func Units(s *program.Source, opts Options) ([]program.Unit, error) {
	return s.Units(func(libs []program.Package) ([]program.Package, error) { return withEntries(s, libs, opts) })
}

// withEntries are those of some library packages in which entry points lie.
func withEntries(s *program.Source, libs []program.Package, opts Options) ([]program.Package, error) {
	m, err := library.Load(opts.Models)
	if err != nil {
		return nil, err
	}
	l := newLowering(s.Prog, m)
	l.p.Name = s.Name
	l.look(s.Packages)
	var out []program.Package
	for _, p := range libs {
		if len(l.Library(p.SSA, p.Files)) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

// CheckModels reports what is wrong with files of models.
func CheckModels(files []string) error {
	if len(files) == 0 {
		return nil
	}
	_, err := library.Load(files)
	return err
}
