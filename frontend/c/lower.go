package c

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// program is the state of lowering all units of one program.
type program struct {
	p       *ir.Program
	types   *Types
	m       *models.Set
	opts    Options
	globals map[string]*ir.Global // external linkage
	funcs   map[string]*ir.Func
	names   map[string]int // how often a name of internal linkage was used
	strings int
	warned  map[string]bool
	keys    map[int]string // of those of p.Assumptions that are said once, whoever has them
	said    []saying
	// by name, of labels whose address is taken: the addresses, in whatever function
	labelIDs map[string]int64
	ends     scopeFacts // of variables of blocks
	inline   map[*ir.Func]bool
	locks    []ir.Instr // initialisations of locks that are not of the default kind
	// forwarded are the accesses to the caller's variadic arguments; variadic: some call
	// passes pointers so.
	forwarded []ir.Instr
	variadic  bool
	units     []*Unit
	// mostArguments is how many variadic arguments a call passes at most.
	mostArguments int
	// environment are the places of calls that work on the environment.
	environment []ir.Pos
	life        lifetime
	managed     managed
	ending      ending
	futexes     []futexCall
	numbers     []answer
	// shared: processes may share memory; forks are what stands for the other ones.
	shared bool
	forks  []ir.Instr
	// later is what the library does later; environs are accesses to the variable
	// environ.
	later, environs []ir.Instr
	// private are the structs that follow those of a type which code not seen allocates,
	// ended the types of the objects that an instruction frees (owned.go).
	private map[*ir.Struct][]*ir.Struct
	ended   map[ir.Instr]*ir.Struct
	// anew are the kinds of handlers that some call may set up anew (registers.go).
	anew []string
	// tableCalls are the calls of functions in constant tables (apicalls.go).
	tableCalls []tableCall
}

// unit is the state of lowering one unit: what has internal linkage there.
type unit struct {
	*program
	u       *Unit
	globals map[string]*ir.Global
	funcs   map[string]*ir.Func
	hooks   []namedHook
}

// Lower links the units and turns every function into IR. A function that cannot be
// lowered is kept without a body, with the reason in Func.Unknown; it is an assumption of
// the program.
func Lower(units []*Unit, types *Types, m *models.Set, opts Options) (*ir.Program, error) {
	pr := &program{p: &ir.Program{}, types: types, m: m, opts: opts, globals: map[string]*ir.Global{}, funcs: map[string]*ir.Func{},
		names: map[string]int{}, warned: map[string]bool{}, keys: map[int]string{}, ends: newScopeFacts(), labelIDs: map[string]int64{}, inline: map[*ir.Func]bool{}}
	if len(units) > 0 {
		pr.p.Name = units[0].Path
	}
	var us []*unit
	pr.units = units
	for _, u := range units {
		pr.ending.note(u.text)
		x := &unit{program: pr, u: u, globals: map[string]*ir.Global{}, funcs: map[string]*ir.Func{}}
		us = append(us, x)
		x.declare()
		pr.p.Assumptions = append(pr.p.Assumptions, u.Assumptions...)
	}
	for _, x := range us {
		x.secondNames()
	}
	for _, x := range us {
		x.findHooks()
	}
	for _, x := range us {
		x.initGlobals()
		x.bodies(false)
	}
	for _, x := range us {
		x.bodies(true)
	}
	pr.allocators()
	pr.keepHandlers()
	pr.lifetimes()
	pr.laterOnly()
	pr.threadsOver()
	pr.namedFutexes()
	pr.dropAnswers()
	pr.processes()
	pr.dropEnvirons()
	pr.signalFlags()
	pr.initLocks()
	pr.forward()
	pr.endScopes()
	pr.separate()
	pr.dropUnused()
	pr.privateParts()
	pr.devres()
	pr.setUpAnew()
	pr.emptyTables()
	pr.sharedEnvironment()
	if main := pr.funcs["main"]; (main == nil || main.Extern) && !opts.IgnoreExterns && slices.ContainsFunc(units, func(u *Unit) bool { return u.core }) {
		pr.standIns()
	}
	if types.narrow {
		narrowStores(pr.p)
	}
	pr.p.Structs = types.Structs()
	if pr.ending.head != nil {
		pr.p.Structs = append(pr.p.Structs, pr.ending.node)
	}
	if pr.life.registers != [2]bool{} || len(pr.life.destructors) > 0 {
		pr.p.Structs = append(pr.p.Structs, pr.exitNode())
	}
	return pr.p, nil
}

