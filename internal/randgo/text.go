package randgo

import (
	"fmt"
	"slices"
	"strings"
)

// Layout is how a program is written.
type Layout struct {
	// Package and Entry are the package's name and that of its main function; empty:
	// main.
	Package, Entry string
	// Yield is a call that is put before statements, on their lines: "yield.Here(); ".
	// Import is what it wants.
	Yield, Import string
}

// writer writes a program.
type writer struct {
	p      *Program
	l      Layout
	b      strings.Builder
	line   int
	params map[string]bool // names that are parameters
}

// Text is the source of the program, and sets the lines of its statements, which are the
// same in all layouts.
func (p *Program) Text(l Layout) string {
	w := &writer{p: p, l: l, line: 1}
	w.put(0, "package %s", or(l.Package, "main"))
	w.put(0, `import ("math/rand/v2"; "sync"; "sync/atomic"; "time"; %s)`, l.Import)
	w.put(0, "var _ sync.Mutex; var _ atomic.Bool; var _ time.Duration")
	w.put(0, "func coin() bool { return rand.IntN(2) == 0 }")
	w.put(0, "func keep(int) {}")
	w.put(0, "func applied(f func()) { f() }")
	w.put(0, "func spawned(f func()) { go f() }")
	w.put(0, "func doubled(f func()) { go f(); f() }")
	w.put(0, "func generic[T any](x T, f func(T)) { f(x) }")
	w.put(0, "func typed(f func()) { generic(1, func(int) { f() }) }")
	w.globals()
	for _, f := range p.Funcs {
		if !f.Literal {
			w.function(f)
		}
	}
	w.put(0, "func run() {")
	w.locals()
	for _, f := range p.Funcs {
		if f.Literal && w.used(f.Name) {
			w.put(1, "%s := func() {", f.Name)
			w.block(f.Body, 2)
			w.put(1, "}")
		}
	}
	w.block(p.Run, 1)
	w.put(0, "}")
	w.put(0, "func %s() {", or(l.Entry, "main"))
	w.main()
	w.put(0, "}")
	return w.b.String()
}

func or(s, d string) string {
	if s == "" {
		return d
	}
	return s
}

