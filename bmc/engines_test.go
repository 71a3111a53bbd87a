package bmc_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"whoop/bmc"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// explorer is the plain exhaustive search.
type explorer struct {
	m     *interp.Program
	bound int
	found map[string]int // least cost
	seen  map[string]int
	n     int
	big   bool
}

func (e *explorer) note(kind string, cost int) {
	if c, ok := e.found[kind]; !ok || cost < c {
		e.found[kind] = cost
	}
}

func conflicts(xs, ys []interp.Access) bool {
	for _, x := range xs {
		for _, y := range ys {
			if (x.Write || y.Write) && !(x.Atomic && y.Atomic) && x.Addr.Object() == y.Addr.Object() &&
				x.Addr.Offset() < y.Addr.Offset()+y.Size && y.Addr.Offset() < x.Addr.Offset()+x.Size {
				return true
			}
		}
	}
	return false
}

func raceKey(a, b ir.Instr) string {
	x, y := fmt.Sprint(a.At()), fmt.Sprint(b.At())
	if x > y {
		x, y = y, x
	}
	return "race " + x + " " + y
}

// visit goes through all schedules from a state on: last took the last step, cost is the
// preemptions so far. A thread's start is a step of its own.
func (e *explorer) visit(s *interp.State, last interp.ThreadID, cost int) {
	if e.n++; e.n > 60000 {
		e.big = true
		return
	}
	switch s.Status() {
	case interp.Failed:
		er := s.Err()
		k := string(er.Kind)
		e.note(k+" "+er.Pos.String(), cost)
		return
	case interp.Deadlock:
		e.note("deadlock", cost)
		return
	case interp.Running:
	default:
		return
	}
	key := fmt.Sprint(s.Hash(), last)
	if c, ok := e.seen[key]; ok && c <= cost {
		return
	}
	e.seen[key] = cost
	en := s.Enabled()
	type pk struct {
		acc []interp.Access
		in  ir.Instr
	}
	peeks := map[interp.ThreadID]pk{}
	for _, t := range en {
		if nx := s.Next(t); nx.Instr == nil && nx.Term == nil { // not started
			continue
		}
		ev := s.Peek(t)
		peeks[t] = pk{append([]interp.Access(nil), ev.Accesses...), ev.Instr}
	}
	for i, t := range en {
		for _, u := range en[i+1:] {
			if conflicts(peeks[t].acc, peeks[u].acc) {
				e.note(raceKey(peeks[t].in, peeks[u].in), cost)
			}
		}
	}
	for _, t := range en {
		c := cost
		if t != last && s.CanStep(last) {
			c++
		}
		if e.bound >= 0 && c > e.bound {
			continue
		}
		n := s.Snapshot()
		if nx := s.Next(t); nx.Instr == nil && nx.Term == nil {
			n.Settle(t)
			e.visit(n, t, c)
			continue
		}
		depth := 0
		for first := true; ; first = false {
			ev := n.StepVisible(t)
			for _, o := range ev.Sync {
				switch o.Kind {
				case interp.SyncAtomicBegin:
					depth++
				case interp.SyncAtomicEnd:
					depth--
				}
			}
			if depth > 0 && !first {
				for _, u := range en {
					if _, await := peeks[u].in.(*ir.Await); u != t && !await && conflicts(peeks[u].acc, ev.Accesses) {
						e.note(raceKey(peeks[u].in, ev.Instr), c)
					}
				}
			}
			if depth == 0 || n.Status() != interp.Running || !n.CanStep(t) {
				break
			}
		}
		e.visit(n, t, c)
	}
}

type gen struct {
	*rand.Rand
	b strings.Builder
}

func (g *gen) expr() string {
	return []string{"x", "y", "a[0]", "a[i&1]", "1", "2", "r", "*p", "at"}[g.Intn(9)]
}

func (g *gen) lval() string { return []string{"x", "y", "a[1]", "a[x&1]", "(*p)", "r"}[g.Intn(6)] }

