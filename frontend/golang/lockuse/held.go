package lockuse

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// lock is a lock that is held: the path that names it, and where it was taken.
type lock struct {
	path string
	at   token.Pos
}

// state is the locks held on all paths to a place, sorted by path. In a place that is not
// reached, all locks are.
type state struct {
	all   bool
	locks []lock
}

// states is the lattice of states: joined is what is held on both paths.
type states struct{}

func (states) Bottom() state { return state{all: true} }

func (states) Join(a, b state) state {
	if a.all {
		return b
	}
	if b.all {
		return a
	}
	var out []lock
	for _, l := range a.locks {
		if i := b.find(l.path); i >= 0 {
			l.at = min(l.at, b.locks[i].at)
			out = append(out, l)
		}
	}
	return state{locks: out}
}

func (states) Equal(a, b state) bool { return a.all == b.all && slices.Equal(a.locks, b.locks) }

// find is the index of a lock, or -1.
func (s state) find(path string) int {
	return slices.IndexFunc(s.locks, func(l lock) bool { return l.path == path })
}

// with and without are the state after a lock is taken and given back.
func (s state) with(l lock) state {
	out := slices.Clone(s.without(l.path).locks)
	i, _ := slices.BinarySearchFunc(out, l, func(a, b lock) int { return strings.Compare(a.path, b.path) })
	return state{locks: slices.Insert(out, i, l)}
}

func (s state) without(path string) state {
	i := s.find(path)
	if i < 0 {
		return s
	}
	return state{locks: slices.Delete(slices.Clone(s.locks), i, i+1)}
}

// lockOps are the functions that take and give back locks.
var lockOps = map[string]bool{"(*sync.Mutex).Lock": true, "(*sync.RWMutex).Lock": true, "(*sync.RWMutex).RLock": true,
	"(*sync.Mutex).Unlock": false, "(*sync.RWMutex).Unlock": false, "(*sync.RWMutex).RUnlock": false}

// lockOp says whether a call takes or gives back a lock, and which.
func lockOp(cc *ssa.CallCommon) (path string, take, ok bool) {
	f := cc.StaticCallee()
	if f == nil || len(cc.Args) == 0 {
		return "", false, false
	}
	take, ok = lockOps[fullName(f)]
	if !ok {
		return "", false, false
	}
	return pathOf(cc.Args[0]), take, true
}

// fullName is a function's name with the package's path: (*sync.Mutex).Lock.
func fullName(f *ssa.Function) string {
	if o, ok := f.Object().(*types.Func); ok {
		return o.FullName()
	}
	return ""
}

// pathOf names the variable at an address by how it is reached: s.mu, locks[2].
func pathOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return v.Name()
	case *ssa.Alloc:
		if v.Comment != "" && v.Comment != "new" && v.Comment != "complit" {
			return v.Comment
		}
	case *ssa.FieldAddr:
		st := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return pathOf(v.X) + "." + st.Field(v.Field).Name()
	case *ssa.IndexAddr:
		return pathOf(v.X) + "[" + index(v.Index) + "]"
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return pathOf(v.X)
		}
	}
	return variable(v)
}

// variable is the name of a variable that has a value, or one that is made up.
func variable(v ssa.Value) string {
	if refs := v.Referrers(); refs != nil {
		for _, r := range *refs {
			if d, ok := r.(*ssa.DebugRef); ok {
				if id, ok := d.Expr.(*ast.Ident); ok {
					return id.Name
				}
			}
		}
	}
	return fmt.Sprintf("value(%s)", v.Name())
}

func index(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int {
		return c.Value.ExactString()
	}
	return variable(v)
}
