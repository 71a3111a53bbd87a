package randgo

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// maxSize is the number of statements that a program may have.
const maxSize = 30

// maker makes a program.
type maker struct {
	r *rand.Rand
	p *Program
	n int // of names
	// together: all objects that are made lie in place.
	together bool
	place    Place
}

// Generate makes the program of a seed.
func Generate(seed uint64) *Program {
	m := &maker{r: rand.New(rand.NewPCG(seed, 1)), p: &Program{}}
	if m.oneIn(3) {
		m.p.Main = Main(m.r.IntN(int(mains)))
	}
	if m.oneIn(6) {
		m.random()
	} else {
		for range 1 + m.r.IntN(2) {
			m.p.Run = append(m.p.Run, m.idiom()...)
		}
		for range m.r.IntN(5) {
			m.change()
		}
	}
	m.p.Run = settled(m.p.Run, false)
	for _, f := range m.p.Funcs {
		f.Body = settled(f.Body, false)
	}
	return m.p
}

// settled takes out what only a loop may have, elsewhere.
func settled(list []*Stmt, loop bool) []*Stmt {
	var out []*Stmt
	for _, s := range list {
		if (s.Op == Break || s.Op == Continue) && !loop {
			continue
		}
		in := loop
		switch s.Op {
		case Loop, Range:
			in = true
		case Go, WgGo, Once, Defer, Block, Apply, After:
			in = false
		}
		n := len(s.Body)
		s.Body, s.Else, s.Cases = settled(s.Body, in), settled(s.Else, in), settled(s.Cases, in)
		if s.Op != Defer || n == 0 || len(s.Body) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// random makes statements without a plan.
func (m *maker) random() {
	for _, k := range []Kind{Int, Int, Bool, Chan, Chan, Group, Mutex, OnceK, Flag, Timer} {
		m.object(k)
	}
	for range 4 + m.r.IntN(5) {
		m.p.Run = append(m.p.Run, m.statement(m.p.Objects, 0))
	}
}

func (m *maker) oneIn(n int) bool { return m.r.IntN(n) == 0 }

// object makes an object somewhere.
func (m *maker) object(k Kind) string {
	m.n++
	o := &Object{Name: fmt.Sprintf("%s%d", string(k[len(k)-1]), m.n), Kind: k}
	switch at := m.r.IntN(5); {
	case m.together:
		o.Place = m.place
	case at == 0:
		o.Place = Global
	case at == 1:
		o.Place = Field
	}
	if k == Chan && m.oneIn(2) {
		o.Cap = 1 + m.r.IntN(2)
	}
	o.Heap = k == Group && o.Place == Local && m.oneIn(3)
	m.p.Objects = append(m.p.Objects, o)
	return o.Name
}

func st(op Op, x string, body ...*Stmt) *Stmt { return &Stmt{Op: op, X: x, Body: body} }

func add(g string, n int) *Stmt { return &Stmt{Op: Add, X: g, N: n} }

func loop(n int, body ...*Stmt) *Stmt { return &Stmt{Op: Loop, N: n, Body: body} }

// started starts a block as a goroutine, as a literal, or as a function with parameters.
func (m *maker) started(body ...*Stmt) *Stmt {
	if !m.oneIn(3) {
		return st(Go, "", body...)
	}
	f, args := m.function(body)
	if f == nil {
		return st(Go, "", body...)
	}
	return &Stmt{Op: GoCall, X: f.Name, Args: args}
}

// function makes a function of a block: a literal of run, or one of the package that is
// given what it uses.
func (m *maker) function(body []*Stmt) (*Func, []string) {
	if calls(body) {
		return nil, nil
	}
	m.n++
	f := &Func{Name: fmt.Sprintf("f%d", m.n), Body: body, Literal: m.oneIn(2)}
	m.p.Funcs = append(m.p.Funcs, f)
	if f.Literal {
		return f, nil
	}
	var args []string
	for _, o := range m.p.Objects {
		switch {
		case !names(body, o.Name) || o.Place == Global:
		case o.Place == Field:
			f.Struct = true
		default:
			args = append(args, o.Name)
			f.Params = append(f.Params, &Object{Name: o.Name, Kind: o.Kind})
		}
	}
	return f, args
}

// calls reports whether a block calls functions of the program.
func calls(list []*Stmt) bool {
	return slices.ContainsFunc(list, func(s *Stmt) bool {
		return slices.Contains([]Op{Call, GoCall, DeferFn}, s.Op) || calls(s.Body) || calls(s.Else) || calls(s.Cases)
	})
}

// statement is a random statement on objects.
func (m *maker) statement(on []*Object, depth int) *Stmt {
	o := on[m.r.IntN(len(on))]
	block := func() []*Stmt {
		var out []*Stmt
		for range 1 + m.r.IntN(3) {
			if depth < 3 {
				out = append(out, m.statement(on, depth+1))
			} else {
				out = append(out, m.leaf(on))
			}
		}
		return out
	}
	if depth < 3 && m.oneIn(3) {
		switch m.r.IntN(8) {
		case 0:
			return loop(2, block()...)
		case 1:
			return st(IfCoin, "", block()...)
		case 2:
			return m.defers(block())
		case 3:
			return st(Block, "", block()...)
		case 4:
			return st(Apply, m.applier(), block()...)
		default:
			return st(Go, "", block()...)
		}
	}
	if m.oneIn(25) {
		return st([]Op{Return, Panic, Recover}[m.r.IntN(3)], "")
	}
	return m.operation(o, on, block)
}

// applier is a function that a literal is given to.
func (m *maker) applier() string {
	return []string{"applied", "spawned", "doubled", "typed"}[m.r.IntN(4)]
}

// leaf is a statement without a block.
func (m *maker) leaf(on []*Object) *Stmt {
	o := on[m.r.IntN(len(on))]
	switch o.Kind {
	case Int:
		return st(Inc, o.Name)
	case Bool:
		return st(Write, o.Name)
	case Group:
		return st(Done, o.Name)
	case Mutex:
		return st(Lock, o.Name)
	case Timer:
		return st([]Op{Stop, Reset}[m.r.IntN(2)], o.Name)
	case Chan:
		return st([]Op{Send, Recv, Close}[m.r.IntN(3)], o.Name)
	}
	return st(Return, "")
}

// defers defers a block.
func (m *maker) defers(list []*Stmt) *Stmt { return st(Defer, "", list[0]) }

// operation is a random operation on an object.
func (m *maker) operation(o *Object, on []*Object, block func() []*Stmt) *Stmt {
	pick := func(ops ...Op) *Stmt { return st(ops[m.r.IntN(len(ops))], o.Name) }
	var s *Stmt
	switch o.Kind {
	case Int:
		if s = pick(Write, Read, Inc, Inc, IfVar); s.Op == IfVar {
			s.Body = block()[:1]
		}
	case Bool:
		if s = pick(Write, Write, Clear, IfVar, IfVar); s.Op == IfVar {
			s.Body = block()[:1]
		}
	case Group:
		s = pick(Add, Add, Done, Wait, WgGo)
		if s.N = 1 + m.r.IntN(2); s.Op == WgGo {
			s.Body = block()
		}
	case Mutex:
		s = pick(Lock, Unlock)
	case OnceK:
		s = st(Once, o.Name, block()...)
	case Flag:
		s = pick(CAS, CAS, IfSet)
		s.Body = block()
	case Timer:
		if s = pick(After, After, Stop, IfStop, Reset); s.Op == After || s.Op == IfStop {
			s.Body = block()
		}
		s.N = m.r.IntN(2)
	case Chan:
		switch s = pick(Send, Send, Recv, Recv, RecvOK, Range, Close, Close, Select, IfLen, Remake); s.Op {
		case RecvOK, Range, IfLen:
			s.Body = block()[:1]
		case Select:
			s = m.selects(o, on, block)
		case Remake:
			s.N = m.r.IntN(2)
		}
	}
	return s
}

// selects is a select statement with a case of a channel, and perhaps others.
func (m *maker) selects(o *Object, on []*Object, block func() []*Stmt) *Stmt {
	s := &Stmt{Op: Select}
	for i := range 1 + m.r.IntN(2) {
		c := &Stmt{Op: []Op{caseSend, caseRecv, caseRecv}[m.r.IntN(3)], X: o.Name}
		if other := on[m.r.IntN(len(on))]; i > 0 && other.Kind == Chan {
			c.X = other.Name
		}
		if m.oneIn(2) {
			c.Body = block()[:1]
		}
		s.Cases = append(s.Cases, c)
	}
	switch m.r.IntN(5) {
	case 0, 1:
		s.Cases = append(s.Cases, &Stmt{Op: caseElse})
	case 2:
		s.Cases = append(s.Cases, &Stmt{Op: caseTime})
	}
	return s
}
