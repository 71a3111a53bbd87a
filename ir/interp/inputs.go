package interp

import "whoop/ir"

// InputKind says why an input is taken.
type InputKind uint8

// The kinds of inputs. Numbers are taken as bits of the type; of N alternatives (N > 0)
// the answer modulo N is taken.
const (
	// a Havoc, a register never written, a result of a function without a body
	InHavoc    InputKind = iota
	InExternal           // a Havoc that is a program input
	InArg                // an argument of a root thread
	InMemory             // arbitrary memory: extern, touched
	InUninit             // memory never written
	InOpaque             // a conversion of an opaque value, a value known by a text alone
	InChoice             // where a goto goes, who is woken; N alternatives
	InFailure            // 1: an allocation or a spawn fails, though it need not
	InSpurious           // 1: a weak exchange fails, though the values are equal
	InInput              // memory of an input object: what an argument points to
	InPointer            // an arbitrary pointer; N alternatives, see Query.N
	InSkip               // 1: an entry that may run before the others is left out
	// 1: an initialiser that registers a handler is passed over, for there is another
	InStatic
	InKept // 1: an earlier registration of a handler stays
)

// Query describes an input. Inputs may answer any number; what does not fit is cut off.
type Query struct {
	Kind InputKind
	// Index counts the inputs taken in this execution, from 0: an Inputs needs no state
	// of its own, so snapshots of a State continue with the same answers.
	Index int
	// Type is what is wanted; of values with more than 64 bits, word Word.
	Type ir.Type
	Word int
	// N is the number of alternatives, 0 for numbers. For an arbitrary pointer they are:
	// a fresh object (for a function pointer: an unknown function), null, then the input
	// objects of that type (or functions) that exist. For arguments that are not private,
	// objects that other threads got come first.
	N      int
	Thread ThreadID
	Pos    ir.Pos
	// Instr or Term is what is executed; both are nil for arguments.
	Instr ir.Instr
	Term  ir.Term
	// Ptrs are the alternatives of an arbitrary pointer, in order: 0 for null,
	// FreshPointer for one that does not exist yet. New is the number of the object that
	// is made where FreshPointer is taken, 0 for functions. Threads are those that a
	// signal may wake.
	Ptrs    []Addr
	New     ObjID
	Threads []ThreadID
	// Given: the pointer is an argument, or in memory that an argument points to.
	Given bool
	// Param is the parameter whose argument it is, of InArg.
	Param *ir.Reg
	// Slot tells the choices of one instruction apart that registers a handler for
	// several roots.
	Slot int
	// Unwritten: of InPointer, it is that of a register that was never written.
	Unwritten bool
}

// FreshPointer stands for an object or function that is new among the alternatives of an
// arbitrary pointer.
const FreshPointer Addr = 1

// Inputs answers the queries of an execution. It must be a function of the query.
type Inputs interface {
	Input(q *Query) uint64
}

// Zero answers every query with 0.
type Zero struct{}

// Input returns 0.
func (Zero) Input(*Query) uint64 { return 0 }

// List replays answers; those beyond its end are 0.
type List []uint64

// Input returns the q.Index-th element.
func (l List) Input(q *Query) uint64 {
	if q.Index < len(l) {
		return l[q.Index]
	}
	return 0
}

// Random answers by a seed: small numbers mostly, choices uniformly.
type Random uint64

// Input returns a number that depends on the seed and q.Index alone.
func (r Random) Input(q *Query) uint64 {
	x := mix(uint64(r)*0x9e3779b97f4a7c15 + uint64(q.Index) + 1)
	if q.N > 0 {
		return x % uint64(q.N)
	}
	switch x >> 61 {
	case 0:
		return 0
	case 1, 2:
		return x & 1
	case 3, 4, 5:
		return x & 7
	case 6:
		return uint64(-int64(x & 7))
	}
	return mix(x)
}

// InputFunc makes an Inputs of a function.
type InputFunc func(q *Query) uint64

// Input calls f.
func (f InputFunc) Input(q *Query) uint64 { return f(q) }

