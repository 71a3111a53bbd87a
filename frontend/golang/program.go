package golang

import (
	"fmt"
	"go/ast"
	"go/types"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/precise"
	"whoop/frontend/golang/program"
	"whoop/frontend/golang/retained"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// lowering is the state of lowering one program.
type lowering struct {
	*world.World
	*retained.Facts
	precise *precise.Program
	p       *ir.Program
	lay     *irgen.Layouts

	funcs   map[*ssa.Function]*ir.Func
	queue   []*ssa.Function // declared, to be lowered
	taken   map[string]bool // names of functions
	globals map[*ssa.Global]*ir.Global
	// setOutside are those that users, or other packages, may set.
	setOutside map[*ir.Global]bool
	gnames     map[string]int
	// closures are the constant function values, thunks the code they have.
	closures map[*ssa.Function]*ir.Global
	header   *ir.Struct // of function values
	box      *ir.Struct // of what interfaces hold
	ctxs     map[*ssa.Function]*context
	// byValue remembers which captured variables lie in function values: see copied.
	// numbering are the goroutines that get these as arguments, too, by what they call.
	byValue       map[ssa.Value]*form.IntVar
	inFrames      map[*ssa.Alloc]*form.IntVar // see keptInFrame
	numbering     map[*ir.Func]*ir.Func
	indexLoops    map[ast.Expr]bool // see findIndexLoops
	dynamics      typeutil.Map      // types in interfaces -> *dynamicType
	tags          map[string]*dynamicType
	instancesMade map[string]bool           // by OpenKey
	constraints   map[*types.Interface]bool // of type parameters of which methods are called
	behind        map[behindKey]bool        // whether types implement interfaces: see satisfies
	askedOfUsers  []types.Type              // see usersImplement
	dispatch      map[string]*dispatcher
	order         []*dispatcher
	externs       map[string]*ir.Func
	fields        map[*types.Named]bool // library types whose fields the program looks at
	once          *world.Once
	initCalls     *initCalls
	lifted        map[ssa.Value]*ir.Global
	assignedVars  map[*ssa.Global]bool // see findAssigned
	consts        *consts
	fixedParams   map[*ssa.Parameter]ir.Expr
	// sessionFuncs stand for the uses of sessions, making are those whose are being made.
	sessionFuncs map[sessionOf]*ir.Func
	// callsReflected and reflectResults: see reflectedResults.
	callsReflected *bool
	reflectResults *ir.Global
	making         map[*world.Session]bool
	resets         bool         // timers are started again
	mixed          bool         // see codePlaces
	calledSigs     signatures   // of calls of function values
	slots          typeutil.Map // signatures -> places
	reached        alsoReached
	structured     *structured
	variants       map[*ssa.Function]*ir.Func // see variant
	variantQueue   []*ssa.Function
	frames         map[*ssa.Function]*frameInfo
	tokens         *tokens
	numbers        *numbers // nil where the lowering is exact, as are the next three
	passing        *passing
	localChans     *localChans
	gates          *gates
	exiting        map[*ssa.Function]bool // see exits; nil: not looked for yet
	overwritten    *overwritten           // nil where the lowering is exact
	spawns         []spawned
	codes          []*ir.Func             // functions that function values have
	unknown        map[string]*ir.Global  // function values from outside, by signature
	initFunc       *ir.Func               // of libraries
	approximate    bool                   // see inexact
	starters       map[string]*ir.Func    // see starter
	receiver       map[ir.Type]*ir.Global // of the methods that are entry points
	nothing        map[string]*ir.Global  // see noFunction
	handed         *ir.Global             // see handOut
	// second are the second values that functions are given with receivers.
	second    map[*ir.Global]*ir.Global
	narrowers map[string]*narrower // by interface type
	narrow    []*narrower          // in order
	// nil: the program neither recovers from panics nor ends goroutines
	unwinding      *unwinding
	scalars        *ir.Global // see sharedBox
	keptGlobals    map[*types.Package]*ir.Global
	changingErrors *bool                         // see errorsChange
	packageLocks   map[*types.Package]*ir.Global // see packageLock
	cause          *ir.Global                    // see causeAt
	onceFuncs      map[string]*onceFunc          // by signature
	below          map[*ssa.Function]bool        // see findBelow
	raising        *raising
	unwoundVar     *ir.Global
	recovering     bool // some function calls recover
	visitors       map[string]*ir.Func
	fieldsUsers    map[*types.Named]*ir.Func // see fieldsUser
	thrownValues   *ir.Global                // see thrown
	alone          bool                      // see strange
	strangers      map[*types.Package]bool   // the packages that strange was asked about
	handOvers      map[string]*ir.Func       // see handOverFunc
	soles          map[string]ir.Expr        // see soleBoxed
	setTypes       map[*types.Named]bool     // see leadsToSet
	besideUsers    bool                      // an initialisation starts something
	moduleVars     moduleVars                // see keptcalls.go
	wrappers       [maxWrapped]*ir.Func      // see useWrapped
	found          foundErrors
}

func newLowering(prog *ssa.Program, m *library.Models) *lowering {
	p := &ir.Program{TypeSafe: true}
	w := world.New(prog, m, p)
	l := &lowering{World: w, Facts: retained.New(w), p: p, funcs: map[*ssa.Function]*ir.Func{},
		taken: map[string]bool{}, globals: map[*ssa.Global]*ir.Global{}, setOutside: map[*ir.Global]bool{}, gnames: map[string]int{},
		closures: map[*ssa.Function]*ir.Global{}, ctxs: map[*ssa.Function]*context{},
		byValue:   map[ssa.Value]*form.IntVar{},
		inFrames:  map[*ssa.Alloc]*form.IntVar{},
		numbering: map[*ir.Func]*ir.Func{},
		dispatch:  map[string]*dispatcher{}, externs: map[string]*ir.Func{}, fields: map[*types.Named]bool{},
		lifted: map[ssa.Value]*ir.Global{}, frames: map[*ssa.Function]*frameInfo{}}
	l.nothing = map[string]*ir.Global{}
	l.starters = map[string]*ir.Func{}
	l.receiver, l.unknown = map[ir.Type]*ir.Global{}, map[string]*ir.Global{}
	l.World.HasPointers = l.hasPointers
	l.sessionFuncs, l.making = map[sessionOf]*ir.Func{}, map[*world.Session]bool{}
	l.lay = &irgen.Layouts{Slots: func(u *types.Chan) int64 {
		if !l.Exact {
			return 0
		}
		return l.precise.SlotsOf(u)
	}, Gostructs: map[*ir.Struct]types.Type{}, Names: map[string]int{}, Shared: map[string]*ir.Struct{}, Name: l.TypeName, Special: l.Special, Kept: l.keptFields, Instead: l.instead, Own: func(p *types.Package) bool { return l.Own[p] }, Hide: l.hideInside}
	l.header = l.lay.NewStruct("func value")
	for i := range codeSlots {
		l.header.Fields = append(l.header.Fields, ir.Field{Name: "__code" + strconv.Itoa(i), Type: irgen.CodePtr, Offset: int64(8 * i), Const: true})
	}
	l.header.Bytes = 8 * codeSlots
	l.box = l.lay.NewStruct("interface value")
	l.box.Sum = true
	l.precise = precise.New(l.World, l, l.lay, p, l.box, func(f *ir.Func) *precise.Fn { return newFn(l, nil, f).Fn })
	return l
}

// program lowers everything that can be reached from the entry points of the packages.
func (l *lowering) program(pkgs []program.Package) error {
	built := l.look(pkgs)
	l.Seen(pkgs)
	for _, p := range pkgs {
		if l.Bodies == nil || p.SSA != l.Bodies.Pkg {
			l.packageAssumptions(p)
		}
	}
	find := l.Roots
	if l.Exact {
		find = l.precise.ExactRoot
	}
	roots, err := find(pkgs)
	if err != nil {
		return err
	}
	for _, r := range roots {
		l.LibraryMode = l.LibraryMode || r.Kind != world.MainRoot
		l.besideUsers = l.besideUsers || r.Kind == world.InitRoot
	}
	l.findReceiverTypes(roots)
	if l.LibraryMode && !l.Exact {
		l.BoxedByUsers = l.UsersBox(pkgs)
		l.askedOfUsers = l.UsersAsked(l.BoxedByUsers)
		l.Settings = l.Setup(pkgs, roots)
		l.Sharing = l.FindSharing(roots)
		l.AddMakers(pkgs, roots)
	}
	fs := l.reachable(built, roots)
	if l.mixed = mixesGenerics(fs); l.mixed {
		l.lay.Generic = !l.Exact
		l.calledSigs = findCalledSigs(fs)
	}
	l.once = world.FindOnce(l.World, fs, roots, l.reached.more)
	l.initCalls = l.findInitCalls(roots)
	l.fixedParams = l.receivers(roots, l.once, fs)
	for _, f := range fs {
		l.findVariables(l.once, f)
	}
	l.findAssigned(fs)
	if !l.Exact {
		l.findGiven(roots)
	}
	l.consts = findConsts(l, fs, l.fixedParams)
	if l.Exact { // there are no tokens
		if l.unwinding = l.findUnwinding(fs, roots); l.unwinding != nil {
			l.precise.Unwinds = &precise.Unwinds{State: l.unwinding.state, Uncaught: l.unwinding.uncaught}
		}
		l.precise.Forms = precise.FindForms(fs)
		l.tokens = newTokens(l, nil)
	} else {
		l.overwritten = findOverwritten(fs)
		l.below = l.findBelow(fs)
		l.raising = l.findRaising(fs)
		l.tokens = newTokens(l, fs)
		l.numbers, l.passing = findNumbers(l, fs), findPassing(l, fs)
		l.gates = findGates(l, fs)
		l.localChans = &localChans{t: l.tokens, n: l.numbers, ordered: map[*ssa.MakeChan]bool{}}
	}
	l.structured, l.variants = findStructured(l, fs), map[*ssa.Function]*ir.Func{}
	for _, r := range roots {
		switch r.Kind {
		case world.SessionRoot:
			l.declare(r.Fn)
		case world.InitRoot: // see libraryInit
		default:
			l.rootEntry(r)
		}
	}
	l.libraryInit(roots)
	l.drain()
	l.dropIdleCallers()
	l.finishUnwinding()
	if err := l.asExpected(); err != nil {
		return err
	}
	l.markOwn(built, roots)
	l.markPrints()
	l.spawnedEntries()
	l.waitingTests()
	if !l.LibraryMode {
		l.separateMains()
	}
	l.finish()
	return nil
}

// look notes what is known of the packages before anything is lowered, and returns their
// SSA form.
func (l *lowering) look(pkgs []program.Package) []*ssa.Package {
	built := program.Built(pkgs)
	for _, p := range built {
		l.Own[p.Pkg] = true
	}
	l.ChooseFirst(built)
	l.findIndexLoops(pkgs)
	l.looked(built)
	l.FindKeepers(built)
	return built
}

// looked finds the library types whose fields the program uses: the others are not looked
// into.
func (l *lowering) looked(built []*ssa.Package) {
	note := func(t types.Type) {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			l.fields[n] = true
		}
	}
	var boxed typeutil.Map
	for _, f := range form.AllFunctions(built) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					note(in.X.Type())
				case *ssa.Field:
					note(in.X.Type())
				case ssa.CallInstruction:
					l.precise.NoteClose(in.Common())
					l.noteFound(in.Common())
					if g := in.Common().StaticCallee(); g != nil && library.Name(g) == "(*time.Timer).Reset" {
						l.resets = true
					}
				case *ssa.MakeInterface:
					if boxed.Set(in.X.Type(), true) == nil {
						l.Boxes = append(l.Boxes, in.X.Type())
					}
				case *ssa.MakeChan:
					l.precise.NoteCap(in)
				}
			}
		}
	}
}

