package goanalysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whoop/diag"
	"whoop/frontend/golang/lockuse"
	"whoop/frontend/golang/program"
)

// A linter that cries wolf is turned off. verify calls all races that it cannot exclude;
// what is reported here are those that look real:
//
//   - there is one object that both accesses may be of: a variable, a receiver, or what is
//     allocated once; that one object is not mistaken for another;
//   - or one access is under a lock, and the other surely under none: the lock is there
//     because of others. Which lock it is, is not looked at, as in RacerD (Blackshear et
//     al., OOPSLA 2018): to know that two objects' locks are different is what goes wrong;
//   - or one access is atomic and the other is not;
//   - or both have one lock that is taken for reading alone, and one of them writes.
//
// Not even these are reported in places that mostly have a reason of their own:
//
//   - where users set up a library, before others use it: in constructors, and in methods
//     of builders, which return their receiver;
//   - under a sync.Once: what is made there is used after it, by who has called Do;
//   - for the last two kinds, after something that waits, with what a goroutine does;
//   - for these, too, in elements of arrays: they are taken out under the lock to work on;
//   - in the function that made the object, or what it calls, for the last two kinds and
//     where users call the function: its object is a new one (ownership, ibid.).
//
// Nor are those that only a wrong use of a package makes, or that another order excludes:
//
//   - of what users call, both without a lock, where one of the two synchronises nothing at
//     all: it sets something up (SetLimit), or is for who owns the object;
//   - of what users call in a struct without a lock, atomic variable or channel of its own,
//     and for the last two kinds in one without a lock or atomic variable: who owns it
//     keeps it apart, and another object's lock that is held says little;
//   - after a compare and swap, or a swap: of many one goes on;
//   - what fmt.Sprint and its like may look at, what a value is copied to that becomes an
//     interface, and memory of which nobody knows where it was allocated: only types tell
//     which memory that is;
//   - a WaitGroup that users add to while they wait for it: their package says in which order.
//
// All others are left out. In most of them, two objects of one type are not told apart.

// likelihood says which races look real.
type likelihood struct {
	*reporter
	hold *lockuse.MayHold
	// setup are the entry points that set up a library, called those that users call, and
	// spawned those that goroutines start with
	setup, called, spawned map[string]bool
	files                  []*ast.File
	// plain are the structs that have nothing that synchronises, lockless those that at
	// most have channels, by the names that reports give their members.
	plain, lockless map[string]bool
}

func newLikelihood(r *reporter, src *program.Source, rep *diag.Report) *likelihood {
	l := &likelihood{r, lockuse.FindMayHold(src), map[string]bool{}, map[string]bool{}, map[string]bool{}, nil, structs(src, false), structs(src, true)}
	builders := map[token.Pos]bool{}
	for _, p := range src.Packages {
		for id, o := range p.Info.Defs {
			if f, ok := o.(*types.Func); ok && returnsReceiver(f.Signature()) {
				builders[id.Pos()] = true
			}
		}
	}
	for _, e := range rep.Entries {
		l.setup[e.Name] = e.Kind == "init" || builders[l.at(e.Pos)]
		l.spawned[e.Name] = e.Kind == "goroutine"
		l.called[e.Name] = e.Kind == "method" || e.Kind == "function"
	}
	for _, p := range src.Packages {
		l.files = append(l.files, p.Files...)
	}
	return l
}

// returnsReceiver reports whether the result of a method is of its receiver's type.
func returnsReceiver(sig *types.Signature) bool {
	return sig.Recv() != nil && sig.Results().Len() == 1 && types.Identical(sig.Recv().Type(), sig.Results().At(0).Type())
}

// real reports whether a race looks real.
func (l *likelihood) real(x diag.Race) bool {
	both := []diag.Access{x.First, x.Second}
	if slices.ContainsFunc(both, func(a diag.Access) bool { return l.setup[a.Entry] || l.once(a) }) {
		return false
	}
	made := slices.ContainsFunc(both, func(a diag.Access) bool { return (!x.Same || l.called[a.Entry]) && l.maker(x.Region, a) })
	switch {
	case made || l.misused(x):
		return false
	case x.Same:
		return true
	case x.Kind != diag.DataRace && x.Kind != "":
		return false
	}
	if l.joined(x.First, x.Second) || l.joined(x.Second, x.First) || array.MatchString(x.Region) {
		return false
	}
	if l.lockless[owner(x)] {
		return false
	}
	return atomic(x.First) != atomic(x.Second) || l.locked(x.First) != l.locked(x.Second) || l.readers(x)
}

// readers reports whether both accesses are under one lock, and under none that is taken
// for writing.
func (l *likelihood) readers(x diag.Race) bool {
	shared := func(a diag.Access) bool {
		p := l.path(a)
		return slices.ContainsFunc(p, l.hold.Shared) &&
			!slices.ContainsFunc(p, func(p token.Pos) bool { return l.hold.At(p) && !l.hold.Shared(p) })
	}
	one := slices.ContainsFunc(x.First.Locks, func(name string) bool {
		return strings.HasSuffix(name, "(shared)") && slices.Contains(x.Second.Locks, name)
	})
	return one && shared(x.First) && shared(x.Second)
}