// mix is a finaliser of good avalanche (splitmix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// ask takes an input.
func (s *State) ask(q Query) uint64 {
	q.Index = s.ninput
	if s.th != nil { // initial values of globals are nobody's
		q.Thread = s.th.id
	}
	if s.cur != nil {
		q.Pos, q.Instr, q.Term = s.cur.pos(), s.cur.in, s.cur.term
	}
	q.Param = s.param
	s.ninput++
	v := s.in.Input(&q)
	if q.N > 0 {
		v %= uint64(q.N)
	}
	s.ev.Inputs = append(s.ev.Inputs, v)
	return v
}

// Reliable answers as Inputs does, but lets nothing fail that need not.
type Reliable struct{ Inputs Inputs }

// Input answers 0 to failures.
func (r Reliable) Input(q *Query) uint64 {
	if q.Kind == InFailure {
		return 0
	}
	return r.Inputs.Input(q)
}

// fails asks whether something that may fail does.
func (s *State) fails() bool { return s.ask(Query{Kind: InFailure, N: 2}) == 1 }

// choose takes one of n alternatives; there is nothing to ask when there is only one.
func (s *State) choose(n int) int {
	if n <= 1 {
		return 0
	}
	return int(s.ask(Query{Kind: InChoice, N: n}))
}

// arbitrary writes an arbitrary value of type t into the words of out.
func (s *State) arbitrary(kind InputKind, t ir.Type, out []uint64) {
	switch t := t.(type) {
	case ir.Ptr:
		out[0] = s.pointer(kind, t, false, false)
		return
	case ir.Bool:
		out[0] = s.ask(Query{Kind: kind, Type: t}) & 1
		return
	}
	for i := range out {
		out[i] = s.ask(Query{Kind: kind, Type: t, Word: i})
	}
	normWords(t, out)
}

// pointer is an arbitrary pointer; nonnull ones are never null.
func (s *State) pointer(kind InputKind, t ir.Ptr, private, nonnull bool) uint64 {
	if ft, ok := t.Elem.(ir.FuncType); ok {
		return s.funcPointer(ft)
	}
	var others, own []uint64
	key := t.Elem.String()
	for _, e := range s.env {
		if e.key != key || e.private {
			continue
		}
		if kind == InArg && e.thread != s.th.id && !private {
			others = append(others, e.addr)
		} else if !private {
			own = append(own, e.addr)
		}
	}
	n := len(others)
	alts := append(addrs(others), FreshPointer)
	if !nonnull {
		alts = append(alts, 0)
	}
	alts = append(alts, addrs(own)...)
	k := int(s.ask(Query{Kind: InPointer, Type: t, N: len(alts), Ptrs: alts, New: s.nextID(), Given: kind == InArg || kind == InInput, Unwritten: kind == InUninit}))
	switch {
	case k < n:
		return others[k]
	case k == n:
		o := s.newObject(InputObj, t.Elem.Size())
		o.elastic, o.elem = true, t.Elem
		s.env = append(s.env[:len(s.env):len(s.env)], envPtr{key, mkAddr(o.id, 0), s.th.id, private})
		if kind == InArg {
			s.fill(o, t.Elem)
		}
		return mkAddr(o.id, 0)
	}
	return uint64(alts[k])
}

func addrs(as []uint64) []Addr {
	out := make([]Addr, len(as))
	for i, a := range as {
		out[i] = Addr(a)
	}
	return out
}

// envPtr is an input object that later arbitrary pointers of its type may point to.
type envPtr struct {
	key     string
	addr    uint64
	thread  ThreadID
	private bool
}

// funcPointer is an arbitrary function pointer.
func (s *State) funcPointer(ft ir.FuncType) uint64 {
	var fs []uint64
	key := ft.String()
	for _, f := range s.p.funcs {
		if f.addrTaken && f.typ == key {
			fs = append(fs, f.addr())
		}
	}
	alts := append([]Addr{FreshPointer, 0}, addrs(fs)...)
	switch k := int(s.ask(Query{Kind: InPointer, Type: ir.Ptr{Elem: ft}, N: 2 + len(fs), Ptrs: alts})); k {
	case 0:
		return mkAddr(unknownFunc, 0)
	case 1:
		return 0
	default:
		return fs[k-2]
	}
}