// sharedEnvironment notes that functions that work on the environment work on what the
// variable environ leads to.
func (pr *program) sharedEnvironment() {
	if len(pr.environment) > 0 && slices.ContainsFunc(pr.p.Globals, func(g *ir.Global) bool { return g.Extern && (g.Name == "environ" || g.Name == "__environ") }) {
		pr.p.Assume("unmodelled", pr.environment[0], "the environment that a function of the library looks at, or changes, is not the one in the variable environ")
	}
}

// separate renames what has internal linkage and the name of something external of a unit
// that came later.
func (pr *program) separate() {
	taken := map[string]bool{}
	for _, f := range pr.p.Funcs {
		taken[f.Name] = true
	}
	for _, g := range pr.p.Globals {
		taken[g.Name] = true
	}
	fresh := func(name string) string {
		for n := 2; ; n++ {
			if s := fmt.Sprintf("%s#%d", name, n); !taken[s] {
				taken[s] = true
				return s
			}
		}
	}
	external := func(name string) bool { return pr.funcs[name] != nil || pr.globals[name] != nil }
	for _, f := range pr.p.Funcs {
		if external(f.Name) && pr.funcs[f.Name] != f {
			f.Name = fresh(f.Name)
		}
	}
	for _, g := range pr.p.Globals {
		if external(g.Name) && pr.globals[g.Name] != g {
			g.Name = fresh(g.Name)
		}
	}
}

// quiet are the operations of functions that may be called through pointers as any that
// is not seen.
var quiet = map[models.Op]bool{models.OpPure: true, models.OpEffects: true, models.OpNondet: true, models.OpIdentity: true, models.OpAlloc: true,
	models.OpFree: true, models.OpRealloc: true, models.OpMemCopy: true, models.OpMemSet: true}

// readByName are functions of headers that nothing calls, and that say something by being
// there (see frontend/entry).
var readByName = []string{"__inittest", "__exittest"}

// dropUnused removes what nothing refers to: headers declare hundreds of functions, and
// define thousands of static inline ones.
func (pr *program) dropUnused() {
	used, first := map[any]bool{}, map[*ir.Func]ir.Pos{}
	var work []*ir.Func
	note := func(e ir.Expr, at ir.Pos) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			switch x := e.(type) {
			case ir.FuncAddr:
				if p, ok := first[x.Func]; !ok || at.Less(p) {
					first[x.Func] = at
				}
				if !used[x.Func] {
					used[x.Func] = true
					work = append(work, x.Func)
				}
			case ir.GlobalAddr:
				used[x.Global] = true
			}
			return true
		})
	}
	for _, g := range pr.p.Globals {
		for _, c := range g.Init {
			note(c.Value, c.Pos)
		}
	}
	for _, f := range pr.p.Funcs {
		if !f.Extern && (!pr.inline[f] || slices.Contains(readByName, f.Name)) && !used[f] {
			used[f] = true
			work = append(work, f)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range ir.Operands(in) {
					note(e, in.At())
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				note(e, b.Term.At())
			}
		}
	}
	pr.p.Funcs = slices.DeleteFunc(pr.p.Funcs, func(f *ir.Func) bool { return !used[f] })
	for _, s := range pr.said {
		if used[s.fn] && (s.key == "" || !pr.warned[s.key]) {
			pr.warned[s.key] = true
			pr.p.Assumptions = append(pr.p.Assumptions, s.a)
		}
	}
	for _, f := range pr.p.Funcs {
		// lowering has replaced the calls by name
		switch m := pr.m.Func(f.Name); {
		case !f.Extern:
		case m == nil:
			pr.throughPointers(f, first[f])
		case !quiet[m.Op]:
			f.Extern, f.Unknown = false, "the address of a function that the models describe is taken"
		}
	}
	pr.p.Globals = slices.DeleteFunc(pr.p.Globals, func(g *ir.Global) bool { return g.Extern && !used[g] })
}

// each calls f for the external declarations of the file and its headers, in order.
func (u *unit) each(f func(*cc.ExternalDeclaration)) {
	for tu := u.u.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		f(tu.ExternalDeclaration)
	}
}