func (g *gen) stmt(d int) {
	ind := strings.Repeat("\t", d)
	w := func(f string, a ...any) { fmt.Fprintf(&g.b, ind+f+"\n", a...) }
	switch k := g.Intn(15); {
	case k < 4:
		w("%s = %s + %s;", g.lval(), g.expr(), g.expr())
	case k == 4:
		w("%s++;", g.lval())
	case k == 5 && d < 3:
		m := []string{"m", "n", "*pm"}[g.Intn(3)]
		u := m
		if g.Intn(12) == 0 {
			u = "n"
		}
		w("pthread_mutex_lock(&%s);", m)
		g.stmt(d)
		if g.Intn(2) == 0 {
			g.stmt(d)
		}
		w("pthread_mutex_unlock(&%s);", u)
	case k == 6 && d < 3:
		w("if (%s %s %s) {", g.expr(), []string{"==", "<", "!="}[g.Intn(3)], g.expr())
		g.stmt(d + 1)
		if g.Intn(2) == 0 {
			w("} else {")
			g.stmt(d + 1)
		}
		w("}")
	case k == 7 && d < 2:
		w("for (int k = 0; k < %d; k++) {", 1+g.Intn(2))
		g.stmt(d + 1)
		w("}")
	case k == 8:
		w("atomic_fetch_add(&at, %s);", g.expr())
	case k == 9:
		w("__VERIFIER_atomic_begin(); %s = %s + 1; __VERIFIER_atomic_end();", g.lval(), g.expr())
	case k == 10:
		w("p = %s;", []string{"&x", "&y", "&a[1]"}[g.Intn(3)])
	case k == 11:
		w("if (pthread_mutex_trylock(&m) == 0) { %s = %s; pthread_mutex_unlock(&m); }", g.lval(), g.expr())
	case k == 12:
		w("if (!choice) r++;")
	case k == 13:
		w("{ int e = %s; __atomic_compare_exchange_n((int*)&at, &e, %s, 0, 5, 5); }", g.expr(), g.expr())
	default:
		w("assert(%s %s %d);", g.expr(), []string{"!=", "<"}[g.Intn(2)], 2+g.Intn(2))
	}
}

// program is a random program of two or three threads: shared variables, an array,
// pointers, two mutexes (one also through a pointer), try-locks, atomic operations and
// sections, branches, loops, assertions. It has one unknown value, chosen at first.
func program(seed int64) string {
	g := &gen{Rand: rand.New(rand.NewSource(seed))}
	fmt.Fprint(&g.b, "#include <pthread.h>\n#include <assert.h>\n#include <stdatomic.h>\nextern _Bool __VERIFIER_nondet_bool(void); _Bool choice; extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\nint x, y, a[2]; int *p = &x; atomic_int at; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, *pm = &m;\n")
	n := 1 + g.Intn(2)
	for t := range n {
		fmt.Fprintf(&g.b, "static void *f%d(void *arg) {\n\tint r = 0, i = 0;\n", t)
		for range 1 + g.Intn(3) {
			g.stmt(1)
		}
		fmt.Fprintf(&g.b, "\treturn 0;\n}\n")
	}
	fmt.Fprint(&g.b, "int main(void) {\n\tint r = 0, i = 0;\n\tchoice = __VERIFIER_nondet_bool();\n\tpthread_t t0, t1;\n")
	for t := range 2 {
		fmt.Fprintf(&g.b, "\tpthread_create(&t%d, 0, f%d, 0);\n", t, t%n)
		if t == 0 && g.Intn(2) == 0 {
			g.stmt(1)
			if n == 1 && g.Intn(2) == 0 {
				break
			}
		}
	}
	g.stmt(1)
	if g.Intn(2) == 0 {
		fmt.Fprint(&g.b, "\tpthread_join(t0, 0);\n")
		g.stmt(1)
	}
	fmt.Fprint(&g.b, "\treturn 0;\n}\n")
	return g.b.String()
}

var (
	programs = flag.Int("programs", testscope.Count(80, 2000), "random programs to compare")
	seed     = flag.Int64("seed", testscope.Seed(), "seed of the first one")
)

// TestEngines holds bmc against the plain search on random programs: with the same bound
// both find the same errors, races and deadlocks, each at the same least number of
// preemptions; and what verify proved makes no difference.
func TestEngines(t *testing.T) {
	n := int64(testscope.Fewer(*programs))
	t.Logf("seeds %d to %d", *seed, *seed+n-1)
	var next, skipped, bugs atomic.Int64
	next.Store(*seed)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := next.Add(1) - 1; s < *seed+n && !t.Failed(); s = next.Add(1) - 1 {
				k, ok := compare(t, s)
				bugs.Add(int64(k))
				if !ok {
					skipped.Add(1)
				}
			}
		}()
	}
	wg.Wait()
	t.Logf("%d findings, %d programs too large for the plain search", bugs.Load(), skipped.Load())
	if skipped.Load() > n/20 {
		t.Errorf("%d of %d programs were not compared", skipped.Load(), n)
	}
}

