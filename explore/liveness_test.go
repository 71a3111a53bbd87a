package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
)

// polite are two threads that both give way for ever: each sets its flag, and takes it
// back where the other one's is set.
const polite = `program "polite.c"
global f: [2]i32
global want: i32
func w(i: i32) void @1:1 {
  reg o: i32
entry:
  goto try
try:
  store seq_cst index(&f, i, 4, *i32), i32 1 @2:1
  o := load seq_cst index(&f, sub(i32 1, i), 4, *i32) @3:1
  if eq(o, i32 0) then in else back
back:
  store seq_cst index(&f, i, 4, *i32), i32 0 @4:1
  goto try
in:
  store seq_cst index(&f, i, 4, *i32), i32 0 @5:1
  return
}
func main() i32 @9:1 {
  reg a: u64
  reg b: u64
entry:
  a, _ := spawn w(i32 0) @10:1
  b, _ := spawn w(i32 1) @11:1
  join a @12:1
  join b @13:1
  return i32 0
}
entry w kind "thread" spawned
entry main kind "main"
`

// awaited waits in a loop for what another thread will do.
const awaited = `program "awaited.c"
global x: i32
func w() void @1:1 {
entry:
  store seq_cst &x, i32 1 @2:1
  return
}
func main() i32 @9:1 {
  reg v: i32
entry:
  spawn w() @10:1
  goto spin
spin:
  v := load seq_cst &x @11:1
  if eq(v, i32 0) then spin else done
done:
  return i32 0
}
entry w kind "thread" spawned
entry main kind "main"
`

// greedy is a thread that takes a lock again and again, while another one waits for it.
const greedy = `program "greedy.c"
global m: u32
global over: i32
global hungry: i32
func w() void @1:1 {
entry:
  store seq_cst &hungry, i32 1 @2:1
  lock exclusive mutex &m @3:1
  store seq_cst &hungry, i32 0 @4:1
  unlock exclusive mutex &m @5:1
  goto again
again:
  store seq_cst &over, i32 1 @6:1
  goto again
}
func main() i32 @9:1 {
entry:
  spawn w() @10:1
  goto turn
turn:
  lock exclusive mutex &m @11:1
  unlock exclusive mutex &m @12:1
  goto turn
}
entry w kind "thread" spawned
entry main kind "main"
`

// TestLiveness: cycles are found where an execution may go on for ever though it is fair,
// and replay.
func TestLiveness(t *testing.T) {
	for _, x := range []struct {
		name, src string
		hot       string
		fairness  Fairness
		want      bool
	}{
		{"both give way", polite, "", Strong, true},
		{"both give way, weakly", polite, "", Weak, true},
		{"nothing is owed", polite, "want", Strong, false},
		{"a loop that waits", awaited, "", Strong, false},
		{"a loop that waits, weakly", awaited, "", Weak, false},
		{"who waits gets the lock", greedy, "hungry", Strong, false},
		{"who waits may wait for ever", greedy, "hungry", Weak, true},
		{"servers go on for ever", greedy, "", Strong, true},
	} {
		p, err := ir.Parse("p.wir", []byte(x.src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		opt := LivenessOptions{Fairness: x.fairness}
		if x.hot != "" {
			opt.Hot = []*ir.Global{p.GlobalByName(x.hot)}
		}
		h := interp.MainOf(p.FuncByName("main"))
		r, err := Liveness(m, h, opt)
		if err != nil || !r.Complete {
			t.Fatalf("%s: %v, %+v", x.name, err, r)
		}
		if (len(r.Findings) == 1) != x.want {
			t.Errorf("%s: found %v in %d states", x.name, r.Findings, r.States)
		}
		for _, f := range r.Findings {
			if err := Replay(m, h, f); err != nil {
				t.Errorf("%s: %s does not replay: %v", x.name, f, err)
			}
			f.Loop--
			if Replay(m, h, f) == nil {
				t.Errorf("%s: %s replays with a cycle that is none", x.name, f)
			}
		}
	}
}

// TestFair holds the search for fair components against a look at all sets of states, on
// random graphs, and the cycles that are made of them against what fairness is.
func TestFair(t *testing.T) {
	found := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := &graph{opt: &LivenessOptions{Fairness: Fairness(seed % 2)}}
		n := int32(1 + r.IntN(6))
		for i := range n {
			v := vertex{}
			for u := range interp.ThreadID(3) {
				for range r.IntN(3) {
					v.enabled |= 1 << u
					if r.IntN(4) > 0 {
						v.out = append(v.out, edge{from: i, to: r.Int32N(n), thread: u})
					}
				}
			}
			g.nodes = append(g.nodes, v)
		}
		all := make([]int32, n)
		for i := range all {
			all[i] = int32(i)
		}
		want := false
		for set := 1; set < 1<<n; set++ {
			part := slices.DeleteFunc(slices.Clone(all), func(i int32) bool { return set>>i&1 == 0 })
			cs := g.components(part)
			want = want || len(cs) == 1 && len(cs[0]) == len(part) && g.unfair(part) == 0
		}
		c := g.fair(all)
		if (c != nil) != want {
			t.Fatalf("seed %d: found %v, want %v: %+v", seed, c, want, g.nodes)
		}
		if c == nil {
			continue
		}
		found++
		way := g.cycle(c, c[0])
		visited, did, at := []int32{}, uint64(0), c[0]
		for _, e := range way {
			if e.from != at {
				t.Fatalf("seed %d: %v is no way", seed, way)
			}
			visited, did, at = append(visited, at), did|1<<e.thread, e.to
		}
		slices.Sort(visited)
		some, always := uint64(0), ^uint64(0)
		for _, i := range visited {
			some, always = some|g.nodes[i].enabled, always&g.nodes[i].enabled
		}
		if g.opt.Fairness == Weak {
			some = always
		}
		if at != c[0] || some&^did != 0 {
			t.Fatalf("seed %d: %v is no fair cycle", seed, way)
		}
	}
	if found < 500 {
		t.Errorf("the test says little: %d cycles", found)
	}
}