// declare enters all functions and globals of a unit.
func (u *unit) declare() {
	u.each(func(d *cc.ExternalDeclaration) {
		u.outsideMain(d)
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			u.declareFunc(d.FunctionDefinition.Declarator, true)
		case cc.ExternalDeclarationDecl:
			for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				u.declareGlobal(l.InitDeclarator.Declarator, l.InitDeclarator.Initializer != nil)
			}
		}
	})
	for _, d := range u.u.Degraded {
		if f := u.function(d.Name); f != nil {
			u.giveUp(f, d.Pos, d.Reason)
		}
	}
}

func (u *unit) giveUp(f *ir.Func, at ir.Pos, reason string) {
	f.Extern, f.Unknown, f.Blocks, f.Regs = false, reason, nil, nil
	u.p.Assume("unknown-function", at, "function %s is not understood: %s", f.Name, reason)
}

func (u *unit) function(name string) *ir.Func {
	if f := u.funcs[name]; f != nil {
		return f
	}
	return u.program.funcs[name]
}

func (u *unit) global(name string) *ir.Global {
	if g := u.globals[name]; g != nil {
		return g
	}
	return u.program.globals[name]
}

// unique returns a program-wide name for something of internal linkage.
func (pr *program) unique(name string) string {
	pr.names[name]++
	if n := pr.names[name]; n > 1 {
		return fmt.Sprintf("%s#%d", name, n)
	}
	return name
}

func (u *unit) declareFunc(d *cc.Declarator, def bool) *ir.Func {
	name := d.Name()
	f := u.function(name)
	static := d.IsStatic() && def
	if f == nil || (static && u.funcs[name] == nil) {
		f = &ir.Func{Name: name, Extern: true, Pos: pos(d.Position())}
		if static || d.IsStatic() {
			f.Name = u.unique(name)
			u.funcs[name] = f
		} else {
			u.program.funcs[name] = f
		}
		u.p.Funcs = append(u.p.Funcs, f)
		u.signature(f, d.Type())
	}
	if def {
		f.Pos = pos(d.Position())
		if f.Extern {
			u.signature(f, d.Type()) // a declaration before may have left the parameters open
		}
		f.Extern = false
		// What the user's own file defines he may name as an entry point; in preprocessed
		// text that cannot be told from headers.
		u.inline[f] = d.IsStatic() && d.IsInline() && (f.Pos.File != u.u.Path || strings.HasSuffix(u.u.Path, ".i"))
	}
	return f
}

// signature gives f its result type and parameters. Struct results are returned through a
// hidden first parameter, struct parameters are passed by the address of a copy.
func (u *unit) signature(f *ir.Func, ct cc.Type) {
	ft, ok := ct.(*cc.FunctionType)
	if !ok {
		f.Result = ir.I32
		return
	}
	f.Variadic = ft.IsVariadic()
	f.Result = u.types.Type(ft.Result())
	f.Params = nil
	if isStruct(ft.Result()) {
		f.Params = append(f.Params, &ir.Reg{Name: "$result", Type: u.types.ptr(f.Result)})
		f.Result = ir.Void{}
	}
	for i, p := range ft.Parameters() {
		t := p.Type().Decay()
		if t.Kind() == cc.Void {
			continue
		}
		it := u.types.Type(t)
		if isStruct(t) {
			it = u.types.ptr(it)
		}
		name := p.Name()
		if name == "" {
			name = fmt.Sprintf("$%d", i)
		}
		f.Params = append(f.Params, &ir.Reg{Name: name, Type: it})
	}
	if variadic(ft) {
		f.Params = append(f.Params, &ir.Reg{Name: "$variadic", Type: ir.Ptr{Elem: u.types.slotType()}})
	}
}

func isStruct(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

func (u *unit) declareGlobal(d *cc.Declarator, init bool) {
	if d == nil || d.IsTypename() {
		return
	}
	if d.Type().Kind() == cc.Function {
		u.declareFunc(d, false)
		return
	}
	name := d.Name()
	g := u.global(name)
	if g == nil || (d.IsStatic() && u.globals[name] == nil) {
		g = &ir.Global{Name: name, Pos: pos(d.Position()), Extern: true, ThreadLocal: d.IsThreadLocal() || d.IsRegister()}
		if d.IsStatic() {
			g.Name, g.Static = u.unique(name), true
			u.globals[name] = g
		} else {
			u.program.globals[name] = g
		}
		u.p.Globals = append(u.p.Globals, g)
	}
	t := u.types.Type(d.Type())
	if g.Type == nil || t.Size() > g.Type.Size() {
		g.Type = t
	}
	g.Const = constObject(d)
	if init || !d.IsExtern() {
		g.Extern = false
		g.Pos = pos(d.Position())
	}
}

// initGlobals lowers the initialisers of file-scope variables.
func (u *unit) initGlobals() {
	u.each(func(d *cc.ExternalDeclaration) {
		if d.Case != cc.ExternalDeclarationDecl {
			return
		}
		for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			in := l.InitDeclarator
			if in.Initializer == nil || in.Declarator.IsTypename() {
				continue
			}
			if g := u.global(in.Declarator.Name()); g != nil {
				u.initGlobal(g, in.Declarator.Type(), in.Initializer)
			}
		}
	})
}

