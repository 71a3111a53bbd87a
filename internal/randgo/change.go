package randgo

// spot is a place in a block.
type spot struct {
	list *[]*Stmt
	i    int
	// sees are the objects that statements there may name.
	sees []*Object
	in   *Func // nil in run
}

// spots lists all statements' places.
func (m *maker) spots() []spot {
	var out []spot
	var visit func(list *[]*Stmt, f *Func, sees []*Object)
	visit = func(list *[]*Stmt, f *Func, sees []*Object) {
		for i, s := range *list {
			out = append(out, spot{list, i, sees, f})
			for _, c := range s.Cases {
				visit(&c.Body, f, sees)
			}
			if s.Op != Defer {
				visit(&s.Body, f, sees)
			}
			visit(&s.Else, f, sees)
		}
	}
	visit(&m.p.Run, nil, m.p.Objects)
	for _, f := range m.p.Funcs {
		visit(&f.Body, f, m.visible(f))
	}
	return out
}

// visible are the objects that a function may name.
func (m *maker) visible(f *Func) []*Object {
	if f.Literal {
		return m.p.Objects
	}
	out := append([]*Object{}, f.Params...)
	for _, o := range m.p.Objects {
		if o.Place == Global || o.Place == Field && f.Struct {
			out = append(out, o)
		}
	}
	return out
}

// change changes the program in one place.
func (m *maker) change() {
	if m.oneIn(6) {
		m.changeObject()
		return
	}
	all := m.spots()
	if len(all) == 0 {
		return
	}
	at := all[m.r.IntN(len(all))]
	s := (*at.list)[at.i]
	switch m.r.IntN(14) {
	case 0, 1:
		at.remove()
	case 2:
		at.insert(clone([]*Stmt{s})[0])
	case 3:
		at.swap()
	case 4:
		m.move(at, all)
	case 5:
		if s.Op != Defer && s.Op != Recover {
			(*at.list)[at.i] = m.wrapped(s)
		}
	case 6:
		at.unwrap()
	case 7:
		m.replace(at, s)
	case 8, 9:
		if len(at.sees) > 0 && m.p.Size() < maxSize {
			at.insert(m.statement(at.sees, 2))
		}
	case 10:
		m.hoist(at)
	case 11, 12:
		m.join(at)
	case 13:
		at.insert(st(IfCoin, "", st([]Op{Return, Break, Continue}[m.r.IntN(3)], "")))
	}
}

func (at spot) remove() {
	l := *at.list
	*at.list = append(append([]*Stmt{}, l[:at.i]...), l[at.i+1:]...)
}

func (at spot) insert(s *Stmt) {
	l := *at.list
	*at.list = append(append(append([]*Stmt{}, l[:at.i]...), s), l[at.i:]...)
}

// join puts some statements after each other into one.
func (m *maker) join(at spot) {
	l := *at.list
	end := at.i + 1 + m.r.IntN(len(l)-at.i)
	in := &Stmt{Op: []Op{Block, Block, Apply, Loop, Go, IfCoin}[m.r.IntN(6)], N: 2, Body: append([]*Stmt{}, l[at.i:end]...)}
	if in.Op == Apply {
		in.X = m.applier()
	}
	*at.list = append(append(append([]*Stmt{}, l[:at.i]...), in), l[end:]...)
}

// hoist takes a statement out of its block: the first one of a loop before the loop, the
// last one behind it.
func (m *maker) hoist(at spot) {
	s := (*at.list)[at.i]
	n := len(s.Body)
	switch {
	case n == 0 || s.Op == Defer:
	case m.oneIn(2):
		at.insert(s.Body[0])
		s.Body = s.Body[1:]
	default:
		(&spot{list: at.list, i: at.i + 1}).insert(s.Body[n-1])
		s.Body = s.Body[:n-1]
	}
}

func (at spot) swap() {
	if l := *at.list; at.i+1 < len(l) {
		l[at.i], l[at.i+1] = l[at.i+1], l[at.i]
	}
}

func (at spot) unwrap() {
	if s := (*at.list)[at.i]; len(s.Body) > 0 {
		l := *at.list
		*at.list = append(append(append([]*Stmt{}, l[:at.i]...), s.Body...), l[at.i+1:]...)
	}
}