// instead is the type of package stdgo that a library type is laid out as, or nil.
func (l *lowering) instead(t types.Type) types.Type {
	n, ok := t.(*types.Named)
	if !ok || l.Bodies == nil || n.Obj().Pkg() == nil {
		return nil
	}
	name := n.Obj().Pkg().Path() + "." + n.Obj().Name()
	is := l.Bodies.Types[name]
	if is == nil {
		return nil
	}
	for _, a := range l.Bodies.TypeAssumes[name] {
		l.p.Assume(a[0], ir.Pos{}, "%s", a[1])
	}
	return is
}

// Special says how a library type is represented: see layouts.special.
func (l *lowering) Special(t types.Type) ([]ir.Field, int64, bool) {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || l.Own[n.Obj().Pkg()] {
		return nil, 0, false
	}
	if m := precise.ExactTypes()[n.Obj().Pkg().Path()+"."+n.Obj().Name()]; m != nil && l.Exact {
		return l.lay.Modelled(m, n), m.Size, true
	}
	if reflectValue(n) && !l.Exact {
		return []ir.Field{{Name: "__of.type", Type: ir.U32}, {Name: "__of.data", Type: ir.VPtr, Offset: 8}}, 24, true
	}
	if m := l.Models.TypeOf(n.Origin()); m != nil {
		return l.lay.Modelled(m, n), m.Size, true
	}
	if _, isStruct := n.Underlying().(*types.Struct); !isStruct || l.fields[n] || n.Obj().Pkg().Path() == "sync" {
		return nil, 0, false
	}
	if kept := l.keptFields(n); kept != nil {
		return kept, 16, true
	}
	return nil, 8, true
}

