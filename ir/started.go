package ir

// A handler of work items or timers is called for an object once two things have
// happened: it was registered with the object (timer_setup, INIT_WORK), and the object
// was started (mod_timer, schedule_work): a Register of the handler's kind with that
// object.

// findStarted looks for the handlers that run once at a time for one object, and that
// only instructions start which name the object.
func (b *Bindings) findStarted(p *Program) {
	var regs []*Register
	for _, in := range p.Instrs() {
		if r, ok := in.(*Register); ok && r.Fn == nil {
			regs = append(regs, r)
		}
	}
	for _, e := range p.Entries {
		if e.Func == nil || len(e.Serial) == 0 || !b.Closed(e.Func) {
			continue
		}
		by, named := map[*Register]bool{}, true
		for _, r := range regs {
			if Covers(r.Kinds, e.Kind) {
				named = named && r.Obj != nil
				by[r] = b.mayStart(r.Obj, e.Func, e.Serial[0])
			}
		}
		if named && len(by) > 0 {
			b.started[e.Func] = by
		}
	}
}

// mayStart reports whether an object that is started may be what f was registered with,
// as parameter k.
func (b *Bindings) mayStart(obj Expr, f *Func, k int) bool {
	at, ok := memberOf(obj)
	if !ok {
		return true
	}
	for _, e := range b.exprs[f][k] {
		if is, ok := memberOf(e); !ok || is == at {
			return true
		}
	}
	return len(b.exprs[f][k]) == 0
}

// member is a global, or a member of some object of a struct type.
type member struct {
	global *Global
	s      *Struct
	index  int
}

// memberOf tells of which member an address is; false where it may be that of any.
func memberOf(e Expr) (member, bool) {
	switch e := e.(type) {
	case Cast:
		return memberOf(e.X)
	case GlobalAddr:
		return member{global: e.Global}, true
	case FieldAddr:
		return member{s: e.S, index: e.Index}, true
	}
	return member{}, false
}

// Started reports whether f is called only for objects that an instruction of the program
// has started since they were registered, each for itself.
func (b *Bindings) Started(f *Func) bool { return b.started[f] != nil }

// starting is how the names begin that Starting yields.
const starting = "starts "

// Starting is what Registrations has where an object may be started that f was registered
// with.
func Starting(f *Func) string { return starting + f.Name }

// Stopping is what Registrations has where a handler of the kind of e is stopped, of all
// objects or of one.
func Stopping(e *Entry) string { return "stops " + e.Name }

// stoppedIn adds the handlers that a function stops.
func stoppedIn(f *Func, entries []*Entry, what map[string]bool) {
	for in := range f.Instrs() {
		u, ok := in.(*Unregister)
		if !ok {
			continue
		}
		kinds, none := u.Stops(true)
		for _, e := range entries {
			if !none && Covers(kinds, e.Kind) || len(u.Ends) > 0 && Covers(u.Ends, e.Kind) {
				what[Stopping(e)] = true
			}
		}
	}
}

// startedIn adds what a function may start.
func (b *Bindings) startedIn(f *Func, what map[string]bool) {
	for in := range f.Instrs() {
		r, ok := in.(*Register)
		if !ok {
			continue
		}
		for h, by := range b.started {
			if by[r] {
				what[Starting(h)] = true
			}
		}
	}
}
