package entry

import (
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Arguments says what is known about the arguments of entries, in Entry.Given,
// Entry.Same, Entry.NonNull and Entry.Serial: handlers get the struct in which their
// address is stored, and members of tables get objects that went through another member
// before. Entries that have something of the kind, and Go programs, are left alone.
func Arguments(p *ir.Program, m *models.Set) {
	known := func(e *ir.Entry) bool { return len(e.Given)+len(e.Same)+len(e.NonNull) > 0 }
	if p.TypeSafe || len(p.Entries) == 0 || slices.ContainsFunc(p.Entries, known) {
		return
	}
	said := len(p.Assumptions)
	x := &inferrer{p: p, m: m, cg: newCallGraph(p), roles: map[*ir.Func][]role{}}
	x.globals()
	x.code()
	p.Assumptions = p.Assumptions[:said] // Infer has them
	x.shows()
	for _, e := range p.Entries {
		if e.Func == nil || e.Spawned {
			continue
		}
		for _, r := range x.roles[e.Func] {
			x.given(e, r)
		}
		x.nonNull(e)
		if len(x.roles[e.Func]) == 1 {
			x.after(e, x.roles[e.Func][0])
			x.inner(e, x.roles[e.Func][0])
		}
	}
	x.oneAtATime()
}

// shows notes the members in which objects that are registered are handed to entries.
func (x *inferrer) shows() {
	for _, s := range x.cg.sites {
		in, ok := s.in.(*ir.Register)
		if !ok || in.Obj == nil || len(in.Shows) > 0 {
			continue
		}
		m := x.m.Func(in.API)
		if m == nil || m.Shows == "" {
			continue
		}
		tag, member, _ := strings.Cut(m.Shows, ".")
		for _, st := range x.p.Structs {
			if k := st.FieldAt(member); structTag(st) == tag && k >= 0 {
				in.Shows = append(in.Shows, ir.ArgSource{S: st, Off: st.Fields[k].Offset})
			}
		}
	}
}

// given notes that a handler gets the struct that holds its address.
func (x *inferrer) given(e *ir.Entry, r role) {
	if r.table == nil || r.holder == nil {
		return
	}
	k, ok := r.table.Self[r.member]
	if !ok || k >= len(e.Func.Params) || !ir.IsPtr(e.Func.Params[k].Type) {
		return
	}
	if g := (ir.ArgSource{Param: k, S: r.holder, Off: r.off}); !slices.Contains(e.Given, g) {
		e.Given = append(e.Given, g)
	}
}

// nonNull notes the parameters that no caller passes null for.
func (x *inferrer) nonNull(e *ir.Entry) {
	rs := x.roles[e.Func]
	for i, q := range e.Func.Params {
		s := pointee(q.Type)
		never := func(r role) bool { return r.table != nil && s != nil && slices.Contains(r.table.NonNull, structTag(s)) }
		if len(rs) > 0 && !slices.ContainsFunc(rs, func(r role) bool { return !never(r) }) {
			e.NonNull = append(e.NonNull, i)
		}
	}
}

// after notes what an entry gets that the first member of its table got before.
func (x *inferrer) after(e *ir.Entry, r role) {
	if r.table == nil || r.table.First == "" || r.member == r.table.First || len(r.table.FirstOf) > 0 && !slices.Contains(r.table.FirstOf, r.member) {
		return
	}
	first := x.entryOf(func(o role) bool { return o.instance == r.instance && o.member == r.table.First })
	if first == nil || first == e {
		return
	}
	for i, q := range e.Func.Params {
		s := pointee(q.Type)
		if s == nil || count(is(e.Func, s)...) != 1 || count(is(first.Func, s)...) != 1 {
			continue
		}
		e.Same = append(e.Same, ir.SameArgument{Param: i, Of: first.Name, OfParam: slices.Index(is(first.Func, s), true)})
	}
}

// inner notes that an entry gets a part of the device that was probed.
func (x *inferrer) inner(e *ir.Entry, r role) {
	if r.table == nil || len(r.table.Inner) == 0 {
		return
	}
	probe := x.entryOf(func(o role) bool { return o.init && o.table != nil && o.member == o.table.First })
	if probe == nil || probe == e || !probe.Init {
		return
	}
	for i, q := range e.Func.Params {
		s := pointee(q.Type)
		if s == nil || !slices.Contains(r.table.Inner, structTag(s)) || count(is(e.Func, s)...) != 1 {
			continue
		}
		for k, d := range probe.Func.Params {
			if off, ok := within(pointee(d.Type), s); ok {
				e.Same = append(e.Same, ir.SameArgument{Param: i, Of: probe.Name, OfParam: k, Off: off})
				break
			}
		}
	}
}

// within is where a struct lies in another, as a whole or as a member.
func within(d, s *ir.Struct) (int64, bool) {
	if d == nil || d == s {
		return 0, d == s
	}
	i := slices.IndexFunc(d.Fields, func(f ir.Field) bool { return f.Type == ir.Type(s) })
	if i < 0 {
		return 0, false
	}
	return d.Fields[i].Offset, true
}

// entryOf is the one entry whose function has such a role; nil where there is none, or
// more.
func (x *inferrer) entryOf(like func(role) bool) *ir.Entry {
	var found *ir.Entry
	for _, e := range x.p.Entries {
		if e.Func == nil || !slices.ContainsFunc(x.roles[e.Func], like) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// pointee is the struct that a pointer type leads to, or nil.
func pointee(t ir.Type) *ir.Struct {
	p, ok := t.(ir.Ptr)
	if !ok {
		return nil
	}
	s, _ := p.Elem.(*ir.Struct)
	return s
}

// is tells of each parameter of f whether it is a pointer to s.
func is(f *ir.Func, s *ir.Struct) []bool {
	var out []bool
	for _, q := range f.Params {
		out = append(out, pointee(q.Type) == s)
	}
	return out
}