// compare runs both engines on one program; ok is false where it is too large for the
// plain one.
func compare(t *testing.T, seed int64) (findings int, ok bool) {
	src := program(seed)
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Error(err)
		return 0, true
	}
	p, err := pipeline.Load(path, pipeline.Options{})
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return 0, true
	}
	csb := int(seed % 3)
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return 0, true
	}
	e := &explorer{m: m, bound: csb, found: map[string]int{}}
	for _, choice := range []uint64{0, 1} { // of all havocs alike: see program
		in := interp.InputFunc(func(q *interp.Query) uint64 {
			if q.Kind == interp.InFailure {
				return 0
			}
			return choice
		})
		e.seen = map[string]int{}
		e.visit(m.Start(interp.MainOf(p.FuncByName("main")), in), 0, 0)
	}
	if e.big {
		return 0, false
	}
	res, err := bmc.Check(context.Background(), p, bmc.Harness{Roots: []bmc.Root{{Func: p.FuncByName("main"), Name: "main"}}, Main: true},
		bmc.Options{CSB: csb, Rounds: 12}, func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) })
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return 0, true
	}
	got := findingsOf(res, csb)
	if d := diffMaps(e.found, got); d != "" || len(res.Unconfirmed) > 0 || res.Reason != "" || !res.AllRounds {
		t.Errorf("seed %d csb %d: %s\nunconfirmed %v reason %q rounds %d %v limits %v\n%s", seed, csb, d, res.Unconfirmed, res.Reason, res.Rounds,
			res.AllRounds, res.Limits, src)
	}
	if seed%4 == 0 {
		sameWithProofs(t, seed, p, csb, src)
	}
	return len(got), true
}

// findingsOf names the bugs within a bound as the plain search does.
func findingsOf(res *bmc.Result, csb int) map[string]int {
	got := map[string]int{}
	for _, b := range res.Bugs {
		k := b.Kind
		switch k {
		case "reach_error", "assert":
			k = "assert " + b.At.String()
		case "deadlock":
		case "race":
			k = raceKey(b.Instr, b.OtherIn)
		default:
			k += " " + b.At.String()
		}
		if c, ok := got[k]; b.CSB >= 0 && b.CSB <= csb && (!ok || b.CSB < c) {
			got[k] = b.CSB
		}
	}
	return got
}

// sameWithProofs: all, epp and mr find the same.
func sameWithProofs(t *testing.T, seed int64, p *ir.Program, csb int, src string) {
	first := ""
	for i, y := range pipeline.Yields {
		rep, err := pipeline.CheckProgram(context.Background(), p, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: csb, Rounds: 12, Unroll: 2, Yields: y})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			return
		}
		var ks []string
		for _, b := range rep.Runs[0].Bugs {
			if b.CSB >= 0 && b.CSB <= csb {
				ks = append(ks, fmt.Sprint(b.Kind, " ", b.Place.Pos, " ", b.Other.Pos, " csb ", b.CSB))
				if b.Other.Pos.Less(b.Place.Pos) && b.Kind == "race" {
					ks[len(ks)-1] = fmt.Sprint(b.Kind, " ", b.Other.Pos, " ", b.Place.Pos, " csb ", b.CSB)
				}
			}
		}
		sort.Strings(ks)
		if got := strings.Join(ks, "\n"); i == 0 {
			first = got
		} else if got != first {
			t.Errorf("seed %d csb %d: all finds\n%s\n%s finds\n%s\n%s", seed, csb, first, y, got, src)
		}
	}
}

func diffMaps(want, got map[string]int) string {
	var out []string
	for k, v := range want {
		if g, ok := got[k]; !ok {
			out = append(out, fmt.Sprintf("MISSED %s at %d", k, v))
		} else if g != v {
			out = append(out, fmt.Sprintf("%s at %d, not %d", k, g, v))
		}
	}
	for k, v := range got {
		if _, ok := want[k]; !ok {
			out = append(out, fmt.Sprintf("EXTRA %s at %d", k, v))
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}