// move takes a statement to another block of the same function.
func (m *maker) move(at spot, all []spot) {
	to := all[m.r.IntN(len(all))]
	s := (*at.list)[at.i]
	if to.in != at.in || within(s, to.list) {
		return
	}
	if to.list == at.list {
		to.insert(clone([]*Stmt{s})[0])
		if at.i >= to.i {
			at.i++
		}
		at.remove()
		return
	}
	to.insert(s)
	at.remove()
}

// within reports whether a block lies in a statement.
func within(s *Stmt, list *[]*Stmt) bool {
	if list == &s.Body || list == &s.Else {
		return true
	}
	for _, l := range [][]*Stmt{s.Body, s.Else, s.Cases} {
		for _, c := range l {
			if within(c, list) {
				return true
			}
		}
	}
	return false
}

// wrapped puts a statement into another one.
func (m *maker) wrapped(s *Stmt) *Stmt {
	switch m.r.IntN(5) {
	case 4:
		return st(Apply, m.applier(), s)
	case 0:
		return loop(2, s)
	case 1:
		return st(Go, "", s)
	case 2:
		return st(Defer, "", s)
	}
	return st(IfCoin, "", s)
}

// replace makes a similar statement of one.
func (m *maker) replace(at spot, s *Stmt) {
	l := *at.list
	switch s.Op {
	case Send:
		l[at.i] = &Stmt{Op: Select, Cases: []*Stmt{{Op: caseSend, X: s.X}, {Op: caseElse}}}
	case Recv:
		l[at.i] = &Stmt{Op: Select, Cases: []*Stmt{{Op: caseRecv, X: s.X}, {Op: caseElse}}}
		if m.oneIn(2) {
			l[at.i] = st(RecvOK, s.X)
		}
	case Stop:
		l[at.i] = st(IfStop, s.X, st([]Op{Reset, Stop}[m.r.IntN(2)], s.X))
		if m.oneIn(2) {
			l[at.i] = st(Defer, "", s)
		}
	case IfStop:
		s.Body, s.Else = s.Else, s.Body
	case Reset:
		s.Op = Stop
	case Done, Close, Unlock:
		l[at.i] = st(Defer, "", s)
	case Defer:
		if !s.deferred() {
			return
		}
		l[at.i] = s.Body[0]
	case Go:
		l[at.i] = loop(1, s.Body...)
	case Add, Loop:
		s.N = 1 + m.r.IntN(3)
	case Range:
		s.Op = Recv
	case GoCall:
		s.Op = Call
	case Call:
		s.Op = GoCall
	default:
		m.other(at, s)
	}
}

// other makes a statement be about another object of the kind.
func (m *maker) other(at spot, s *Stmt) {
	var was *Object
	for _, o := range at.sees {
		if o.Name == s.X {
			was = o
		}
	}
	if was == nil {
		return
	}
	for _, i := range m.r.Perm(len(at.sees)) {
		if o := at.sees[i]; o.Kind == was.Kind && o != was {
			s.X = o.Name
			return
		}
	}
}

// changeObject changes an object, makes another name of it, or changes main.
func (m *maker) changeObject() {
	o := m.p.Objects[m.r.IntN(len(m.p.Objects))]
	switch {
	case m.oneIn(4):
		m.p.Main = Main(m.r.IntN(int(mains)))
	case (o.Kind == Chan || o.Kind == Group || o.Kind == Mutex) && o.Of == "" && m.oneIn(2):
		m.alias(o)
	case o.Kind == Chan && o.Of == "":
		o.Cap = m.r.IntN(4) - 1
	}
}

// alias makes another name of an object, and uses it somewhere in run.
func (m *maker) alias(o *Object) {
	m.n++
	a := &Object{Name: "a" + o.Name, Kind: o.Kind, Of: o.Name}
	if m.p.object(a.Name) != nil {
		return
	}
	m.p.Objects = append(m.p.Objects, a)
	for _, at := range m.spots() {
		s := (*at.list)[at.i]
		if s.X == o.Name && (at.in == nil || at.in.Literal) && m.oneIn(2) {
			s.X = a.Name
		}
	}
}
