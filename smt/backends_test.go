package smt_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"whoop/smt"
	"whoop/smt/goz3"
	"whoop/smt/z3"
)

// backends are the solvers that the tests of this file hold against arithmetic, and
// thereby against each other.
var backends = map[string]func(timeout time.Duration) smt.Solvers{
	"z3":    func(d time.Duration) smt.Solvers { return z3.NewContext(z3.Options{Timeout: d}) },
	"go-z3": func(d time.Duration) smt.Solvers { return goz3.NewPool(goz3.Options{Timeout: d}).Get() },
}

// each runs a test with each backend.
func each(t *testing.T, test func(t *testing.T, with maker)) {
	for name, f := range backends {
		t.Run(name, func(t *testing.T) { test(t, maker{f}) })
	}
}

// maker makes the solvers of a backend.
type maker struct {
	solvers func(timeout time.Duration) smt.Solvers
}

// solver opens a solver whose queries take at most timeout (0: no bound).
func (m maker) solver(t *testing.T, timeout time.Duration) smt.Solver {
	t.Helper()
	x := m.solvers(timeout)
	t.Cleanup(x.Close)
	return add(t, x)
}

func add(t *testing.T, x smt.Solvers) smt.Solver {
	t.Helper()
	s, err := x.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestIntegers holds terms over variables, as Z3 evaluates them, against arithmetic of Go
// on the variables' values: each operator is thus applied to its own arguments, in their
// order.
func TestIntegers(t *testing.T) { each(t, testIntegers) }

func testIntegers(t *testing.T, with maker) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		b := smt.NewBuilder()
		s := with.solver(t, 0)
		g := &terms{r: r, b: b}
		for i := range 3 {
			v := new(big.Int).Lsh(big.NewInt(r.Int64()-r.Int64()), uint(r.IntN(70)))
			g.vars = append(g.vars, b.Var(string(rune('a'+i)), smt.Int))
			g.vals = append(g.vals, v)
			assert(t, s, b.Eq(g.vars[i], b.Big(v)))
		}
		assert(t, s, b.Eq(b.App("f", g.vars[0], g.vars[1]), b.Num(41)))
		want(t, s, smt.Sat)
		for range 10 {
			x, v := g.int(4)
			cond, c := g.bool(3)
			for _, q := range []struct {
				t *smt.Term
				v bool
			}{{b.Eq(x, b.Big(v)), true}, {b.Lt(x, b.Big(v)), false}, {cond, c}} {
				got, err := s.Holds(q.t)
				if err != nil || got != q.v {
					t.Fatalf("seed %d: %v, %v, want %v, %v", seed, got, err, q.v, v)
				}
			}
		}
	}
}

// terms makes random terms with their values.
type terms struct {
	r    *rand.Rand
	b    *smt.Builder
	vars []*smt.Term
	vals []*big.Int
}

func (g *terms) int(depth int) (*smt.Term, *big.Int) {
	if depth == 0 {
		i := g.r.IntN(len(g.vars))
		return g.vars[i], g.vals[i]
	}
	x, v := g.int(depth - 1)
	k := big.NewInt(1 + g.r.Int64N(9))
	switch g.r.IntN(6) {
	case 0:
		y, w := g.int(depth - 1)
		return g.b.Add(x, y), new(big.Int).Add(v, w)
	case 1:
		y, w := g.int(depth - 1)
		return g.b.Sub(x, y), new(big.Int).Sub(v, w)
	case 2:
		return g.b.Mul(k, x), new(big.Int).Mul(k, v)
	case 3:
		q, _ := new(big.Int).DivMod(v, k, new(big.Int))
		return g.b.Div(x, k), q
	case 4:
		y, w := g.int(depth - 1)
		c, cv := g.bool(depth - 1)
		if cv {
			w = v
		}
		return g.b.Ite(c, x, y), w
	}
	return g.b.App("f", g.vars[0], g.vars[1]), big.NewInt(41)
}

func (g *terms) bool(depth int) (*smt.Term, bool) {
	x, v := g.int(max(depth-1, 0))
	y, w := g.int(max(depth-1, 0))
	switch k := g.r.IntN(6); {
	case k == 0:
		return g.b.Lt(x, y), v.Cmp(w) < 0
	case k == 1:
		return g.b.Le(x, y), v.Cmp(w) <= 0
	case k == 2 || depth == 0:
		return g.b.Eq(x, y), v.Cmp(w) == 0
	case k == 3:
		c, cv := g.bool(depth - 1)
		return g.b.Not(c), !cv
	case k == 4:
		c, cv := g.bool(depth - 1)
		return g.b.And(c, g.b.Lt(x, y)), cv && v.Cmp(w) < 0
	}
	c, cv := g.bool(depth - 1)
	return g.b.Or(c, g.b.Le(y, x)), cv || w.Cmp(v) <= 0
}

// What was asserted in a scope is gone behind it, and its model with it.
func TestScopes(t *testing.T) { each(t, testScopes) }