// bodies lowers every function definition. bodies lowers the definitions of the file that
// are weak, or those that are not: a weak one counts where no other file has another.
func (u *unit) bodies(weak bool) {
	var named map[string]bool
	if len(u.units) > 1 {
		named = u.weak()
	}
	u.each(func(d *cc.ExternalDeclaration) {
		if d.Case != cc.ExternalDeclarationFuncDef {
			return
		}
		def := d.FunctionDefinition
		if named[def.Declarator.Name()] != weak {
			return
		}
		if f := u.function(def.Declarator.Name()); f != nil && f.Unknown == "" && len(f.Blocks) == 0 {
			u.body(f, def)
		}
	})
}

// weakAttr finds the attribute of functions that others of their name replace.
var weakAttr = regexp.MustCompile(`\bweak(__)?\b`)

// weak are the names of functions that the file declares to be weak.
func (u *unit) weak() map[string]bool {
	out := map[string]bool{}
	for _, m := range weakPragma.FindAllSubmatch(u.u.text, -1) {
		out[string(m[1])] = true
	}
	if !weakAttr.Match(u.u.text) {
		return out
	}
	u.each(func(d *cc.ExternalDeclaration) {
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			if def := d.FunctionDefinition; weakAttr.MatchString(cc.NodeSource(def.DeclarationSpecifiers)) || weakAttr.MatchString(cc.NodeSource(def.Declarator)) {
				out[def.Declarator.Name()] = true
			}
		case cc.ExternalDeclarationDecl:
			if !weakAttr.MatchString(cc.NodeSource(d.Declaration)) {
				return
			}
			for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				out[l.InitDeclarator.Declarator.Name()] = true
			}
		}
	})
	return out
}

// weakPragma finds #pragma weak.
var weakPragma = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+weak[ \t]+(\w+)`)

// unsupported is the panic by which lowering a function gives up.
type unsupported struct {
	at     ir.Pos
	reason string
}

// saying is an assumption that the lowering of a function makes; those with the same key
// are said once.
type saying struct {
	fn  *ir.Func
	key string
	a   ir.Assumption
}

// keepApart moves the assumptions that are made from now on to those of a function, until
// the function that it returns is called: they count where the function is used.
func (pr *program) keepApart(f *ir.Func) (done func()) {
	first, warned := len(pr.p.Assumptions), pr.warned
	pr.warned = map[string]bool{}
	return func() {
		for i, a := range pr.p.Assumptions[first:] {
			pr.said = append(pr.said, saying{f, pr.keys[first+i], a})
			delete(pr.keys, first+i)
		}
		pr.p.Assumptions, pr.warned = pr.p.Assumptions[:first], warned
	}
}

// body lowers one definition; what it cannot do makes the function unknown.
func (u *unit) body(f *ir.Func, def *cc.FunctionDefinition) {
	defer u.keepApart(f)()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unsupported:
			u.giveUp(f, r.at, r.reason)
		default:
			u.giveUp(f, pos(def.Position()), fmt.Sprintf("lowering failed: %v%s", r, where()))
		}
	}()
	u.signature(f, def.Declarator.Type())
	l := &lowerer{unit: u, f: f, name: f.Name, locals: map[*cc.Declarator]local{}, byName: nil, labels: map[string]*ir.Block{}, used: map[string]int{}, dead: map[*ir.Block]bool{}}
	l.function(def)
}

// where is the place in the lowering that failed, for bug reports.
func where() string {
	for _, line := range strings.Split(string(debug.Stack()), "\n") {
		if i := strings.Index(line, "frontend/c/"); i >= 0 && !strings.Contains(line, "lower.go") {
			s, _, _ := strings.Cut(line[i:], " ")
			return " at " + s
		}
	}
	return ""
}
