package lockuse

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An event is an operation whose order with others matters: on a WaitGroup (add, wait) or
// a channel (send, close).
type event struct {
	kind string
	// object is what it is on: two operations on the same object have equal, known ones.
	object object
	at     token.Pos
	fn     *ssa.Function
	// ordered: something before it in its goroutine may wait for others, so that more
	// than the go statement may order it.
	ordered bool
	// always: it is executed whenever the goroutine ends.
	always bool
	// once: a sync.Once runs it.
	once bool
}

// object is a variable's or a channel's name, by what it is reached from: a value that is
// made once where root is executed.
type object struct {
	path string
	root ssa.Value
}

func (o object) known() bool { return o.path != "" }

// maxDepth is how many calls deep events are looked for.
const maxDepth = 4

// explorer collects events along static calls.
type explorer struct {
	orders map[*ssa.Function]bool
	// left is how many more instructions may be looked at for the function at hand.
	left int
}

// maxWork is explorer.left at first: beyond, nothing is reported of a function.
const maxWork = 50_000

// scope is a function under exploration: what its parameters and captured variables are,
// if that is known, and what these hold.
type scope struct {
	f         *ssa.Function
	env, held map[ssa.Value]object
}

// calleeScope is the function that a call surely runs, in this goroutine or another, or
// one without a function.
func (s scope) calleeScope(fn ssa.Value, args []ssa.Value) scope {
	out := scope{env: map[ssa.Value]object{}, held: map[ssa.Value]object{}}
	switch v := fn.(type) {
	case *ssa.MakeClosure:
		out.f = v.Fn.(*ssa.Function)
		for i, fv := range out.f.FreeVars {
			out.env[fv] = s.object(v.Bindings[i], 0)
			out.held[fv] = s.content(v.Bindings[i], 0)
		}
	case *ssa.Function:
		out.f = v
	}
	if out.f == nil || len(out.f.Blocks) == 0 {
		return scope{}
	}
	for i, p := range out.f.Params {
		if i < len(args) {
			out.env[p] = s.object(args[i], 0)
		}
	}
	return out
}

// object names the value of v: for an address, what lies there.
func (s scope) object(v ssa.Value, depth int) object {
	if depth > 10 {
		return object{}
	}
	if o, ok := s.env[v]; ok {
		return o
	}
	switch v := v.(type) {
	case *ssa.Global:
		return object{v.String(), v}
	case *ssa.Alloc, *ssa.MakeChan, *ssa.Call:
		return object{fmt.Sprintf("%p", v), v}
	case *ssa.Parameter:
		if s.env == nil {
			return object{fmt.Sprintf("%p", v), v}
		}
	case *ssa.FieldAddr:
		if o := s.object(v.X, depth+1); o.known() {
			return object{o.path + "." + fmt.Sprint(v.Field), o.root}
		}
	case *ssa.ChangeType:
		return s.object(v.X, depth+1)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return s.content(v.X, depth+1)
		}
	}
	return object{}
}

// content is what a variable at an address holds, if it is stored to once at most.
func (s scope) content(addr ssa.Value, depth int) object {
	switch v := addr.(type) {
	case *ssa.FreeVar:
		return s.held[v]
	case *ssa.Alloc:
		st, n := storesTo(v)
		if n != 1 || st == nil {
			return object{}
		}
		if o := s.object(st.Val, depth+1); o.known() {
			return o
		}
		return object{fmt.Sprintf("*%p", v), v}
	}
	if o := s.object(addr, depth+1); o.known() {
		return object{"*" + o.path, o.root}
	}
	return object{}
}

// storesTo counts the stores to a variable, also in closures that capture it; it returns
// one in the variable's own function. A variable whose address goes elsewhere has many.
func storesTo(v ssa.Value) (st *ssa.Store, n int) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != v {
				return nil, 2
			}
			st, n = r, n+1
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == v {
					_, m := storesTo(r.Fn.(*ssa.Function).FreeVars[i])
					n += 2 * m
				}
			}
		default:
			return nil, 2
		}
	}
	return st, n
}

// spawn is a go statement, or a Go of a WaitGroup or an errgroup, of a function that is
// known.
type spawn struct {
	in ssa.Instruction
	scope
}