// drain lowers what is queued, then the dispatchers, until nothing new turns up.
func (l *lowering) drain() {
	for {
		for len(l.queue) > 0 {
			f := l.queue[0]
			l.queue = l.queue[1:]
			l.body(f, l.funcs[f])
		}
		for len(l.variantQueue) > 0 {
			f := l.variantQueue[0]
			l.variantQueue = l.variantQueue[1:]
			l.body(f, l.variants[f])
		}
		if len(l.queue) > 0 {
			continue
		}
		if !l.dispatchers() && !l.precise.Answers() && !l.keptCallers() {
			return
		}
	}
}

// body lowers one function; what it cannot do makes the function unknown.
func (l *lowering) body(sf *ssa.Function, f *ir.Func) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case irgen.Unsupported:
			l.giveUp(f, r.At, r.Reason)
		default:
			l.giveUp(f, f.Pos, fmt.Sprintf("lowering failed: %v%s", r, where()))
		}
	}()
	if len(sf.Blocks) == 0 {
		l.giveUp(f, f.Pos, "it has no Go body (assembly, or linked from elsewhere)")
		return
	}
	if why := notGeneral(sf); why != "" && !l.Exact && form.Body(sf) != sf {
		l.giveUp(f, f.Pos, why)
		return
	}
	newFn(l, sf, f).function()
}

