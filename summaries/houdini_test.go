package summaries_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/smt"
	"whoop/smt/vcgen"
	"whoop/smt/z3"
	"whoop/summaries"
)

// body builds a procedure by hand: a chain or graph of blocks over two ghosts.
type body struct {
	f *ir.Func
}

func (b *body) block(name string, ins ...ir.Instr) *ir.Block {
	blk := &ir.Block{Name: name, Instrs: ins}
	b.f.Blocks = append(b.f.Blocks, blk)
	return blk
}

func ghost(name string) *ir.Reg { return &ir.Reg{Name: name, Type: ir.Bool{}, Ghost: true} }

func set(r *ir.Reg, v ir.Expr) *ir.Assign { return &ir.Assign{Dst: r, X: v} }

func holds(t *testing.T, f *ir.Func, n int, o vcgen.Options) map[int]bool {
	t.Helper()
	b, dumped := smt.NewBuilder(), scripts{}
	vc, err := vcgen.Generate(b, f, o)
	if err != nil {
		t.Fatal(err)
	}
	res, err := summaries.Houdini(context.Background(), []*summaries.Proc{{Name: f.Name, B: b, VC: vc}}, n,
		summaries.Options{Solvers: solvers(t), Dump: dumped.add})
	if err != nil {
		t.Fatal(err)
	}
	dumped.check(t, res.Queries)
	return res.Holds
}

// scripts are the queries of a run by name.
type scripts map[string]string

func (d scripts) add(name, script string) error {
	d[name] = script
	return nil
}

// check holds the scripts against what other solvers can read: standard commands, with
// the answer as the status.
func (d scripts) check(t *testing.T, queries int) {
	t.Helper()
	if len(d) != queries {
		t.Errorf("%d scripts of %d queries", len(d), queries)
	}
	for name, s := range d {
		if !script.MatchString(s) || strings.Contains(s, "model") {
			t.Errorf("%s is not a script with its answer:\n%s", name, s)
		}
	}
}

var script = regexp.MustCompile(`(?s)^\(set-info :status (sat|unsat)\)\n\(set-logic ALL\)\n(.*\n)?\(check-sat\)\n$`)

// A lock taken before a loop and held in it, and one taken only on some rounds.
func TestLoopInvariant(t *testing.T) {
	m, k := ghost("m"), ghost("k")
	b := &body{&ir.Func{Name: "f", Result: ir.Void{}}}
	ret := &ir.Return{}
	entry := b.block("entry", set(m, ir.BoolConst(true)))
	head := b.block("head")
	in := &ir.Assert{Cond: ir.Use{Reg: m}}
	ik := &ir.Assert{Cond: ir.Use{Reg: k}}
	loop := b.block("loop", in, ik, set(k, ir.BoolConst(true)))
	exit := b.block("exit")
	entry.Term = &ir.Goto{Targets: []*ir.Block{head}}
	head.Term = &ir.Goto{Targets: []*ir.Block{loop, exit}}
	loop.Term = &ir.Goto{Targets: []*ir.Block{head}}
	exit.Term = ret
	got := holds(t, b.f, 5, vcgen.Options{
		Init:       map[*ir.Reg]ir.Expr{m: ir.BoolConst(false), k: ir.BoolConst(false)},
		Invariants: map[*ir.Block][]vcgen.Candidate{head: {{ID: 0, Cond: ir.Use{Reg: m}}, {ID: 1, Cond: ir.Use{Reg: k}}}},
		Asserts:    map[*ir.Assert]int{in: 2, ik: 3},
		Post:       []vcgen.Candidate{{ID: 4, Cond: ir.Use{Reg: m}}},
	})
	want := map[int]bool{0: true, 1: false, 2: true, 3: false, 4: true}
	for id, w := range want {
		if got[id] != w {
			t.Errorf("candidate %d: got %v, want %v", id, got[id], w)
		}
	}
}

// A try-lock protects only on the path where it worked.
func TestTryLockByResult(t *testing.T) {
	m := ghost("m")
	ok := &ir.Reg{Name: "ok", Type: ir.Bool{}}
	b := &body{&ir.Func{Name: "f", Result: ir.Void{}, Regs: []*ir.Reg{ok}}}
	yes := &ir.Assert{Cond: ir.Use{Reg: m}}
	no := &ir.Assert{Cond: ir.Use{Reg: m}}
	entry := b.block("entry", &ir.Havoc{Dst: ok}, set(m, ir.Binary{Op: "lor", X: ir.Use{Reg: m}, Y: ir.Use{Reg: ok}}))
	got, not := b.block("got", yes), b.block("not", no)
	entry.Term = &ir.Branch{Cond: ir.Use{Reg: ok}, Then: got, Else: not}
	got.Term, not.Term = &ir.Return{}, &ir.Return{}
	res := holds(t, b.f, 2, vcgen.Options{Init: map[*ir.Reg]ir.Expr{m: ir.BoolConst(false)}, Asserts: map[*ir.Assert]int{yes: 0, no: 1}})
	if !res[0] || res[1] {
		t.Errorf("got %v, want the first alone", res)
	}
}

