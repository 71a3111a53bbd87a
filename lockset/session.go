package lockset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Sessions. What `open` allocates and stores in a member of its file (private_data)
// belongs to that file: each such object is stored in that member once, where it was
// made, of one file alone, for ever. A run of an entry that gets a file has the token of
// its object: exclusively, where the file is this call's own (`open`, `release`:
// ir.Entry.Private), and shared with the other calls on the file where not. So `release`
// does not race with `read`, which has another file then. The watched object's file is
// one more unconstrained constant, as for holders; what ties the two is an assumption at
// each load of the member: if the value is the watched object, then the member is of its
// file.

// sessionMember is a member of what entries get, in which objects are stored.
type sessionMember struct {
	s   *ir.Struct
	off int64
}

// session is a token: of the objects of a group of regions, for a member that they are
// stored in.
type session struct {
	member sessionMember
	// file is the base of the struct whose member the watched object is stored in.
	file *ir.Reg
	// at is where such an object is stored.
	at ir.Pos
	// itself: the watched object is the file.
	itself bool
}

// sessions are the tokens of a program, with the allocations of what is stored in each
// member.
type sessions struct {
	made map[sessionMember]map[*ir.Alloc]ir.Pos
	// types are those that what is stored in a member has where it is made.
	types map[sessionMember]map[*ir.Struct]ir.Pos
	fns   []*guard
	// own are the structs that some entry has for itself.
	own map[*ir.Struct]bool
}

// maxSessions bounds the tokens. Precision only.
const maxSessions = 24

// findSessions finds the members in which nothing is stored but null, and objects right
// after they were made.
func (l *locks) findSessions() {
	l.sessions.made, l.sessions.types = map[sessionMember]map[*ir.Alloc]ir.Pos{}, map[sessionMember]map[*ir.Struct]ir.Pos{}
	own := map[*ir.Struct]bool{}
	if !l.f.p.TypeSafe {
		l.sessions.own = own
	}
	for _, e := range l.f.p.Entries {
		for _, k := range e.Private {
			if s, ok := pointee(e.Func.Params[k].Type); ok {
				own[s] = true
			}
		}
	}
	if len(own) == 0 || l.f.p.TypeSafe || l.f.p.NotUnderstood() != nil {
		return
	}
	var fns []*ir.Func
	for _, e := range l.f.p.Entries {
		for _, fn := range l.f.reach[e] {
			if !slices.Contains(fns, fn) {
				fns = append(fns, fn)
			}
		}
	}
	stored, in, twice, types := map[ir.Instr]bool{}, map[*ir.Func][]sessionMember{}, map[sessionMember]bool{}, map[sessionMember]map[string]bool{}
	for _, fn := range fns {
		for _, b := range fn.Blocks {
			for _, st := range b.Instrs {
				m, o := sessionStore(fn, st)
				if len(o.allocs) == 0 || !own[m.s] {
					continue
				}
				in[fn] = append(in[fn], m)
				if l.sessions.made[m] == nil {
					l.sessions.made[m], l.sessions.types[m] = map[*ir.Alloc]ir.Pos{}, map[*ir.Struct]ir.Pos{}
				}
				for _, a := range o.allocs {
					l.sessions.made[m][a] = st.At()
				}
				for _, t := range o.types {
					if _, ok := l.sessions.types[m][t]; !ok {
						l.sessions.types[m][t] = st.At()
					}
				}
				if types[m] == nil {
					types[m] = map[string]bool{}
				}
				for _, e := range l.f.p.Entries {
					types[m][e.Func.Type().String()] = types[m][e.Func.Type().String()] || slices.Contains(l.f.reach[e], fn)
				}
				twice[m] = twice[m] || stored[o.by] // of two files, perhaps
				stored[o.by] = true
			}
		}
	}
	for by := range stored { // what a call returns was stored in it already, perhaps
		if c, ok := by.(*ir.Call); ok {
			for g := range l.f.callable(c) {
				for _, m := range in[g] {
					twice[m] = true
				}
			}
		}
	}
	// a function that is not seen, in the place of those that store there
	for _, f := range ir.AddressTaken(l.f.p) {
		for m := range types {
			twice[m] = twice[m] || len(f.Blocks) == 0 && types[m][f.Type().String()]
		}
	}
	for m := range twice {
		if twice[m] {
			delete(l.sessions.made, m)
		}
	}
	for _, fn := range fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				l.spoils(fn, in)
			}
		}
	}
}