func testScopes(t *testing.T, with maker) {
	b := smt.NewBuilder()
	s := with.solver(t, 0)
	x := b.Var("x", smt.Int)
	assert(t, s, b.Lt(b.Num(0), x))
	if err := s.Push(); err != nil {
		t.Fatal(err)
	}
	assert(t, s, b.Lt(x, b.Num(1)))
	want(t, s, smt.Unsat)
	inside := s.SMTLIB()
	if err := s.Pop(); err != nil {
		t.Fatal(err)
	}
	if outside := s.SMTLIB(); strings.Count(inside, "(assert") != 2 || strings.Count(outside, "(assert") != 1 {
		t.Errorf("in the scope: %s, behind it: %s", inside, outside)
	}
	want(t, s, smt.Sat)
	if v, err := s.Holds(b.Lt(b.Num(0), x)); !v || err != nil {
		t.Error(v, err)
	}
	if err := s.Push(); err != nil {
		t.Fatal(err)
	}
	if err := s.Pop(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Holds(b.Lt(b.Num(0), x)); err == nil {
		t.Error("a model is left behind the scope")
	}
	if err := s.Pop(); err == nil {
		t.Error("no error for a Pop without a Push")
	}
}

// hard has n pigeons, each with one of n-1 holes for itself: for 12 and more a problem
// that Z3 does not decide in a day.
func hard(t *testing.T, with maker, n int64, timeout time.Duration) smt.Solver {
	b := smt.NewBuilder()
	s := with.solver(t, timeout)
	at := func(i int64) *smt.Term { return b.App("at", b.Num(i)) }
	for i := range n {
		assert(t, s, b.And(b.Le(b.Num(1), at(i)), b.Lt(at(i), b.Num(n))))
		for j := range i {
			assert(t, s, b.Not(b.Eq(at(i), at(j))))
		}
	}
	return s
}

// A cancelled context ends a check, and one that is cancelled before starts none.
func TestCancel(t *testing.T) { each(t, testCancel) }

func testCancel(t *testing.T, with maker) {
	s := hard(t, with, 14, 0)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	for range 2 {
		if r, err := s.Check(ctx); r != smt.Unknown || err != context.Canceled {
			t.Error(r, err)
		}
	}
}

// The timeout of a check is an answer of its own, with Z3's reason.
func TestTimeout(t *testing.T) { each(t, testTimeout) }

func testTimeout(t *testing.T, with maker) {
	s := hard(t, with, 14, time.Millisecond)
	if r, err := s.Check(context.Background()); r != smt.Unknown || err == nil {
		t.Error(r, err)
	}
}

// TestForget: what was asserted is gone, scopes included, and can be asserted again; two
// solvers of a context know nothing of each other.
func TestForget(t *testing.T) { each(t, testForget) }

func testForget(t *testing.T, with maker) {
	x := with.solvers(0)
	t.Cleanup(x.Close)
	one, two := add(t, x), add(t, x)
	b := smt.NewBuilder()
	v := b.Var("v", smt.Int)
	less := b.Lt(v, b.Num(3))
	check := func(s smt.Solver, want smt.Result) {
		t.Helper()
		if r, err := s.Check(context.Background()); r != want {
			t.Errorf("%v instead of %v: %v", r, want, err)
		}
	}
	assert(t, one, less)
	if err := one.Push(); err != nil {
		t.Fatal(err)
	}
	assert(t, one, b.Not(less))
	check(one, smt.Unsat)
	other := smt.NewBuilder() // its terms have the numbers of the first builder's
	assert(t, two, other.Not(other.Lt(other.Var("w", smt.Int), other.Num(3))))
	check(two, smt.Sat)
	if err := one.Forget(); err != nil {
		t.Fatal(err)
	}
	check(one, smt.Sat)
	assert(t, one, b.Not(less))
	check(one, smt.Sat)
	assert(t, one, less)
	check(one, smt.Unsat)
	check(two, smt.Sat)
}

func assert(t *testing.T, s smt.Solver, x *smt.Term) {
	t.Helper()
	if err := s.Assert(x); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, s smt.Solver, r smt.Result) {
	t.Helper()
	if got, err := s.Check(context.Background()); got != r || err != nil {
		t.Fatal(got, err)
	}
}

// A term of 200,000 levels is translated without a stack of its depth.
func TestDeepTerm(t *testing.T) { each(t, testDeepTerm) }

func testDeepTerm(t *testing.T, with maker) {
	b := smt.NewBuilder()
	s := with.solver(t, 0)
	x := b.Var("x", smt.Int)
	for range 200000 {
		x = b.Ite(b.Fresh("c", smt.Bool), b.Add(x, b.Num(1)), x)
	}
	assert(t, s, b.Lt(b.Num(0), x))
}

// TestPool: a context that was given back is used again, without what was asserted in it.
func TestPool(t *testing.T) {
	pool := goz3.NewPool(goz3.Options{})
	first := pool.Get()
	s, err := first.New()
	if err != nil {
		t.Fatal(err)
	}
	b := smt.NewBuilder()
	assert(t, s, b.False)
	want(t, s, smt.Unsat)
	s.Close()
	first.Close()
	again := pool.Get()
	defer again.Close()
	if again != first {
		t.Error("a second context was made")
	}
	want(t, add(t, again), smt.Sat)
}