// where is the place in the lowering that failed, for bug reports.
func where() string {
	for _, line := range strings.Split(string(debug.Stack()), "\n") {
		if i := strings.Index(line, "frontend/golang/"); i >= 0 && !strings.Contains(line, "program.go") {
			s, _, _ := strings.Cut(line[i:], " ")
			return " at " + s
		}
	}
	return ""
}

// orGiveUp is deferred: a function that cannot be lowered to its end is unknown.
func (l *lowering) orGiveUp(f *ir.Func) {
	switch r := recover().(type) {
	case nil:
	case irgen.Unsupported:
		l.giveUp(f, r.At, r.Reason)
	default:
		panic(r)
	}
}

func (l *lowering) giveUp(f *ir.Func, at ir.Pos, reason string) {
	f.Extern, f.Unknown, f.Blocks, f.Regs = false, reason, nil, nil
	l.p.Assume("unknown-function", at, "function %s is not understood: %s", f.Name, reason)
}

// Unique makes a function name that is not taken.
func (l *lowering) Unique(name string) string {
	s := name
	for n := 2; l.taken[s]; n++ {
		s = fmt.Sprintf("%s#%d", name, n)
	}
	l.taken[s] = true
	return s
}

// global returns the IR variable of a package-level one.
func (l *lowering) global(g *ssa.Global) *ir.Global {
	if x := l.globals[g]; x != nil {
		return x
	}
	t := g.Type().(*types.Pointer).Elem()
	name := g.Name()
	if g.Pkg.Pkg != l.First {
		name = g.Pkg.Pkg.Name() + "." + name
	}
	x := l.NewGlobal(name, l.lay.Of(t).Mem, l.Pos(g.Pos()))
	x.Extern = !l.Own[g.Pkg.Pkg]
	if x.Extern || l.LibraryMode && g.Object() != nil && g.Object().Exported() {
		l.setOutside[x] = true
	}
	l.globals[g] = x
	return x
}