// callable are the functions that a call may run.
func (f *facts) callable(c *ir.Call) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	work, _ := f.al.Callees(c)
	for len(work) > 0 {
		g := work[len(work)-1]
		if work = work[:len(work)-1]; out[g] {
			continue
		}
		out[g] = true
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ir.Call); ok {
					more, _ := f.al.Callees(c)
					work = append(work, more...)
				}
			}
		}
	}
	return out
}

// spoils drops the members in which an instruction may store something else.
func (l *locks) spoils(fn *ir.Func, in ir.Instr) {
	switch in := in.(type) {
	case *ir.Store:
		if ir.IsNull(in.Val) {
			return
		}
	case *ir.Free: // which stores nothing
		return
	}
	own, made := sessionStore(fn, in)
	for _, acc := range l.f.acc[in] {
		// code not seen stores nothing of the program's there: an assumption
		if !acc.Write || acc.Unseen {
			continue
		}
		for m := range l.sessions.made {
			if len(made.allocs) > 0 && m == own {
				continue
			}
			if acc.Unknown && !m.elsewhere(in) || slices.ContainsFunc(acc.Regions, m.within) {
				delete(l.sessions.made, m)
			}
		}
	}
}

// elsewhere reports of a store through a pointer of which nothing is known that what it
// stores is no address, or that it is to a member of another struct, which the one of m
// has not in it: pointers stay within their objects.
func (m sessionMember) elsewhere(in ir.Instr) bool {
	st, ok := in.(*ir.Store)
	if !ok {
		return false
	}
	if _, number := st.Val.Type().(ir.Int); number && st.Val.Type().Size() < 8 {
		return true
	}
	fa, ok := st.Addr.(ir.FieldAddr)
	return ok && fa.S != m.s && len(placesOf(fa.S, m.s, 0, 0)) == 0 && len(placesOf(m.s, fa.S, 0, 0)) == 0
}

// within reports whether a region may have the member in it, of a struct that the
// environment made.
func (m sessionMember) within(r *alias.Region) bool {
	if r.Exact && r.Offset != m.off {
		return false
	}
	return slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Kind == alias.KindExtern && (o.Type == ir.Type(m.s) || ir.Equal(o.Type, m.s) || ir.Equal(o.Type, ir.Void{}))
	})
}

// newObject is an object that has just been made: by the instruction that makes it in a
// function, a call perhaps, the allocations that it may be from, and the structs that it
// is taken for.
type newObject struct {
	by     ir.Instr
	allocs []*ir.Alloc
	types  []*ir.Struct
}

// sessionStore is the member that an instruction stores a new object in, of a parameter
// of its function; no allocations where it does nothing of the kind.
func sessionStore(fn *ir.Func, in ir.Instr) (m sessionMember, o newObject) {
	st, ok := in.(*ir.Store)
	if !ok {
		return
	}
	off, e := int64(0), st.Addr
	for {
		fa, ok := e.(ir.FieldAddr)
		if !ok {
			return
		}
		off += fa.S.Fields[fa.Index].Offset
		u, ok := ir.Uncast(fa.Base).(ir.Use)
		if !ok {
			e = fa.Base
			continue
		}
		if s, isStruct := pointee(u.Reg.Type); !isStruct || s != fa.S || !ir.Unchanged(fn, u.Reg) {
			return
		}
		return sessionMember{fa.S, off}, madeIn(fn, st.Val, 3)
	}
}

// madeIn is the new object that a value is: of an allocation, or of a call of a function
// that returns what it has just allocated, so many calls deep. It has no allocations
// where the value may be something else.
func madeIn(fn *ir.Func, v ir.Expr, depth int) newObject {
	var types []*ir.Struct
	for range 12 {
		u, ok := ir.Uncast(v).(ir.Use)
		if !ok {
			return newObject{}
		}
		if s, ok := pointee(u.Reg.Type); ok && !slices.Contains(types, s) {
			types = append(types, s)
		}
		switch d := ir.Definition(fn, u.Reg).(type) {
		case *ir.Alloc:
			if d.Kind != "heap" {
				return newObject{}
			}
			return newObject{d, []*ir.Alloc{d}, types}
		case *ir.Assign:
			v = d.X
		case *ir.Call:
			f, ok := d.Callee.(ir.FuncAddr)
			if !ok || depth == 0 || len(f.Func.Blocks) == 0 {
				return newObject{}
			}
			return newObject{d, allocated(f.Func, depth-1), types}
		default:
			return newObject{}
		}
	}
	return newObject{}
}

