package lockuse

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/analysis/dataflow"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
)

// MayHold is where a lock may be held: a lock that the function has taken on some path,
// also by a function that it called. Locks that callers hold are not among them: a caller
// is asked at the place of its call. Where MayHold knows of no lock, none is held, but for
// locks that are made of other things than those of package sync.
//
// The analysis is a forward may-analysis of each function, with summaries of what
// functions leave locked, and of what they give back that they have not taken. A lock is
// given back only where its name says that it is the one; so errors keep locks.
type MayHold struct {
	at      map[token.Pos]bool
	writing map[token.Pos]bool      // where a lock may be held that was taken for writing
	waited  map[token.Pos]bool      // after what waits for other goroutines
	claimed map[token.Pos]bool      // after an atomic operation of which one of many may go on
	once    map[token.Pos]bool      // calls of Do of a sync.Once
	shown   map[token.Pos]bool      // calls of functions of other modules that are given what any type may have
	syncs   map[token.Pos]bool      // functions that synchronise something themselves, or call such
	left    map[*ssa.Function]names // still held at the end
	returns map[*ssa.Function]names // given back, and not taken before
}

// names is a set of locks, by the last parts of the paths that lead to them.
type names map[string]bool

type nameSets struct{}

func (nameSets) Bottom() names { return nil }

func (nameSets) Join(a, b names) names {
	out := names{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

func (nameSets) Equal(a, b names) bool { return (a == nil) == (b == nil) && maps.Equal(a, b) }

// waited stands for having waited, among the names of locks, claimed for having compared
// and swapped: neither is ever given back.
const waited, claimed = "(waited)", "(claimed)"

// exclusive ends the name of a lock once more where it was taken for writing.
const exclusive = "(exclusive)"

// maxRounds bounds how often summaries are found again: so deep are helpers of helpers.
const maxRounds = 4

// FindMayHold looks at all functions of a program.
func FindMayHold(src *program.Source) *MayHold {
	m := &MayHold{waited: map[token.Pos]bool{}, claimed: map[token.Pos]bool{}, once: map[token.Pos]bool{}, shown: map[token.Pos]bool{}, syncs: map[token.Pos]bool{},
		left: map[*ssa.Function]names{}, returns: map[*ssa.Function]names{}}
	var funcs []*ssa.Function
	for _, f := range form.AllFunctions(program.Built(src.Packages)) {
		if len(f.Blocks) > 0 {
			funcs = append(funcs, f)
		}
	}
	slices.SortFunc(funcs, func(f, g *ssa.Function) int { return strings.Compare(f.String(), g.String()) })
	for range maxRounds {
		m.at, m.writing = map[token.Pos]bool{}, map[token.Pos]bool{}
		for _, f := range funcs {
			m.function(f)
		}
	}
	m.findSyncs(funcs)
	return m
}

// findSyncs finds the functions that take locks, use atomic operations or channels, or
// wait, themselves or in what they call by its name.
func (m *MayHold) findSyncs(funcs []*ssa.Function) {
	for changed := true; changed; {
		changed = false
		for _, f := range funcs {
			if !m.syncs[f.Pos()] && m.syncsIn(f) {
				m.syncs[f.Pos()], changed = true, true
			}
		}
	}
}

func (m *MayHold) syncsIn(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if _, ok := blockOp(in); ok {
				return true
			}
			switch in := in.(type) {
			case *ssa.Send, *ssa.Select:
				return true
			case ssa.CallInstruction:
				cc := in.Common()
				if _, _, ok := mayLock(cc); ok {
					return true
				}
				g := cc.StaticCallee()
				if g != nil && (m.syncs[g.Pos()] && g.Pos().IsValid() || ofSync(g)) {
					return true
				}
			}
		}
	}
	return false
}

// ofSync reports whether a function is one of package sync or sync/atomic.
func ofSync(f *ssa.Function) bool {
	name := fullName(f)
	return strings.Contains(name, "sync/atomic.") || strings.HasPrefix(name, "sync.") || strings.HasPrefix(name, "(*sync.")
}

// Syncs reports whether the function that is declared at a place synchronises something.
func (m *MayHold) Syncs(p token.Pos) bool { return m.syncs[p] }

// Claimed reports whether the function may have compared and swapped something, or swapped
// it, before an instruction of a place: of many that do, one goes on.
func (m *MayHold) Claimed(p token.Pos) bool { return m.claimed[p] }

// Shown reports whether a place is that of a call that gives a value of any type to a
// function that is not seen: fmt.Sprint, or a marshaler. Which memory it looks at, types
// alone tell. So it is where a value becomes an interface, with a copy that nobody changes.
func (m *MayHold) Shown(p token.Pos) bool { return m.shown[p] }

// shows reports whether an instruction is such a call.
func shows(in ssa.Instruction) bool {
	if _, boxed := in.(*ssa.MakeInterface); boxed {
		return true
	}
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	cc := c.Common()
	if f := cc.StaticCallee(); f != nil && len(f.Blocks) > 0 {
		return false
	}
	params := cc.Signature().Params()
	for i := range params.Len() {
		t := params.At(i).Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		if x, ok := t.Underlying().(*types.Interface); ok && x.NumMethods() == 0 {
			return true
		}
	}
	return false
}

// claims reports whether a call is such an operation.
func claims(cc *ssa.CallCommon) bool {
	f := cc.StaticCallee()
	if f == nil {
		return false
	}
	name := fullName(f)
	return strings.Contains(name, "sync/atomic.") && strings.Contains(name[strings.LastIndex(name, ".")+1:], "Swap")
}

