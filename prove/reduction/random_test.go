package reduction

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

var (
	programs = flag.Int("programs", testscope.Count(8, 60), "random programs")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "the first one's seed")
)

// generator writes programs of two or three threads with loops that add up, compare and
// copy, and a question about what comes out.
type generator struct {
	*rand.Rand
	strings.Builder
	lines int
}

func (g *generator) line(format string, args ...any) {
	g.lines++
	fmt.Fprintf(g, "  "+format+" @%d\n", append(args, g.lines)...)
}

func (g *generator) v() string { return fmt.Sprintf("&x%d", g.IntN(4)) }

// op is one thing that a loop does.
func (g *generator) op(kind int, x, y string, c int) {
	switch kind {
	case 0:
		g.line("r := rmw add seq_cst %s, i32 %d", x, c)
	case 1:
		g.line("atomic_begin")
		g.line("a := load plain %s", x)
		g.line("b := load plain %s", y)
		g.line("store plain %s, add(a, b)", x)
		g.line("atomic_end")
	case 2:
		g.line("a := load plain %s", x)
		g.line("store plain %s, add(a, i32 %d)", x, c)
	case 3:
		g.line("atomic_begin")
		g.line("a := load plain %s", x)
		g.line("assume gt(a, i32 0)")
		g.line("store plain %s, sub(a, i32 1)", x)
		g.line("atomic_end")
	case 4:
		g.line("lock exclusive mutex &m")
		g.line("a := load plain %s", x)
		g.line("store plain %s, add(a, i)", x)
		g.line("unlock exclusive mutex &m")
	case 5:
		g.line("a := load plain index(cast(*i32, &t), i, 4, *i32)")
		g.line("b := load plain %s", x)
		g.line("store plain %s, add(a, b)", x)
	case 6:
		g.line("a := load plain %s", x)
		g.line("store plain index(cast(*i32, &t), i, 4, *i32), a")
	case 7:
		g.line("atomic_begin")
		g.line("a := load plain %s", x)
		g.line("b := load plain %s", y)
		g.line("store plain %s, select(lt(a, b), b, a)", x)
		g.line("atomic_end")
	case 8: // as of a queue that x numbers were put into, and y taken from
		g.line("atomic_begin")
		g.line("a := load plain %s", x)
		g.line("b := load plain %s", y)
		g.line("assume lt(b, a)")
		g.line("store plain %s, add(b, i32 1)", y)
		g.line("atomic_end")
	case 9:
		g.line("atomic_begin")
		g.line("a := load plain %s", x)
		g.line("assume lt(a, i32 3)")
		g.line("store plain %s, add(a, i32 1)", x)
		g.line("atomic_end")
	case 10: // the end of the program, in a section or not
		section := c == 1
		if section {
			g.line("atomic_begin")
		}
		g.line("a := load plain %s", x)
		g.line("store plain %s, add(a, i32 1)", y)
		n := g.lines
		g.line("if lt(a, i32 %d) then ok%d else gone%d", c, n, n)
		fmt.Fprintf(g, "gone%d:\n", n)
		g.line("stop abort")
		fmt.Fprintf(g, "ok%d:\n", n)
		if section {
			g.line("atomic_end")
		}
	case 11: // a flag that is turned
		g.line("atomic_begin")
		g.line("e := load plain &f")
		g.line("store plain &f, sub(u8 1, e)")
		g.line("a := load plain %s", x)
		g.line("store plain %s, add(a, select(eq(e, u8 0), i32 %d, i32 -%d))", x, c, c)
		g.line("atomic_end")
	}
}

const ops = 12