// spawnOf is the goroutine that an instruction starts, or one without a function.
func (s scope) spawnOf(in ssa.Instruction) spawn {
	switch in := in.(type) {
	case *ssa.Go:
		return spawn{in, s.calleeScope(in.Call.Value, in.Call.Args)}
	case *ssa.Call:
		if f := in.Call.StaticCallee(); f != nil && strings.HasSuffix(fullName(f), "Group).Go") && len(in.Call.Args) == 2 {
			return spawn{in, s.calleeScope(in.Call.Args[1], nil)}
		}
	}
	return spawn{}
}

// events lists the events of a function and what it calls, after from (nil: from its
// start), in which only what comes after from, too, is taken to order them.
func (x *explorer) events(s scope, from ssa.Instruction, depth int) []event {
	if depth > maxDepth || x.left <= 0 || recovers(s.f) {
		return nil
	}
	for _, b := range s.f.Blocks {
		x.left -= len(b.Instrs)
	}
	var out []event
	var ordering []ssa.Instruction
	for _, b := range s.f.Blocks {
		for _, in := range b.Instrs {
			if x.ordersHere(in) && (from == nil || in != from && reaches(from, in, nil)) {
				ordering = append(ordering, in)
			}
		}
	}
	for _, b := range s.f.Blocks {
		for _, in := range b.Instrs {
			for _, e := range x.eventsAt(s, in, depth) {
				if in == from || from != nil && !reaches(from, in, e.object.root) {
					continue
				}
				e.always = e.always && always(in)
				for _, o := range ordering {
					if send, ok := o.(*ssa.Send); ok && s.object(send.Chan, 0) == e.object {
						continue
					}
					e.ordered = e.ordered || o != in && reaches(o, in, nil)
				}
				out = append(out, e)
			}
		}
	}
	return out
}

// eventsAt lists the events of one instruction, with those of the function that it calls.
func (x *explorer) eventsAt(s scope, in ssa.Instruction, depth int) []event {
	if send, ok := in.(*ssa.Send); ok {
		return []event{{kind: "send", object: s.object(send.Chan, 0), at: send.Pos(), fn: s.f, always: true}}
	}
	if _, ok := in.(*ssa.RunDefers); ok {
		return x.deferred(s, in, depth)
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return nil
	}
	return x.callEvents(s, &call.Call, call.Pos(), depth)
}

// deferred lists the events of the calls that are deferred, where they run.
func (x *explorer) deferred(s scope, run ssa.Instruction, depth int) []event {
	var out []event
	for _, b := range s.f.Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok || !reaches(d, run, nil) {
				continue
			}
			for _, e := range x.callEvents(s, &d.Call, d.Pos(), depth) {
				e.always = e.always && always(d)
				e.ordered = e.ordered || x.otherDefers(s.f, d)
				out = append(out, e)
			}
		}
	}
	return out
}

// otherDefers reports whether another deferred call may wait for others.
func (x *explorer) otherDefers(f *ssa.Function, not *ssa.Defer) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok && d != not && x.callOrders(&d.Call) {
				return true
			}
		}
	}
	return false
}

func (x *explorer) callEvents(s scope, cc *ssa.CallCommon, at token.Pos, depth int) []event {
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			return []event{{kind: "close", object: s.object(cc.Args[0], 0), at: at, fn: s.f, always: true}}
		}
		return nil
	}
	f := cc.StaticCallee()
	if f == nil {
		return nil
	}
	one := func(kind string) []event {
		return []event{{kind: kind, object: s.object(cc.Args[0], 0), at: at, fn: s.f, always: true}}
	}
	switch fullName(f) {
	case "(*sync.WaitGroup).Add", "(*sync.WaitGroup).Go":
		return one("add")
	case "(*sync.WaitGroup).Wait":
		return one("wait")
	case "(*sync.Once).Do":
		var out []event
		if c := s.calleeScope(cc.Args[1], nil); c.f != nil {
			out = x.events(c, nil, depth+1)
		}
		for i := range out {
			out[i].once = true
		}
		return out
	}
	if c := s.calleeScope(cc.Value, cc.Args); c.f != nil {
		return x.events(c, nil, depth+1)
	}
	return nil
}
