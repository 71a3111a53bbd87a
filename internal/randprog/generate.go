package randprog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"whoop/ir"
)

// Generate makes the random program of a seed: equal for equal arguments, and valid.
// Every instruction and terminator has a line of its own as its position.
func Generate(seed uint64, cfg Config) *ir.Program {
	src := text(seed, cfg)
	p, err := ir.Parse("random.wir", []byte(src))
	if err == nil {
		prune(p)
		err = ir.Validate(p)
	}
	if err != nil {
		panic(fmt.Sprintf("randprog: seed %d: %v\n%s", seed, err, src))
	}
	return p
}

// prune drops the globals and registers that nothing uses.
func prune(p *ir.Program) {
	used := map[any]bool{}
	use := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			switch e := e.(type) {
			case ir.Use:
				used[e.Reg] = true
			case ir.GlobalAddr:
				used[e.Global] = true
			}
			return true
		})
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, r := range ir.Defs(in) {
					used[r] = true
				}
				for _, e := range ir.Operands(in) {
					use(e)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				use(e)
			}
		}
	}
	for _, f := range p.Funcs {
		f.Regs = slices.DeleteFunc(f.Regs, func(r *ir.Reg) bool { return !used[r] })
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			if used[g] {
				use(c.Value)
			}
		}
	}
	p.Globals = slices.DeleteFunc(p.Globals, func(g *ir.Global) bool { return !used[g] })
}

// text returns the text of the random program of a seed.
func text(seed uint64, cfg Config) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x77686f6f70)), cfg: cfg, at: 1, b: &strings.Builder{}}
	if g.cfg.Size == 0 {
		g.cfg.Size = DefaultSize
	}
	if g.cfg.Workers == 0 {
		g.cfg.Workers = 1 + g.IntN(2)
	}
	g.palette()
	fmt.Fprintf(g.b, "program \"random %d\"\n", seed)
	g.b.WriteString(declarations)
	g.globals()
	if g.cfg.Without&Calls == 0 {
		g.b.WriteString(helpers)
		if g.has(Mutexes) {
			g.b.WriteString(under)
		}
	}
	if g.has(Onces) {
		g.b.WriteString(onces)
	}
	g.threads()
	return g.b.String()
}

// declarations are in every program.
const declarations = `
struct node size 16 {
  lock: u32 @0
  n: i32 @4
  next: *struct("node") @8
}
global x: i32
global y: i32
global arr: [2]i32
global s: struct("node")
global hp: *struct("node")
global flag: i32
global m0: u32
global m1: u32
global ms: [2]u32
global pm: *u32 = { 0: *u32 = &m0 }
global c: opaque("cond", 8)
global o: u64
global bar: opaque("barrier", 8)
global mr: u32
`

// helpers are the functions that threads call.
const helpers = `
func inc(a: *i32) void {
  reg v: i32
entry:
  v := load plain a                   @"random.c":1001
  store plain a, add(v, i32 1)        @1002
  return                              @1003
}
func get(a: *i32) i32 {
  reg v: i32
entry:
  v := load plain a                   @1004
  return v                            @1005
}
func twice(a: *i32) void {
  reg v: i32
entry:
  v := load plain a                   @1010
  store plain a, mul(v, i32 2)        @1011
  return                              @1012
}
`

// under is called where there are mutexes.
const under = `
func under(m: *u32, a: *i32, k: i32) void {
entry:
  lock exclusive mutex m              @1006
  store plain a, k                    @1007
  unlock exclusive mutex m            @1008
  return                              @1009
}
`

// onces are the functions of once controls: the last one is for programs with a
// discipline.
const onces = `
func setup() void {
  reg v: i32
entry:
  v := load plain &x                  @1021
  store plain &x, add(v, i32 1)       @1022
  return                              @1023
}
func nothing() void {
entry:
  return                              @1024
}
func mark() void {
entry:
  store seq_cst &y, i32 1             @1025
  return                              @1026
}
`

// cell is a shared integer: a global's address, or one that setup loads into a register.
type cell struct{ setup, addr string }

// generator writes one program.
type generator struct {
	*rand.Rand
	cfg        Config
	b          *strings.Builder
	at         int // the line of the next instruction
	labels     int
	left       int // visible operations that the thread may still have
	depth      int // of statements in statements
	kept       int // registers of the function that keep lock addresses
	cells      []cell
	locks      []cell
	discipline discipline
	held       [2]bool // the locks held here
	section    bool    // inside an atomic section
	abba       bool    // the threads begin with two locks, in different orders
	begin      int     // the lock that the next thread begins with
	misuse     bool    // locks may be used wrongly
	barrier    bool    // there is a barrier, made by main
	param      bool    // the function has a parameter, a pointer to a cell
}

func (g *generator) has(f Features) bool { return g.cfg.Without&f == 0 }

// one returns true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, xs ...T) T { return xs[g.IntN(len(xs))] }