func generate(s uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(s, 0x6c6f636b))}
	fmt.Fprintf(g, "program \"lockstep %d\"\nglobal m: opaque(\"mutex\", 8)\nglobal n: i32\nglobal f: u8\nglobal t: [4]i32\n", s)
	for i := range 4 {
		init := ""
		if g.IntN(3) == 0 {
			init = fmt.Sprintf(" = { 0 = i32 %d }", g.IntN(3))
		}
		fmt.Fprintf(g, "global x%d: i32%s\n", i, init)
	}
	threads := 2 + g.IntN(2)/(1+g.IntN(2))
	type action struct {
		kind, c int
		x, y    string
	}
	var last []action
	for k := range threads {
		var as []action
		if k > 0 && g.IntN(2) == 0 { // the same as the thread before, of another variable
			for _, a := range last {
				a.x = fmt.Sprintf("&x%d", k)
				as = append(as, a)
			}
		} else {
			for range 1 + g.IntN(2) {
				as = append(as, action{g.IntN(ops), 1 + g.IntN(2), fmt.Sprintf("&x%d", []int{k, k, g.IntN(4)}[g.IntN(3)]), g.v()})
			}
		}
		last = as
		fmt.Fprintf(g, "func w%d() void {\n  reg i: i32\n  reg k: i32\n  reg r: i32\n  reg a: i32\n  reg b: i32\n  reg e: u8\nentry:\n", k)
		g.line("i := i32 0")
		g.line("goto head")
		fmt.Fprint(g, "head:\n")
		g.line("k := load plain &n")
		g.line("if lt(i, k) then body else end")
		fmt.Fprint(g, "body:\n")
		for _, a := range as {
			g.op(a.kind, a.x, a.y, a.c)
		}
		g.line("i := add(i, i32 1)")
		g.line("goto head")
		fmt.Fprint(g, "end:\n")
		if g.IntN(3) == 0 {
			g.op(g.IntN(5), g.v(), g.v(), 1)
		}
		g.line("return")
		fmt.Fprint(g, "}\n")
	}
	fmt.Fprint(g, "func main() i32 {\n  reg h0: u64\n  reg h1: u64\n  reg h2: u64\n  reg a: i32\n  reg b: i32\n  reg c: i32\n  reg d: i32\nentry:\n")
	g.line("goto none, one, two")
	for i, b := range []string{"none", "one", "two"} {
		fmt.Fprintf(g, "%s:\n", b)
		g.line("store plain &n, i32 %d", i)
		g.line("goto start")
	}
	fmt.Fprint(g, "start:\n")
	for k := range threads {
		g.line("h%d, _ := spawn w%d()", k, k)
	}
	for k := range threads {
		if g.IntN(8) > 0 {
			g.line("join h%d", k)
		}
	}
	for i, r := range []string{"a", "b", "c", "d"} {
		if r == "d" {
			g.line("%s := load plain &n", r)
			continue
		}
		g.line("%s := load plain &x%d", r, i)
	}
	g.line("assert %s tag assert", []string{"eq(a, b)", "eq(a, add(b, c))", "le(a, add(d, i32 2))", "ge(a, i32 0)", "eq(sub(a, b), i32 1)", "eq(a, d)", "ge(a, b)", "eq(add(a, b), d)", "eq(a, mul(i32 2, d))"}[g.IntN(9)])
	g.line("return i32 0")
	fmt.Fprint(g, "}\nentry main kind \"main\"\n")
	for k := range threads {
		fmt.Fprintf(g, "entry w%d kind \"thread\" spawned\n", k)
	}
	return g.String()
}

// limited is a solver that gives up after much work of its own and of others.
type limited struct {
	bv.Solver
	work *uint64
}

func (l *limited) Check(assumptions ...*bv.Term) (bool, error) {
	if *l.work > 15_000_000 {
		return false, errTooLarge
	}
	before := l.Work()
	sat, err := l.Solver.Check(assumptions...)
	*l.work += l.Work() - before
	return sat, err
}

// TestRandom: no execution of a program that is proved violates its assertion.
func TestRandom(t *testing.T) {
	proved, failing, others, unknown := 0, 0, 0, 0
	for s := *seed; s < *seed+uint64(*programs) && !t.Failed(); s++ {
		src := generate(s)
		p, err := ir.Parse("p.wir", []byte(src))
		if err == nil {
			err = ir.Validate(p)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		work := uint64(0)
		r, err := Prove(context.Background(), p, Options{Solver: func() (bv.Solver, error) {
			z, err := z3.NewBits(z3.BitOptions{})
			return &limited{z, &work}, err
		}})
		if err != nil {
			unknown++
			if !strings.Contains(err.Error(), "too large") {
				t.Log(s, err)
			}
			continue
		}
		m, err := interp.Compile(p, interp.Config{Quiet: 300})
		if err != nil {
			t.Fatal(err)
		}
		all, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: -1, Cache: true, MaxStates: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		fails := false
		for _, f := range all.Findings {
			fails = fails || f.Err != nil && f.Err.Kind == interp.ErrAssert
		}
		switch {
		case fails && r.Proved:
			t.Errorf("seed %d: the assertion fails, and was proved (%s)\n%s", s, r.Order, src)
		case fails:
			failing++
		case r.Proved:
			proved++
		default:
			others++
		}
	}
	t.Logf("%d programs in which the assertion fails, %d proved, %d others; %d not followed", failing, proved, others, unknown)
}