// allocated are the allocations of the objects that a function returns, which it has
// made; none where it may return something else but null and numbers (errors).
func allocated(f *ir.Func, depth int) []*ir.Alloc {
	var out []*ir.Alloc
	for _, b := range f.Blocks {
		r, ok := b.Term.(*ir.Return)
		if !ok {
			continue
		}
		if r.Val == nil {
			return nil
		}
		if ir.IsNull(r.Val) || number(f, r.Val) {
			continue
		}
		o := madeIn(f, r.Val, depth)
		if len(o.allocs) == 0 {
			return nil
		}
		out = append(out, o.allocs...)
	}
	return out
}

// number reports whether a value is a number that is no address: a constant, or one of
// few bits, through a function that hands its argument back (ERR_PTR), too.
func number(fn *ir.Func, v ir.Expr) bool {
	v = ir.Uncast(v)
	if _, ok := v.(ir.Const); ok {
		return true
	}
	if t, ok := v.Type().(ir.Int); ok {
		return t.Bits <= 32
	}
	u, ok := v.(ir.Use)
	if !ok {
		return false
	}
	c, ok := ir.Definition(fn, u.Reg).(*ir.Call)
	if !ok || len(c.Args) != 1 || !number(fn, c.Args[0]) {
		return false
	}
	f, ok := c.Callee.(ir.FuncAddr)
	if !ok || len(f.Func.Blocks) == 0 || len(f.Func.Params) != 1 || !ir.Unchanged(f.Func, f.Func.Params[0]) {
		return false
	}
	for _, b := range f.Func.Blocks {
		if r, ok := b.Term.(*ir.Return); ok {
			if u, ok := ir.Uncast(r.Val).(ir.Use); !ok || u.Reg != f.Func.Params[0] {
				return false
			}
		}
	}
	return true
}

// sessionLocks are the tokens for accesses to region r.
func (l *locks) sessionLocks(r *alias.Region) []regionLock {
	var out []regionLock
	if r.Elem != 0 || len(r.Objects) == 0 {
		return nil
	}
	if rl, ok := l.fileItself(r); ok {
		out = append(out, rl)
	}
	for _, m := range l.members() {
		at, ok := ir.Pos{}, true
		for _, o := range r.Objects {
			p, in := l.sessions.made[m][o.Alloc]
			ok = ok && in
			at = p
		}
		if !ok || len(l.sessions.fns) >= maxSessions {
			continue
		}
		fn := l.sessionToken(fmt.Sprintf("x:%d", r.Group), m, at)
		out = append(out, inObject(fn, fn.frame, r))
	}
	return out
}

// fileItself is the token for accesses to the structs that some entries have for
// themselves: a run has that of what it gets.
func (l *locks) fileItself(r *alias.Region) (regionLock, bool) {
	var s *ir.Struct
	for _, o := range r.Objects {
		t, ok := o.Type.(*ir.Struct)
		if !ok || o.Kind != alias.KindExtern || s != nil && t != s || !l.sessions.own[t] {
			return regionLock{}, false
		}
		s = t
	}
	key := fmt.Sprintf("file:%d", r.Group)
	fn := l.fns[key]
	if fn == nil {
		fr := l.frame(fmt.Sprintf("x:%d", r.Group))
		fn = l.token(key, "its own file", fr, &session{member: sessionMember{s: s}, file: fr.watch, itself: true})
	}
	return inObject(fn, fn.frame, r), true
}

// typedSessions are the tokens for what an address goes through: of the objects of a
// type, which is what arrays in them have.
func (l *locks) typedSessions() {
	for _, m := range l.members() {
		at := l.sessions.types[m]
		types := slices.Collect(maps.Keys(at))
		slices.SortFunc(types, func(a, b *ir.Struct) int { return strings.Compare(a.Name, b.Name) })
		for _, s := range types {
			l.typed[s] = append(l.typed[s], l.sessionToken("t:"+s.Name, m, at[s]))
		}
	}
}

