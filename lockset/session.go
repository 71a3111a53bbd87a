package lockset

import (
	"fmt"
	"slices"
	"strings"

	"whoop/alias"
	"whoop/ir"
)

// Sessions. What `open` allocates and stores in a member of its file (private_data) belongs to that file: each such object is stored in that member once, where it was
// made, of one file alone, for ever. A run of an entry that gets a file has the token of its object: exclusively, where the file is this call's own (`open`, `release`:
// ir.Entry.Private), and shared with the other calls on the file where not. So `release` does not race with `read`, which has another file then. The watched
// object's file is one more unconstrained constant, as for holders; what ties the two is an assumption at each load of the member: if the value is
// the watched object, then the member is of its file.

// sessionMember is a member of what entries get, in which objects are stored.
type sessionMember struct {
	s   *ir.Struct
	off int64
}

// session is a token: of the objects of a group of regions, for a member that they are stored in.
type session struct {
	member sessionMember
	// file is the base of the struct whose member the watched object is stored in.
	file *ir.Reg
	// at is where such an object is stored.
	at ir.Pos
}

// sessions are the tokens of a program, with the allocations of what is stored in each member.
type sessions struct {
	made map[sessionMember]map[*ir.Alloc]ir.Pos
	fns  []*lockFn
}

// maxSessions bounds the tokens. Precision only.
const maxSessions = 24

// findSessions finds the members in which nothing is stored but null, and objects right after they were made.
func (l *locks) findSessions() {
	l.sessions.made = map[sessionMember]map[*ir.Alloc]ir.Pos{}
	own := map[*ir.Struct]bool{} // what some entry has for itself
	for _, e := range l.f.p.Entries {
		for _, k := range e.Private {
			if s, ok := pointee(e.Func.Params[k].Type); ok {
				own[s] = true
			}
		}
	}
	if len(own) == 0 || l.f.p.TypeSafe {
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
	stored, twice := map[ir.Instr]bool{}, map[sessionMember]bool{}
	for _, fn := range fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				m, by, as := sessionStore(fn, in)
				if len(as) == 0 || !own[m.s] {
					continue
				}
				if l.sessions.made[m] == nil {
					l.sessions.made[m] = map[*ir.Alloc]ir.Pos{}
				}
				for _, a := range as {
					l.sessions.made[m][a] = in.At()
				}
				twice[m] = twice[m] || stored[by] // of two files, perhaps
				stored[by] = true
			}
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

// spoils drops the members in which an instruction may store something else.
func (l *locks) spoils(fn *ir.Func, in ir.Instr) {
	switch in := in.(type) {
	case *ir.Store:
		if isNull(in.Val) {
			return
		}
	case *ir.Free: // which stores nothing
		return
	}
	own, _, made := sessionStore(fn, in)
	for _, acc := range l.f.acc[in] {
		if !acc.Write {
			continue
		}
		for m := range l.sessions.made {
			if len(made) > 0 && m == own {
				continue
			}
			if acc.Unknown || slices.ContainsFunc(acc.Regions, m.within) {
				delete(l.sessions.made, m)
			}
		}
	}
}

// within reports whether a region may have the member in it, of a struct that the environment made.
func (m sessionMember) within(r *alias.Region) bool {
	if r.Exact && r.Offset != m.off {
		return false
	}
	return slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
		return o.Kind == alias.KindExtern && (o.Type == ir.Type(m.s) || ir.Equal(o.Type, m.s) || ir.Equal(o.Type, ir.Void{}))
	})
}

// sessionStore is the member that an instruction stores a new object in, of a parameter of its function, what made the object there, and the allocations that it may
// be from; none where it does nothing of the kind.
func sessionStore(fn *ir.Func, in ir.Instr) (m sessionMember, by ir.Instr, made []*ir.Alloc) {
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
		u, ok := stripCasts(fa.Base).(ir.Use)
		if !ok {
			e = fa.Base
			continue
		}
		if s, isStruct := pointee(u.Reg.Type); !isStruct || s != fa.S || !slices.Contains(fn.Params, u.Reg) || assigned(fn, u.Reg) != 0 {
			return
		}
		by, made = newObject(fn, st.Val, 3)
		return sessionMember{fa.S, off}, by, made
	}
}