// Arithmetic wraps: x+1 > x is not a theorem for 8-bit unsigned integers.
func TestWrapAround(t *testing.T) {
	x := &ir.Reg{Name: "x", Type: ir.U8}
	b := &body{&ir.Func{Name: "f", Result: ir.Void{}, Regs: []*ir.Reg{x}}}
	plus := ir.Binary{Op: "add", X: ir.Use{Reg: x}, Y: ir.IntConst(ir.U8, 1)}
	gt := &ir.Assert{Cond: ir.Binary{Op: "gt", X: plus, Y: ir.Use{Reg: x}}}
	same := &ir.Assert{Cond: ir.Binary{Op: "eq", X: plus, Y: plus}}
	e := b.block("entry", &ir.Havoc{Dst: x}, gt, same)
	e.Term = &ir.Return{}
	res := holds(t, b.f, 2, vcgen.Options{Asserts: map[*ir.Assert]int{gt: 0, same: 1}})
	if res[0] || !res[1] {
		t.Errorf("got %v, want the second alone", res)
	}
}

// A false invariant about a ghost that the loop does not change must be refuted at the
// loop's entry: it may not excuse itself by making the loop unreachable.
func TestFalseInvariantOfUnchangedGhost(t *testing.T) {
	m := ghost("m")
	b := &body{&ir.Func{Name: "f", Result: ir.Void{}}}
	entry := b.block("entry")
	head := b.block("head")
	in := &ir.Assert{Cond: ir.Use{Reg: m}}
	exit := b.block("exit", in)
	entry.Term = &ir.Goto{Targets: []*ir.Block{head}}
	head.Term = &ir.Goto{Targets: []*ir.Block{head, exit}}
	exit.Term = &ir.Return{}
	res := holds(t, b.f, 2, vcgen.Options{Init: map[*ir.Reg]ir.Expr{m: ir.BoolConst(false)},
		Invariants: map[*ir.Block][]vcgen.Candidate{head: {{ID: 0, Cond: ir.Use{Reg: m}}}}, Asserts: map[*ir.Assert]int{in: 1}})
	if res[0] || res[1] {
		t.Errorf("got %v, want nothing proved", res)
	}
}

// More procedures than solvers are kept for, each relying on the next: what the last
// refutes falls all along the chain, through solvers that were closed and opened again,
// and a chain that rests on something true stands.
func TestManyProcedures(t *testing.T) {
	const n = 60
	for _, last := range []bool{false, true} {
		var procs []*summaries.Proc
		for i := range n {
			b := smt.NewBuilder()
			x := b.Var("x", smt.Int)
			vc := &vcgen.VC{Axioms: []*smt.Term{b.Le(b.Num(0), x)}}
			wrong := b.Lt(x, b.Num(0)) // contradicts the axiom: only a closed solver that lost it would refute by this
			if i == n-1 {
				wrong = b.Or(wrong, b.BoolVal(!last))
			} else {
				vc.Assumed = []int{i + 1}
				wrong = b.Or(wrong, b.And(b.Eq(x, b.Num(7)), b.Not(vcgen.Guard(b, i+1))))
			}
			vc.Obligations = []vcgen.Obligation{{ID: i, Violated: wrong}}
			procs = append(procs, &summaries.Proc{Name: fmt.Sprintf("p%d", i), B: b, VC: vc})
		}
		count := &counting{Solvers: solvers(t)}
		res, err := summaries.Houdini(context.Background(), procs, n, summaries.Options{Solvers: count})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if res.Holds[i] != last {
				t.Errorf("the last candidate is %v, candidate %d %v", last, i, res.Holds[i])
			}
		}
		if count.open != 0 || count.full != 0 || count.most >= n {
			t.Errorf("%d solvers are left open, %d knew something at a time", count.open, count.most)
		}
	}
}

// solvers are Z3's, freed at the end of the test.
func solvers(t *testing.T) smt.Solvers {
	x := z3.NewContext(z3.Options{})
	t.Cleanup(x.Close)
	return x
}

// counting counts how many of the solvers that it makes are open, and in how many
// something is asserted.
type counting struct {
	smt.Solvers
	open, full, most int
}

func (c *counting) New() (smt.Solver, error) {
	s, err := c.Solvers.New()
	c.open++
	return &counted{Solver: s, of: c}, err
}

type counted struct {
	smt.Solver
	of   *counting
	full bool
}

func (c *counted) Assert(t *smt.Term) error {
	if !c.full {
		c.full = true
		c.of.full++
		c.of.most = max(c.of.most, c.of.full)
	}
	return c.Solver.Assert(t)
}

func (c *counted) empty() {
	if c.full {
		c.full = false
		c.of.full--
	}
}

func (c *counted) Forget() error {
	c.empty()
	return c.Solver.Forget()
}

func (c *counted) Close() {
	c.empty()
	c.of.open--
	c.Solver.Close()
}