// misused reports whether a race needs a use that a package does not mean, or is excluded
// by what one of the accesses has swapped before it. An atomic operation on the type of
// what an interface has is none of Go's: which memory it is on is not known.
func (l *likelihood) misused(x diag.Race) bool {
	both := []diag.Access{x.First, x.Second}
	bare := !slices.ContainsFunc(both, l.locked)
	users := l.called[x.First.Entry] && l.called[x.Second.Entry]
	switch {
	case slices.ContainsFunc(both, atomic) && strings.HasSuffix(x.Region, ".type"):
		return true
	case slices.ContainsFunc(both, l.shown) || strings.Contains(x.Region, "heap(-)"):
		return true
	case bare && slices.ContainsFunc(both, l.claimed):
		return true
	case users && (x.Kind == diag.AddWait || x.Kind == diag.WaitReuse):
		return true
	case users && l.plain[owner(x)]:
		return true
	}
	return bare && slices.ContainsFunc(both, func(a diag.Access) bool { return l.called[a.Entry] && !l.hold.Syncs(l.at(l.starts[a.Entry])) })
}

// claimed reports whether an access comes after a swap.
func (l *likelihood) claimed(a diag.Access) bool {
	return slices.ContainsFunc(l.path(a), l.hold.Claimed)
}

// shown reports whether an access is made by a function that is not seen and was given a
// value of any type.
func (l *likelihood) shown(a diag.Access) bool { return l.hold.Shown(l.places[a.Pos]) }

// owner is the struct with the member that a race is on, as reports name it.
func owner(x diag.Race) string {
	i := strings.LastIndex(x.Field, ".")
	if i < 0 {
		return ""
	}
	return x.Field[:i]
}

// structs are the structs of a program without a lock or an atomic variable, and without a
// channel where channels count.
func structs(src *program.Source, channels bool) map[string]bool {
	out := map[string]bool{}
	for _, p := range src.Packages {
		for _, o := range p.Info.Defs {
			t, ok := o.(*types.TypeName)
			if !ok || t.IsAlias() {
				continue
			}
			if s, ok := t.Type().Underlying().(*types.Struct); ok && !synchronises(s, channels, 0) {
				out[types.TypeString(t.Type(), func(p *types.Package) string { return p.Name() })] = true
			}
		}
	}
	return out
}

// synchronises reports whether a struct has something that synchronises, in itself, in a
// struct within it, or behind a pointer; channels: a channel does not.
func synchronises(s *types.Struct, channels bool, depth int) bool {
	for f := range s.Fields() {
		t := f.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
			if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
				return true
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Chan:
			if !channels {
				return true
			}
		case *types.Struct:
			if _, pointer := f.Type().Underlying().(*types.Pointer); !pointer && depth < 3 && synchronises(u, channels, depth+1) {
				return true
			}
		}
	}
	return false
}

func atomic(a diag.Access) bool { return strings.HasPrefix(a.Kind, "atomic ") }

// path is the places of an access, and of the calls that lead to it; zero for those that
// are not known. Calls without a place are those of functions that are made up.
func (l *likelihood) path(a diag.Access) []token.Pos {
	out := []token.Pos{l.places[a.Pos]}
	for _, c := range a.Calls {
		if c.Pos.Line > 0 {
			out = append(out, l.places[c.Pos])
		}
	}
	return out
}

// locked reports whether an access may be under a lock: one taken in its function, or in
// one of those that call it, up to the entry point.
func (l *likelihood) locked(a diag.Access) bool {
	return slices.ContainsFunc(l.path(a), func(p token.Pos) bool { return !p.IsValid() || l.hold.At(p) })
}

// joined reports whether one access comes after something that waits for goroutines, of
// which the other access is one.
func (l *likelihood) joined(after, by diag.Access) bool {
	return l.spawned[by.Entry] && !l.spawned[after.Entry] && slices.ContainsFunc(l.path(after), l.hold.Waited)
}

// once reports whether an access runs within a Do of a sync.Once.
func (l *likelihood) once(a diag.Access) bool { return slices.ContainsFunc(l.path(a), l.hold.Once) }

// allocated matches the place in the name of what is allocated.
var allocated = regexp.MustCompile(`^heap\(([^():@]+):(\d+)`)

// array matches the names of elements of what is allocated.
var array = regexp.MustCompile(`^heap\([^()]*\)$`)

// maker reports whether an access runs in a call of the function that makes the object.
func (l *likelihood) maker(region string, a diag.Access) bool {
	m := allocated.FindStringSubmatch(region)
	if m == nil {
		return false
	}
	line, err := strconv.Atoi(m[2])
	if err != nil {
		return false
	}
	for _, f := range l.files {
		file := l.pass.Fset.File(f.FileStart)
		if filepath.Base(file.Name()) != filepath.Base(m[1]) || line > file.LineCount() {
			continue
		}
		made := function(f, file.LineStart(line), line, l.pass.Fset)
		for _, p := range l.path(a) {
			if made != nil && f.FileStart <= p && p < f.FileEnd && function(f, p, 0, nil) == made {
				return true
			}
		}
	}
	return false
}

// function is the innermost function of a file at a place, or where fset is given the
// first that goes on after the start of a line there.
func function(f *ast.File, p token.Pos, line int, fset *token.FileSet) (in ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			within := n.Pos() <= p && p < n.End() || fset != nil && in == nil && fset.Position(n.Pos()).Line == line
			if within {
				in = n
			}
		}
		return true
	})
	return in
}

// internal reports whether a package is for its module alone: then those know who calls
// it who do so, and are checked with it.
func internal(p *types.Package) bool {
	return p.Name() != "main" && slices.Contains(strings.Split(p.Path(), "/"), "internal")
}
