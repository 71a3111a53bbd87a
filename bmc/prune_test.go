package bmc

import (
	"context"
	"testing"
	"time"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// TestPrune holds what is found out about threads by themselves against their
// interleavings: no execution of random programs has an error that was left out, and none
// reads a number that is not within its range.
func TestPrune(t *testing.T) {
	doubts, left, narrow := 0, 0, 0
	for seed := range uint64(200) {
		p := randprog.Generate(seed, randprog.Config{})
		f := p.FuncByName("main")
		if f == nil {
			continue
		}
		opt := Options{CSB: 2, Rounds: 5, Unroll: 3}.withDefaults()
		h := Harness{Roots: []Root{{Func: f, Name: "main"}}, Main: true}
		u, err := unfold(context.Background(), p, h, &opt)
		if err != nil {
			continue
		}
		c := &checker{ctx: context.Background(), p: p, h: h, opt: opt, u: u, res: &Result{CSB: -1}, found: map[string]bool{},
			solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }}
		if c.m, err = interp.Compile(p, interp.Config{}); err != nil {
			t.Fatal(err)
		}
		e, err := encode(u, opt.Rounds) // before anything is known
		if err != nil {
			t.Fatal(err)
		}
		before := map[*event][]*bv.Term{}
		for _, t := range u.threads {
			for _, p := range t.pos {
				before[p] = errorsOf(p)
				doubts += len(before[p])
			}
		}
		u.ranges = rangesOf(u)
		if err := c.prune(); err != nil {
			t.Fatal(err)
		}
		q := &query{c: c, e: e}
		if err := q.open(time.Now()); err != nil {
			t.Fatal(err)
		}
		for _, th := range u.threads {
			for _, p := range th.pos {
				after := map[*bv.Term]bool{}
				for _, e := range errorsOf(p) {
					after[e] = true
					left++
				}
				for _, bad := range before[p] {
					if !after[bad] {
						never(t, q, seed, e.b.And(e.stops(p), bad), p)
					}
				}
				for _, r := range p.reads {
					if is := u.fact(r); is != u.b.True && e.slice.keeps(r) {
						narrow++
						reads := e.b.And(e.b.Or(e.at(p, 0), e.at(p, 1), e.at(p, 2)), matched(e.b, r))
						never(t, q, seed, e.b.And(reads, e.b.Not(is)), p)
					}
				}
			}
		}
		q.close()
	}
	if doubts-left < 50 || left < 10 || narrow < 250 {
		t.Errorf("of %d possible errors %d are left, and %d ranges are known: the programs have changed", doubts, left, narrow)
	}
}

// errorsOf are the conditions under which a position is an error.
func errorsOf(p *event) []*bv.Term {
	var out []*bv.Term
	for _, c := range p.checks {
		out = append(out, c.bad)
	}
	if p.invalid != nil {
		out = append(out, p.invalid)
	}
	return out
}

// matched: the read goes to one of its places.
func matched(b *bv.Builder, r *read) *bv.Term {
	var any []*bv.Term
	for _, t := range r.targets {
		any = append(any, t.match)
	}
	return b.Or(any...)
}

func never(t *testing.T, q *query, seed uint64, c *bv.Term, p *event) {
	t.Helper()
	if can, err := q.possible(c, nil); err != nil || can {
		t.Errorf("seed %d: an execution does what none does, at %s (%v)\n%s", seed, p.at, err, ir.String(q.c.p))
	}
}

// TestCounting: what cells hold is bounded by how often they are written.
func TestCounting(t *testing.T) {
	p, err := ir.Parse("counters.wir", []byte(`program "counters"
global x: i32
global i: i32 = { 0 = i32 1 }
global j: i32 = { 0 = i32 1 }
global d: i32
global u: i32
func f() void {
  reg v: i32
entry:
  v := rmw add seq_cst &x, i32 1 @1
  v := rmw add seq_cst &x, i32 2 @2
  v := rmw sub seq_cst &d, i32 3 @3
  v := load plain &j @4
  v := rmw add seq_cst &i, v @5
  v := havoc @6
  store plain &u, v @7
  return @8
}
func g() void {
  reg v: i32
entry:
  v := rmw add seq_cst &x, i32 1 @11
  v := rmw add seq_cst &d, i32 1 @12
  v := load plain &i @13
  v := rmw add seq_cst &j, v @14
  return @15
}
func main() i32 {
  reg h: u64
  reg v: i32
entry:
  h, _ := spawn f() @21
  h, _ := spawn g() @22
  v := load plain &x @23
  v := load plain &u @24
  return i32 0 @25
}
entry main kind "main"
`))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{}.withDefaults()
	u, err := unfold(context.Background(), p, Harness{Roots: []Root{{Func: p.FuncByName("main"), Name: "main"}}, Main: true}, &opt)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	want := map[string]bv.Interval{"x": {Lo: 0, Hi: 6}, "d": {Lo: -6, Hi: 2}, "i": {Lo: 1, Hi: 4}, "j": {Lo: 1, Hi: 4}, "u": bv.Whole(32)}
	known := rangesOf(u)
	for _, th := range u.threads {
		for _, p := range th.pos {
			for _, r := range p.reads {
				c := r.targets[0].c
				if w, ok := want[c.obj.name]; ok && c.name == "" {
					seen[c.obj.name] = true
					if i := known[r.v]; i != w {
						t.Errorf("%s holds %v, want %v", c.obj.name, i, w)
					}
				}
			}
		}
	}
	if len(seen) != len(want) {
		t.Errorf("of %v only %v are read", want, seen)
	}
}