// sessionToken is the token for a frame.
func (l *locks) sessionToken(frame string, m sessionMember, at ir.Pos) *guard {
	key := fmt.Sprintf("session:%s:%s+%d", frame, m.s.Name, m.off)
	fn := l.fns[key]
	if fn == nil {
		fn = l.token(key, "its own file", l.frame(frame), &session{member: m, file: &ir.Reg{Name: "$file." + key, Type: ir.VPtr, Ghost: true}, at: at})
		l.sessions.fns = append(l.sessions.fns, fn)
	}
	return fn
}

// members are those that objects are stored in, in order.
func (l *locks) members() []sessionMember {
	var out []sessionMember
	for m := range l.sessions.made {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b sessionMember) int {
		return slices.Compare([]string{a.s.Name, fmt.Sprint(a.off)}, []string{b.s.Name, fmt.Sprint(b.off)})
	})
	return out
}

// sessionAssumptions are those behind the tokens of sessions that are held somewhere.
func (j *comparer) sessionAssumptions() []ir.Assumption {
	used := map[*guard]bool{}
	for _, s := range j.sums {
		for _, st := range s.sites {
			for fn := range st.held {
				used[fn] = true
			}
		}
	}
	out := j.endAssumptions(used)
	for _, fn := range j.l.sessions.fns {
		f := fn.theory.(*session)
		if !used[fn] || f.itself {
			continue
		}
		m := f.member
		a := ir.Assumption{Kind: "file-context", Pos: f.at, Text: fmt.Sprintf("what is stored here in %s stays with it: code not seen puts it into no other one, and calls the entry points that have a struct %s for themselves at no time with one that others get",
			place("struct "+m.s.Name, m.s, m.off), m.s.Name)}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// gets tells whether an entry gets a file of the session, and whether it has it for
// itself.
func (s *session) gets(e *ir.Entry) (param int, alone, ok bool) {
	for k, p := range e.Func.Params {
		if t, is := pointee(p.Type); is && t == s.member.s {
			return k, slices.Contains(e.Private, k), true
		}
	}
	return 0, false, false
}

func (*session) traits() traits { return traits{hidden: true} }

// initial: a call has the file that it gets, alone or with others.
func (s *session) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	params := x.params()
	k, alone, ok := s.gets(x.entry)
	if !ok || k >= len(params) {
		return nil, nil
	}
	some = ir.Binary{Op: "eq", X: asPtr(ir.Use{Reg: params[k]}), Y: ir.Use{Reg: s.file}}
	if alone {
		full = some
	}
	return full, some
}

// transfers: a call keeps its file to the end.
func (*session) transfers(*instrumenter, ir.Instr, *guard) []permission.Transfer { return nil }

// ofFile are the assumptions after an instruction that loads or stores a session's
// member.
func (x *instrumenter) ofFile(in ir.Instr) []ir.Instr {
	if len(x.l.sessions.fns) == 0 {
		return nil
	}
	var addr, val ir.Expr
	switch in := in.(type) {
	case *ir.Load:
		if ir.UsesReg(in.Addr, in.Dst) {
			return nil
		}
		addr, val = in.Addr, ir.Use{Reg: in.Dst}
	case *ir.Store:
		addr, val = in.Addr, in.Val
	default:
		return nil
	}
	if !ir.IsPtr(val.Type()) {
		return nil
	}
	acc := x.f.acc[x.seq.Origin[in].Instr]
	var out []ir.Instr
	for _, fn := range x.l.sessions.fns {
		f := fn.theory.(*session)
		m := f.member
		if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 || slices.ContainsFunc(acc[0].Regions, func(r *alias.Region) bool {
			return !r.Exact || r.Elem != 0 || r.Offset != m.off || slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
				return o.Kind != alias.KindExtern || !(o.Type == ir.Type(m.s) || ir.Equal(o.Type, m.s))
			})
		}) {
			continue
		}
		other := ir.Binary{Op: "ne", X: asPtr(val), Y: ir.Use{Reg: fn.frame.watch}}
		of := ir.Binary{Op: "eq", X: offsetFrom(asPtr(addr), -m.off), Y: ir.Use{Reg: f.file}}
		out = append(out, &ir.Assume{Base: ir.Base{Pos: in.At()}, Cond: ir.Binary{Op: "lor", X: other, Y: of}})
	}
	return out
}
