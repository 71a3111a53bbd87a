package randgo

// Op is what a statement does.
type Op string

// The operations. X is the object, N a number, Body and Else are blocks.
const (
	Write    Op = "write"    // X = 1, or X = true
	Clear    Op = "clear"    // X = false
	Read     Op = "read"     // keep(X)
	Inc      Op = "inc"      // X++
	IfVar    Op = "ifvar"    // if X { Body } or if X != 0 { Body }, else { Else }
	IfCoin   Op = "ifcoin"   // if coin() { Body } else { Else }
	Loop     Op = "loop"     // for range N { Body }
	Return   Op = "return"   //
	Panic    Op = "panic"    // if coin() { panic("p") }
	Recover  Op = "recover"  // defer func() { recover() }()
	Send     Op = "send"     // X <- 1
	Recv     Op = "recv"     // <-X
	RecvOK   Op = "recvok"   // if _, ok := <-X; ok { Body } else { Else }
	Range    Op = "range"    // for range X { Body }
	Close    Op = "close"    // close(X)
	Select   Op = "select"   // select { Cases }
	Remake   Op = "remake"   // X = make(chan int, N)
	IfLen    Op = "iflen"    // if len(X) > 0 { Body }
	Add      Op = "add"      // X.Add(N)
	Done     Op = "done"     // X.Done()
	Wait     Op = "wait"     // X.Wait()
	WgGo     Op = "wggo"     // X.Go(func() { Body })
	Lock     Op = "lock"     // X.Lock()
	Unlock   Op = "unlock"   // X.Unlock()
	Once     Op = "once"     // X.Do(func() { Body })
	CAS      Op = "cas"      // if X.CompareAndSwap(false, true) { Body }
	IfSet    Op = "ifset"    // if X.Load() { Body } else { Else }
	Go       Op = "go"       // go func() { Body }()
	Block    Op = "block"    // func() { Body }()
	Break    Op = "break"    //
	Continue Op = "continue" //
	// X(func() { Body }), where X is a function that calls it, starts it, or both
	Apply    Op = "apply"
	Defer    Op = "defer"  // defer Body[0], or defer func() { Body }()
	Call     Op = "call"   // X(), with arguments where it has parameters
	GoCall   Op = "gocall" // go X()
	DeferFn  Op = "defercall"
	After    Op = "after"  // X = time.AfterFunc(N, func() { Body })
	Stop     Op = "stop"   // X.Stop()
	IfStop   Op = "ifstop" // if X.Stop() { Body } else { Else }
	Reset    Op = "reset"  // X.Reset(N)
	caseSend Op = "case send"
	caseRecv Op = "case recv"
	caseTime Op = "case time" // case <-time.After(N):
	caseElse Op = "default"
)

// Stmt is a statement, or a case of a select statement, in a block.
type Stmt struct {
	Op         Op
	X          string
	N          int
	Body, Else []*Stmt
	// Cases are of a select statement.
	Cases []*Stmt
	// Args are the objects that a function with parameters is given.
	Args []string
	// line is where it lies in the text.
	line int
}

// Kind is the type of an object.
type Kind string

// The kinds.
const (
	Int   Kind = "int"
	Bool  Kind = "bool"
	Chan  Kind = "chan int"
	Group Kind = "sync.WaitGroup"
	Mutex Kind = "sync.Mutex"
	OnceK Kind = "sync.Once"
	Flag  Kind = "atomic.Bool"
	Timer Kind = "*time.Timer"
)

// Place is where an object lies.
type Place int

// The places: a variable of run, one of the package, a member of a struct that run makes.
const (
	Local Place = iota
	Global
	Field
)

// Object is a variable.
type Object struct {
	Name  string
	Kind  Kind
	Place Place
	// Cap is a channel's capacity; -1: it is nil at first.
	Cap int
	// Of is the object that a local variable has the value of, or, where it is no
	// channel, the address of; "" for new ones.
	Of string
	// Heap: a local WaitGroup lies on the heap, and the variable has its address.
	Heap bool
}

// Func is a function: a variable of run with a function literal, or one of the package,
// with parameters.
type Func struct {
	Name   string
	Params []*Object
	// Struct: it is given the struct of run's members, too.
	Struct bool
	// Literal: it lies in run, and sees run's variables.
	Literal bool
	Body    []*Stmt
}

// Program is one program: main calls run in a way that Main tells.
type Program struct {
	Objects []*Object
	Funcs   []*Func
	Run     []*Stmt
	Main    Main
}

// Main is how main calls run.
type Main int

// The ways: once, twice, in a loop, beside itself, and with a WaitGroup.
const (
	OneRun Main = iota
	TwoRuns
	LoopRuns
	BesideRuns
	JoinedRuns
	mains
)

// object finds an object by name.
func (p *Program) object(name string) *Object {
	for _, o := range p.Objects {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// function finds a function by name.
func (p *Program) function(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// size counts the statements.
func size(list []*Stmt) int {
	n := 0
	for _, s := range list {
		n += 1 + size(s.Body) + size(s.Else) + size(s.Cases)
	}
	return n
}

// Size counts the program's statements.
func (p *Program) Size() int {
	n := size(p.Run)
	for _, f := range p.Funcs {
		n += size(f.Body)
	}
	return n
}

// clone copies a block.
func clone(list []*Stmt) []*Stmt {
	var out []*Stmt
	for _, s := range list {
		c := *s
		c.Body, c.Else, c.Cases = clone(s.Body), clone(s.Else), clone(s.Cases)
		out = append(out, &c)
	}
	return out
}

// Clone copies a program.
func (p *Program) Clone() *Program {
	q := &Program{Run: clone(p.Run), Main: p.Main}
	for _, o := range p.Objects {
		c := *o
		q.Objects = append(q.Objects, &c)
	}
	for _, f := range p.Funcs {
		c := *f
		c.Body = clone(f.Body)
		q.Funcs = append(q.Funcs, &c)
	}
	return q
}