// palette chooses the few cells and locks that all threads of the program use, so that
// they meet.
func (g *generator) palette() {
	cells := []cell{{addr: "&x"}, {addr: "&x"}, {addr: "&y"}}
	if g.has(Arrays) {
		cells = append(cells, cell{addr: "index(&arr, i32 0, 4, *i32)"}, cell{addr: "index(&arr, and(r, i32 1), 4, *i32)"})
	}
	if g.has(Pointers) {
		cells = append(cells, cell{"p := load plain &px", "p"}, cell{addr: "a"})
	}
	if g.has(Structs) {
		cells = append(cells, cell{addr: `field(&s, "node", n)`})
	}
	for range 1 + g.IntN(2) {
		g.cells = append(g.cells, pick(g, cells...))
	}
	locks := []cell{{addr: "&m0"}, {addr: "&m1"}}
	if g.has(LockPlaces) {
		locks = append(locks, cell{addr: "index(&ms, i32 0, 4, *u32)"}, cell{addr: "index(&ms, and(r, i32 1), 4, *u32)"},
			cell{"l := load plain &pm", "l"}, cell{addr: `field(&s, "node", lock)`})
	}
	i := g.IntN(len(locks))
	g.locks = []cell{locks[i], locks[(i+1+g.IntN(len(locks)-1))%len(locks)]}
	g.discipline = g.choose()
	g.abba = g.has(Mutexes) && g.one(10)
	g.misuse = g.has(Misuse) && g.one(6)
	g.barrier = g.has(Barriers) && g.one(10)
}

// discipline is how all threads of a program access the cells; so there are programs
// without races.
type discipline int

const (
	anyhow    discipline = iota
	byLock               // under the first lock
	bySection            // in atomic sections
	byAtomics            // by atomic instructions
)

// choose chooses a discipline.
func (g *generator) choose() discipline {
	switch n := g.IntN(12); {
	case n < 4 && g.has(Mutexes):
		return byLock
	case n == 5 && g.has(AtomicSections):
		return bySection
	case n < 8 && g.has(Atomics):
		return byAtomics
	}
	return anyhow
}

// globals writes those whose initial values vary.
func (g *generator) globals() {
	fmt.Fprintf(g.b, "global px: *i32 = { 0: *i32 = %s }\n", pick(g, "&x", "&y", "&x", "index(&arr, i32 1, 4, *i32)"))
	fmt.Fprintf(g.b, "global sem: opaque(\"sem\", 8)\n")
}

// line writes an instruction.
func (g *generator) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(g.b, "  %-50s @\"random.c\":%d\n", text, g.at)
	g.at++
}

// visible writes an instruction that others may notice.
func (g *generator) visible(format string, args ...any) {
	g.line(format, args...)
	g.left--
}

func (g *generator) label(l string) { fmt.Fprintf(g.b, "%s:\n", l) }

func (g *generator) fresh() string {
	g.labels++
	return fmt.Sprintf("l%d", g.labels)
}

// threads writes the functions of the threads, main, and the entries.
func (g *generator) threads() {
	n := g.cfg.Workers
	same := n > 1 && g.one(4) // the threads run one function
	joins := pick(g, 0, 1, n, n, n)
	share := g.cfg.Size / (n + 1 + min(joins, 1))
	for k := range n {
		if k == 0 || !same {
			g.function(fmt.Sprintf("w%d(a: *i32) void", k), g.cfg.Size/(n+1)+1+g.IntN(2), func() { g.line("return") })
		}
	}
	g.function("main() i32", 0, func() {
		if g.one(6) {
			g.visible("seminit &sem, i32 %d", 1+g.IntN(2))
		}
		if g.barrier {
			g.visible("barrierinit &bar, i32 2")
		}
		for k := range n {
			w := k
			if same {
				w = 0
			}
			arg := pick(g, "&x", "&x", "&y", "index(&arr, i32 1, 4, *i32)")
			g.line("h%d, _ := spawn w%d(%s)", k, w, arg)
		}
		g.body(g.IntN(share + 1))
		for k := range joins {
			g.line("join h%d", k)
		}
		if joins == n || g.discipline == anyhow {
			g.finally()
		}
		g.line("return i32 0")
	})
	multi := ""
	if same {
		multi, n = "multi ", 1
	}
	for k := range n {
		fmt.Fprintf(g.b, "entry w%d kind \"thread\" %sspawned\n", k, multi)
	}
	g.b.WriteString("entry main kind \"main\"\n")
}

// finally is what main does after the others have ended: it checks a value.
func (g *generator) finally() {
	if !g.has(Asserts) || g.one(3) {
		return
	}
	c := pick(g, g.cells...)
	if c.addr == "a" {
		c.addr = "&x"
	}
	g.get(c)
	g.line("assert %s(r, i32 %d) tag end", pick(g, "ne", "le", "le", "ge"), g.IntN(3))
}

// function writes a function of a body of about so many visible operations, which end
// ends.
func (g *generator) function(head string, size int, end func()) {
	g.param, g.kept, g.held, g.section = strings.Contains(head, "(a:"), 0, [2]bool{}, false
	outer := g.b
	g.b = &strings.Builder{}
	g.line("r := i32 %d", g.IntN(2))
	g.body(size)
	end()
	text := g.b.String()
	g.b = outer
	fmt.Fprintf(g.b, "\nfunc %s {\n  reg r, k, w, j0, j1, j2: i32\n  reg ok, b: bool\n  reg p: *i32\n  reg l: *u32\n", head)
	fmt.Fprintf(g.b, "  reg q: *struct(\"node\")\n  reg h0, h1, h2, h3: u64\n")
	if g.cfg.Tails {
		g.b.WriteString("  reg z: u64\n")
	}
	for i := range g.kept {
		fmt.Fprintf(g.b, "  reg l%d: *u32\n", i+1)
	}
	g.b.WriteString("entry:\n" + text + "}\n")
}

// body writes statements of about so many visible operations.
func (g *generator) body(size int) {
	g.left = size
	if g.abba && size > 0 {
		g.nestedFrom(g.begin)
		g.begin = 1 - g.begin
	}
	for n := 0; g.left > 0 && n < 20; n++ {
		g.statement()
	}
}