// put writes a line.
func (w *writer) put(depth int, format string, args ...any) {
	w.b.WriteString(strings.Repeat("\t", depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
	w.line++
}

// used reports whether run names one of its variables or functions, itself or in a
// function that it uses.
func (w *writer) used(name string) bool {
	if names(w.p.Run, name) {
		return true
	}
	for _, f := range w.p.Funcs {
		if f.Literal && f.Name != name && names(f.Body, name) && w.used(f.Name) {
			return true
		}
	}
	return slices.ContainsFunc(w.p.Objects, func(o *Object) bool { return o.Of == name && w.used(o.Name) })
}

func names(list []*Stmt, name string) bool {
	return slices.ContainsFunc(list, func(s *Stmt) bool {
		return s.X == name || slices.Contains(s.Args, name) || names(s.Body, name) || names(s.Else, name) || names(s.Cases, name)
	})
}

func (w *writer) globals() {
	w.put(0, "type state struct {")
	for _, o := range w.p.Objects {
		if o.Place == Field {
			w.put(1, "%s %s", o.Name, o.Kind)
		}
	}
	w.put(0, "}")
	for _, o := range w.p.Objects {
		if o.Place != Global {
			continue
		}
		if o.Kind == Chan && o.Cap >= 0 {
			w.put(0, "var %s = %s", o.Name, made(o.Cap))
		} else {
			w.put(0, "var %s %s", o.Name, o.Kind)
		}
	}
}

func made(n int) string {
	if n == 0 {
		return "make(chan int)"
	}
	return fmt.Sprintf("make(chan int, %d)", n)
}

// locals declares the variables of run that are used, and makes its struct.
func (w *writer) locals() {
	if w.hasFields() {
		w.put(1, "s := &state{}")
		w.put(1, "_ = s")
	}
	for _, o := range w.p.Objects {
		switch {
		case o.Place == Field && o.Kind == Chan && o.Cap >= 0:
			w.put(1, "s.%s = %s", o.Name, made(o.Cap))
		case o.Place != Local || !w.used(o.Name):
		case o.Of != "":
			if o.Kind != Chan && !w.p.object(o.Of).Heap {
				w.put(1, "%s := &%s", o.Name, w.ref(o.Of))
			} else {
				w.put(1, "%s := %s", o.Name, w.ref(o.Of))
			}
		case o.Heap:
			w.put(1, "%s := %s", o.Name, []string{"&sync.WaitGroup{}", "new(sync.WaitGroup)"}[len(o.Name)%2])
		case o.Kind == Chan && o.Cap >= 0:
			w.put(1, "%s := %s", o.Name, made(o.Cap))
		default:
			w.put(1, "var %s %s", o.Name, o.Kind)
		}
		if o.Place == Local && w.used(o.Name) && (o.Kind == Chan || o.Kind == Timer) {
			w.put(1, "_ = %s", o.Name)
		}
		if o.Place == Local && w.used(o.Name) && o.Kind == Int {
			w.put(1, "keep(%s)", o.Name)
		}
		if o.Place == Local && w.used(o.Name) && o.Kind == Bool {
			w.put(1, "if %s {}", o.Name)
		}
	}
}

func (w *writer) hasFields() bool {
	return slices.ContainsFunc(w.p.Objects, func(o *Object) bool { return o.Place == Field })
}

// function writes a function of the package.
func (w *writer) function(f *Func) {
	var params []string
	w.params = map[string]bool{}
	for _, o := range f.Params {
		t := string(o.Kind)
		if o.Kind != Chan && o.Kind != Timer {
			t = "*" + t
		}
		w.params[o.Name] = o.Kind == Int || o.Kind == Bool
		params = append(params, o.Name+" "+t)
	}
	if f.Struct {
		params = append(params, "s *state")
	}
	w.put(0, "func %s(%s) {", f.Name, strings.Join(params, ", "))
	w.block(f.Body, 1)
	w.put(0, "}")
	w.params = nil
}

// ref is an object in an expression.
func (w *writer) ref(name string) string {
	if w.params[name] {
		return "(*" + name + ")"
	}
	if o := w.p.object(name); o != nil && o.Place == Field {
		return "s." + name
	}
	return name
}

// isBool reports whether a name is a flag's; parameters have the names of what they are
// given.
func (w *writer) isBool(name string) bool { return w.p.object(name).Kind == Bool }

// call is a call of a function of the program.
func (w *writer) call(s *Stmt) string {
	f := w.p.function(s.X)
	var args []string
	for i, a := range s.Args {
		if o := w.p.object(a); o.Heap || f.Params[i].Kind == Chan || o.Kind == Timer || o.Of != "" {
			args = append(args, w.ref(a))
		} else {
			args = append(args, "&"+w.ref(a))
		}
	}
	if f.Struct {
		args = append(args, "s")
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
}

// main writes what main does.
func (w *writer) main() {
	switch w.p.Main {
	case OneRun:
		w.put(1, "run()")
	case TwoRuns:
		w.put(1, "run()")
		w.put(1, "run()")
	case LoopRuns:
		w.put(1, "for range 2 { run() }")
	case BesideRuns:
		w.put(1, "go run()")
		w.put(1, "run()")
	case JoinedRuns:
		w.put(1, "var wg sync.WaitGroup")
		w.put(1, "for range 2 { wg.Add(1); go func() { defer wg.Done(); run() }() }")
		w.put(1, "wg.Wait()")
	}
}

// block writes statements, each with a line of its own.
func (w *writer) block(list []*Stmt, depth int) {
	for _, s := range list {
		s.line = w.line
		w.stmt(s, depth)
	}
}

// simple are statements of one line.
func (w *writer) simple(s *Stmt) string {
	x := w.ref(s.X)
	switch s.Op {
	case Write:
		if w.isBool(s.X) {
			return x + " = true"
		}
		return x + " = 1"
	case Clear:
		return x + " = false"
	case Read:
		return "keep(" + x + ")"
	case Inc:
		return x + "++"
	case Return, Break, Continue:
		return string(s.Op)
	case Panic:
		return `if coin() { panic("p") }`
	case Recover:
		return "defer func() { recover() }()"
	case Send:
		return x + " <- 1"
	case Recv:
		return "<-" + x
	case Close:
		return "close(" + x + ")"
	case Remake:
		return x + " = " + made(s.N)
	case Stop:
		return x + ".Stop()"
	case Reset:
		return x + ".Reset(" + wait(s.N) + ")"
	case Add:
		return fmt.Sprintf("%s.Add(%d)", x, s.N)
	case Done:
		return x + ".Done()"
	case Wait:
		return x + ".Wait()"
	case Lock:
		return x + ".Lock()"
	case Unlock:
		return x + ".Unlock()"
	case Call:
		return w.call(s)
	case GoCall:
		return "go " + w.call(s)
	case DeferFn:
		return "defer " + w.call(s)
	}
	return ""
}

// heads are the beginnings of statements with a block, and their ends.
func (w *writer) head(s *Stmt) (head, end string) {
	x := w.ref(s.X)
	switch s.Op {
	case IfVar:
		if w.isBool(s.X) {
			return "if " + x + " {", "}"
		}
		return "if " + x + " != 0 {", "}"
	case IfCoin:
		return "if coin() {", "}"
	case IfLen:
		return "if len(" + x + ") > 0 {", "}"
	case CAS:
		return "if " + x + ".CompareAndSwap(false, true) {", "}"
	case IfSet:
		return "if " + x + ".Load() {", "}"
	case RecvOK:
		return "if _, ok := <-" + x + "; ok {", "}"
	case IfStop:
		return "if " + x + ".Stop() {", "}"
	case After:
		return x + " = time.AfterFunc(" + wait(s.N) + ", func() {", "})"
	case Loop:
		return fmt.Sprintf("for range %d {", s.N), "}"
	case Range:
		return "for range " + x + " {", "}"
	case Go:
		return "go func() {", "}()"
	case WgGo:
		return x + ".Go(func() {", "})"
	case Once:
		return x + ".Do(func() {", "})"
	case Apply:
		return s.X + "(func() {", "})"
	case Block:
		return "func() {", "}()"
	case Defer:
		return "defer func() {", "}()"
	}
	panic("no statement: " + string(s.Op))
}

// wait is a duration: none, or a short one.
func wait(n int) string { return []string{"0", "time.Microsecond"}[n&1] }

func (w *writer) stmt(s *Stmt, depth int) {
	if text := w.simple(s); text != "" {
		w.put(depth, "%s%s", w.l.Yield, text)
		return
	}
	if s.Op == Select {
		w.selects(s, depth)
		return
	}
	if s.deferred() {
		s.Body[0].line = w.line
		w.put(depth, "%sdefer %s", w.l.Yield, w.simple(s.Body[0]))
		return
	}
	head, end := w.head(s)
	w.put(depth, "%s%s", w.l.Yield, head)
	w.block(s.Body, depth+1)
	if len(s.Else) > 0 {
		w.put(depth, "} else {")
		w.block(s.Else, depth+1)
	}
	w.put(depth, "%s", end)
}

func (w *writer) selects(s *Stmt, depth int) {
	w.put(depth, "%sselect {", w.l.Yield)
	for _, c := range s.Cases {
		c.line = w.line
		switch c.Op {
		case caseSend:
			w.put(depth, "case %s <- 1:", w.ref(c.X))
		case caseRecv:
			w.put(depth, "case <-%s:", w.ref(c.X))
		case caseTime:
			w.put(depth, "case <-time.After(%s):", wait(c.N))
		default:
			w.put(depth, "default:")
		}
		w.block(c.Body, depth+1)
	}
	w.put(depth, "}")
}

// deferred reports whether a statement defers a call, and not a function literal.
func (s *Stmt) deferred() bool {
	return s.Op == Defer && len(s.Body) == 1 && slices.Contains([]Op{Close, Done, Unlock, Wait, Stop}, s.Body[0].Op)
}
