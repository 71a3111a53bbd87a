package ir

// WithoutAwaits returns a copy of a program in which every Await is what it is to who
// looks at executions that go on: the beginning of an atomic section, the loads, and an
// assumption. from tells which instruction of p one of the copy stands for. A program
// without Awaits is returned as it is, with nil.
func WithoutAwaits(p *Program) (q *Program, from map[Instr]Instr) {
	if !hasAwaits(p) {
		return p, nil
	}
	q, m := CloneWithMap(p)
	from = make(map[Instr]Instr, len(m.Instrs))
	for in, c := range m.Instrs {
		from[c] = in
	}
	for _, f := range q.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = expandAwaits(b.Instrs, from)
		}
	}
	return q, from
}

func hasAwaits(p *Program) bool {
	for _, in := range p.Instrs() {
		if _, ok := in.(*Await); ok {
			return true
		}
	}
	return false
}

func expandAwaits(ins []Instr, from map[Instr]Instr) []Instr {
	var out []Instr
	for _, in := range ins {
		a, ok := in.(*Await)
		if !ok {
			out = append(out, in)
			continue
		}
		parts := []Instr{&AtomicBegin{Base: a.Base}}
		for i, r := range a.Dsts {
			parts = append(parts, &Load{Base: a.Base, Dst: r, Addr: a.Addrs[i], Order: SeqCst})
		}
		parts = append(parts, &Assume{Base: a.Base, Cond: a.Cond})
		for _, x := range parts {
			from[x] = from[in]
		}
		delete(from, in)
		out = append(out, parts...)
	}
	return out
}