// At reports whether a lock may be held at an instruction of a place.
func (m *MayHold) At(p token.Pos) bool { return m.at[p] }

// Shared reports whether a lock may be held at an instruction of a place, and none that was
// taken for writing.
func (m *MayHold) Shared(p token.Pos) bool { return m.at[p] && !m.writing[p] }

// Waited reports whether the function may have waited for other goroutines before an
// instruction of a place.
func (m *MayHold) Waited(p token.Pos) bool { return m.waited[p] }

// Once reports whether a place is that of a call of Do of a sync.Once.
func (m *MayHold) Once(p token.Pos) bool { return m.once[p] }

// function follows one function.
func (m *MayHold) function(f *ssa.Function) {
	order := f.DomPreorder()
	left, returns := names{}, names{}
	in := dataflow.Forward(order, nameSets{}, f.Blocks[0], names{}, func(b *ssa.BasicBlock, s names, emit func(*ssa.BasicBlock, names)) {
		for _, i := range b.Instrs {
			s = m.step(f, i, s, returns)
		}
		for _, to := range b.Succs {
			emit(to, s)
		}
	})
	for _, b := range order {
		s := in[b]
		for _, i := range b.Instrs {
			if i.Pos().IsValid() && shows(i) {
				m.shown[i.Pos()] = true
			}
			if runsOnce(i) {
				m.once[i.Pos()] = true
			}
			locks := len(s)
			if s[waited] {
				locks--
				m.waited[i.Pos()] = true
			}
			if s[claimed] {
				locks--
				m.claimed[i.Pos()] = true
			}
			if locks > 0 || runsOnce(i) {
				m.at[i.Pos()] = true
			}
			if s.exclusive() || runsOnce(i) {
				m.writing[i.Pos()] = true
			}
			s = m.step(f, i, s, returns)
			if _, ok := i.(*ssa.Return); ok {
				maps.Copy(left, s)
			}
		}
	}
	m.left[f], m.returns[f] = left, returns
}

// runsOnce reports whether a call runs a function under the lock of a Once.
func runsOnce(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	return ok && c.Call.StaticCallee() != nil && fullName(c.Call.StaticCallee()) == "(*sync.Once).Do"
}

// step is what may be held after an instruction; what is given back that was not held
// goes into returns.
func (m *MayHold) step(f *ssa.Function, in ssa.Instruction, s names, returns names) names {
	if _, ok := blockOp(in); ok {
		s = nameSets{}.Join(s, names{waited: true})
	}
	switch in := in.(type) {
	case *ssa.RunDefers:
		for _, b := range f.Blocks {
			for _, d := range b.Instrs {
				if d, ok := d.(*ssa.Defer); ok {
					s = m.call(&d.Call, s, returns)
				}
			}
		}
	case *ssa.Call:
		return m.call(&in.Call, s, returns)
	}
	return s
}

// call is what may be held after a call.
func (m *MayHold) call(cc *ssa.CallCommon, s names, returns names) names {
	if path, take, ok := mayLock(cc); ok {
		ops := names{path: true, path + exclusive: true}
		switch {
		case !take:
			return give(s, ops, returns)
		case takesShared(cc):
			delete(ops, path+exclusive)
		}
		return nameSets{}.Join(s, ops)
	}
	f := cc.StaticCallee()
	if f == nil {
		return s
	}
	if claims(cc) {
		return nameSets{}.Join(s, names{claimed: true})
	}
	s = give(s, m.returns[f], returns)
	if len(m.left[f]) > 0 {
		s = nameSets{}.Join(s, m.left[f])
	}
	return s
}

// exclusive reports whether a lock among the names was taken for writing.
func (s names) exclusive() bool {
	for n := range s {
		if strings.HasSuffix(n, exclusive) {
			return true
		}
	}
	return false
}

// takesShared reports whether a call takes a lock for reading.
func takesShared(cc *ssa.CallCommon) bool {
	f := cc.StaticCallee()
	return f != nil && (fullName(f) == "(*sync.RWMutex).RLock" || fullName(f) == "(*sync.RWMutex).TryRLock")
}

// give is what is held of s after some locks are given back.
func give(s, back, returns names) names {
	if len(back) == 0 {
		return s
	}
	out := names{}
	maps.Copy(out, s)
	for n := range back {
		if !out[n] {
			returns[n] = true
		}
		delete(out, n)
	}
	return out
}

// mayLock is lockOp, also for TryLock and sync.Locker; of the lock's path only the last
// part is kept, which is the same in callers and in what they call.
func mayLock(cc *ssa.CallCommon) (name string, take, ok bool) {
	path, take, ok := lockOp(cc)
	switch f := cc.StaticCallee(); {
	case ok:
	case cc.IsInvoke() && cc.Method.FullName() == "(sync.Locker).Lock":
		path, take, ok = pathOf(cc.Value), true, true
	case cc.IsInvoke() && cc.Method.FullName() == "(sync.Locker).Unlock":
		path, take, ok = pathOf(cc.Value), false, true
	case f != nil && len(cc.Args) > 0 && slices.Contains([]string{"(*sync.Mutex).TryLock", "(*sync.RWMutex).TryLock", "(*sync.RWMutex).TryRLock"}, fullName(f)):
		path, take, ok = pathOf(cc.Args[0]), true, true
	}
	return path[strings.LastIndex(path, ".")+1:], take, ok
}