func (l *lowering) NewGlobal(name string, t ir.Type, at ir.Pos) *ir.Global {
	l.gnames[name]++
	if n := l.gnames[name]; n > 1 {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	x := &ir.Global{Name: name, Type: t, Pos: at}
	l.p.Globals = append(l.p.Globals, x)
	return x
}

// text numbers a constant that is not an integer: equal texts have equal numbers.
func (l *lowering) text(s string) ir.Expr {
	n, ok := l.precise.Texts[s]
	if !ok {
		n = int64(len(l.precise.Texts)) + 1
		if s == `""` || s == "0" {
			n = 0
		} else if m, ok := l.precise.MadeNumber(s); ok {
			n = m
		}
		l.precise.Texts[s] = n
	}
	return ir.IntConst(irgen.OpaqueT, n)
}

// finish sorts what order of lowering made.
func (l *lowering) finish() {
	for i := range l.box.Fields {
		if l.box.Fields[i].Type == nil { // a type that is only asked for
			l.box.Fields[i] = ir.Field{Name: fmt.Sprintf("__%d", i+1), Type: ir.U8, Offset: l.box.Bytes, Const: true}
			l.box.Bytes += 8
		}
	}
	l.box.Bytes = max(l.box.Bytes, 8)
	l.p.Structs = l.lay.Structs
	sort.SliceStable(l.p.Funcs, func(i, j int) bool { return l.p.Funcs[i].Pos.Less(l.p.Funcs[j].Pos) })
	l.p.Assume("type-safe", ir.Pos{}, "code outside the program knows no other objects than it was given, gives no bytes from within objects of libraries, does not change unexported fields or what is in an interface, copies no value that holds a lock, and orders what it does to values of its own types, and what it reads of a library's by pointers to variables, maps in maps, interfaces and channels")
	if l.unwinding == nil {
		l.p.Assume("panics", ir.Pos{}, "a panic that the runtime raises (at a nil pointer, at an index) ends the program; what deferred functions do then is not followed")
	}
}

// packageAssumptions notes what a package does that is not followed.
func (l *lowering) packageAssumptions(p program.Package) {
	for _, path := range p.Imports() {
		switch path {
		case "unsafe", "reflect", "C":
			l.lay.Unsafe = l.lay.Unsafe || path == "unsafe" && p.SSA.Pkg.Name() == "main"
			l.p.Assume(path, ir.Pos{File: l.Pos(p.Start()).File}, "package %s uses %s: what it does to memory that way is not followed", p.SSA.Pkg.Name(), path)
		}
	}
	sort.SliceStable(l.p.Assumptions, func(i, j int) bool { return l.p.Assumptions[i].Text < l.p.Assumptions[j].Text })
}