// newObject is the instruction that makes the object that a value is: an allocation, or a call of a function that returns what it has just allocated, so many calls deep; and
// the allocations. None where the value may be something else.
func newObject(fn *ir.Func, v ir.Expr, depth int) (ir.Instr, []*ir.Alloc) {
	for range 8 {
		u, ok := stripCasts(v).(ir.Use)
		if !ok || assigned(fn, u.Reg) != 1 || slices.Contains(fn.Params, u.Reg) {
			return nil, nil
		}
		switch d := definitionOf(fn, u.Reg).(type) {
		case *ir.Alloc:
			if heapStruct(d) == nil {
				return nil, nil
			}
			return d, []*ir.Alloc{d}
		case *ir.Assign:
			v = d.X
		case *ir.Call:
			f, ok := d.Callee.(ir.FuncAddr)
			if !ok || depth == 0 || len(f.Func.Blocks) == 0 {
				return nil, nil
			}
			return d, returned(f.Func, depth-1)
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// returned are the allocations of the objects that a function returns, which it has made; none where it may return something else but null and numbers (errors).
func returned(f *ir.Func, depth int) []*ir.Alloc {
	var out []*ir.Alloc
	for _, b := range f.Blocks {
		r, ok := b.Term.(*ir.Return)
		if !ok {
			continue
		}
		v := r.Val
		if v == nil {
			return nil
		}
		if isNull(v) || number(f, v) {
			continue
		}
		_, as := newObject(f, v, depth)
		if len(as) == 0 {
			return nil
		}
		out = append(out, as...)
	}
	return out
}

// number reports whether a value is a number that is no address: a constant, or one of few bits, through a function that hands its argument back (ERR_PTR), too.
func number(fn *ir.Func, v ir.Expr) bool {
	v = stripCasts(v)
	if _, ok := v.(ir.Const); ok {
		return true
	}
	if t, ok := v.Type().(ir.Int); ok {
		return t.Bits <= 32
	}
	u, ok := v.(ir.Use)
	if !ok || assigned(fn, u.Reg) != 1 {
		return false
	}
	c, ok := definitionOf(fn, u.Reg).(*ir.Call)
	if !ok || len(c.Args) != 1 || !number(fn, c.Args[0]) {
		return false
	}
	f, ok := c.Callee.(ir.FuncAddr)
	if !ok || len(f.Func.Blocks) == 0 || len(f.Func.Params) != 1 || assigned(f.Func, f.Func.Params[0]) != 0 {
		return false
	}
	for _, b := range f.Func.Blocks {
		if r, ok := b.Term.(*ir.Return); ok {
			if u, ok := stripCasts(r.Val).(ir.Use); !ok || u.Reg != f.Func.Params[0] {
				return false
			}
		}
	}
	return true
}

func assigned(fn *ir.Func, r *ir.Reg) int {
	n := 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if slices.Contains(ir.Defs(in), r) {
				n++
			}
		}
	}
	return n
}

func definitionOf(fn *ir.Func, r *ir.Reg) ir.Instr {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if slices.Contains(ir.Defs(in), r) {
				return in
			}
		}
	}
	return nil
}

// sessionLocks are the tokens for accesses to region r.
func (l *locks) sessionLocks(r *alias.Region) []regionLock {
	var out []regionLock
	if r.Elem != 0 || len(r.Objects) == 0 {
		return nil
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

// typedSessions are the tokens for what an address goes through: of the objects of a type, which is what arrays in them have.
func (l *locks) typedSessions() {
	for _, m := range l.members() {
		seen := map[*ir.Struct]ir.Pos{}
		var types []*ir.Struct
		for a, at := range l.sessions.made[m] {
			s := heapStruct(a)
			if p, ok := seen[s]; !ok || at.Less(p) {
				if seen[s] = at; !ok {
					types = append(types, s)
				}
			}
		}
		slices.SortFunc(types, func(a, b *ir.Struct) int { return strings.Compare(a.Name, b.Name) })
		for _, s := range types {
			l.typed[s] = append(l.typed[s], l.sessionToken("t:"+s.Name, m, seen[s]))
		}
	}
}

// sessionToken is the token for a frame.
func (l *locks) sessionToken(frame string, m sessionMember, at ir.Pos) *lockFn {
	key := fmt.Sprintf("session:%s:%s+%d", frame, m.s.Name, m.off)
	fn := l.fns[key]
	if fn == nil {
		fn = l.fn(key, "its own file", l.frame(frame), nil, nil)
		fn.pseudo = "session"
		fn.session = &session{m, &ir.Reg{Name: "$file." + key, Type: ir.VPtr, Ghost: true}, at}
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
func (j *judge) sessionAssumptions() []ir.Assumption {
	used := map[*lockFn]bool{}
	for _, s := range j.sums {
		for _, st := range s.sites {
			for fn := range st.held {
				used[fn] = used[fn] || fn.session != nil
			}
		}
	}
	var out []ir.Assumption
	for _, fn := range j.l.sessions.fns {
		if !used[fn] {
			continue
		}
		m := fn.session.member
		a := ir.Assumption{Kind: "session", Pos: fn.session.at, Text: fmt.Sprintf("what is stored here in %s stays with it: code not seen puts it into no other one, and calls the entry points that have a struct %s for themselves at no time with one that others get",
			place("struct "+m.s.Name, m.s, m.off), m.s.Name)}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// gets tells whether an entry gets a file of the session, and whether it has it for itself.
func (s *session) gets(e *ir.Entry) (param int, alone, ok bool) {
	for k, p := range e.Func.Params {
		if t, is := pointee(p.Type); is && t == s.member.s {
			return k, slices.Contains(e.Private, k), true
		}
	}
	return 0, false, false
}

// inSession is what the entry holds of a session's token when it starts, exclusively (mode 0) or in any mode.
func (x *instrumenter) inSession(s *session, mode int) ir.Expr {
	params := x.seq.Procs[0].Body.Params
	k, alone, ok := s.gets(x.entry)
	if !ok || k >= len(params) || mode == 0 && !alone {
		return ir.BoolConst(false)
	}
	return ir.Binary{Op: "eq", X: asPtr(ir.Use{Reg: params[k]}), Y: ir.Use{Reg: s.file}}
}

// ofFile are the assumptions after an instruction that loads or stores a session's member.
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
		m := fn.session.member
		if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 || slices.ContainsFunc(acc[0].Regions, func(r *alias.Region) bool {
			return !r.Exact || r.Elem != 0 || r.Offset != m.off || slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
				return o.Kind != alias.KindExtern || !(o.Type == ir.Type(m.s) || ir.Equal(o.Type, m.s))
			})
		}) {
			continue
		}
		other := ir.Binary{Op: "ne", X: asPtr(val), Y: ir.Use{Reg: fn.frame.watch}}
		of := ir.Binary{Op: "eq", X: offsetFrom(asPtr(addr), -m.off), Y: ir.Use{Reg: fn.session.file}}
		out = append(out, &ir.Assume{Base: ir.Base{Pos: in.At()}, Cond: ir.Binary{Op: "lor", X: other, Y: of}})
	}
	return out
}
