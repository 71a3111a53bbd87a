package pipeline

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/ir"
)

// TestTiers: programs are answered in tiers as they are at once, pair by pair, with the
// same races.
func TestTiers(t *testing.T) {
	dirs, err := filepath.Glob("../benchmarks/golang/*/main.go")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d programs, %v", len(dirs), err)
	}
	libs, err := filepath.Glob("../benchmarks/golang/lib_*")
	if err != nil || len(libs) == 0 {
		t.Fatalf("%d libraries, %v", len(libs), err)
	}
	for i, path := range append(dirs, libs...) {
		if !testscope.Every(i, 10) {
			continue
		}
		if filepath.Base(path) == "main.go" {
			path = filepath.Dir(path)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			once, err := Verify(context.Background(), path, Options{})
			if err != nil {
				t.Skip(err)
			}
			inTiers, err := Verify(context.Background(), path, Options{tiers: true})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := said(once), said(inTiers); !maps.Equal(a, b) {
				for _, k := range slices.Sorted(maps.Keys(a)) {
					if a[k] != b[k] {
						t.Errorf("%s: %s at once, %q in tiers", k, a[k], b[k])
					}
				}
				for _, k := range slices.Sorted(maps.Keys(b)) {
					if a[k] == "" {
						t.Errorf("%s: %s in tiers alone", k, b[k])
					}
				}
			}
		})
	}
}

// said is what a report says of pairs, and which races there are.
func said(rep *diag.Report) map[string]string {
	out := map[string]string{}
	for _, p := range rep.Pairs {
		out[p.First+","+p.Second] = string(p.Verdict)
	}
	for _, r := range rep.Races {
		out[fmt.Sprintf("%s %s %s", r.Kind, r.First.Pos, r.Second.Pos)] = "race"
	}
	return out
}

// TestTiersChains: a function that an entry gets to on several chains of calls runs if
// one of them does. Both methods have a race in the second call of q, and the points-to
// analysis alone tells which function each hands to do.
func TestTiersChains(t *testing.T) {
	for _, do := range []string{"f(t)", "if n > 0 { do(t, f, n-1) } else { f(t) }"} {
		dir := t.TempDir()
		text := `package x

import "sync"

type T struct {
	mu sync.Mutex
	x  int
}

func New() *T { return &T{} }

func (t *T) One(n int) {
	t.mu.Lock()
	do(t, far, n)
	t.mu.Unlock()
}

func (t *T) Two(n int) {
	t.mu.Lock()
	do(t, direct, n)
	t.mu.Unlock()
}

func direct(t *T) { q(t, 1) }
func far(t *T)    { farther(t) }
func farther(t *T) { q(t, 1) }

func q(t *T, n int) {
	if n > 0 {
		t.mu.Unlock()
		q(t, 0)
		t.mu.Lock()
	} else {
		t.x++
	}
}

func do(t *T, f func(*T), n int) { ` + do + ` }
`
		for name, text := range map[string]string{"go.mod": "module x\ngo 1.21\n", "x.go": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, tiers := range []bool{false, true} {
			rep, err := Verify(context.Background(), dir, Options{tiers: tiers})
			if err != nil {
				t.Fatal(err)
			}
			says := said(rep)
			for _, pair := range []string{"(*T).One,(*T).One", "(*T).One,(*T).Two", "(*T).Two,(*T).Two"} {
				if says[pair] != string(diag.Racy) {
					t.Errorf("do is %s, tiers %t: %s: %q", do, tiers, pair, says[pair])
				}
			}
		}
	}
}

// TestTiersLate: a tier that is cut before it has compared a pair leaves all of them open.
func TestTiersLate(t *testing.T) {
	p, err := ir.Parse("p", []byte(`
program "p" typesafe
global a: u32
func one() void {
e:
  store plain &a, u32 1
  return
}
func two() void {
e:
  store plain &a, u32 2
  return
}
entry "one" func one kind "method" multi
entry "two" func two kind "method" multi
`))
	if err != nil {
		t.Fatal(err)
	}
	for late := range 5 {
		rep, err := proveTiers(&lateOnce{t.Context(), late}, p, Options{tiers: true})
		if err != nil {
			t.Fatal(err)
		}
		says := said(rep)
		for _, pair := range []string{"one,one", "one,two", "two,two"} {
			if says[pair] != string(diag.Racy) {
				t.Errorf("deadline %d has passed: %s: %q", late, pair, says[pair])
			}
		}
	}
}

// lateOnce is a context whose deadline has passed when it is asked for the time number n.
type lateOnce struct {
	context.Context
	n int
}

func (c *lateOnce) Deadline() (time.Time, bool) {
	c.n--
	if c.n == -1 {
		return time.Now().Add(-time.Hour), true
	}
	return time.Now().Add(time.Hour), true
}

// TestTiersUnasked: a pair of which a later tier says nothing is free of races where that
// one excludes it, and undecided where nobody asked.
func TestTiersUnasked(t *testing.T) {
	cut := &diag.Report{}
	for _, second := range []string{"asked", "excluded", "other"} {
		cut.Pairs = append(cut.Pairs, diag.Pair{First: "a", Second: second,
			Verdict: diag.Unknown, AllMayRace: true, Cut: true})
	}
	x := &tiers{}
	x.add(&proof{rep: cut})
	x.add(&proof{rep: &diag.Report{Pairs: []diag.Pair{{First: "a", Second: "asked",
		Verdict: diag.RaceFree}},
		Excluded: []ir.Exclusion{{A: "a", B: "excluded"}}}})
	for second, want := range map[string]diag.Verdict{"asked": diag.RaceFree,
		"excluded": diag.RaceFree, "other": diag.Unknown} {
		if got := x.pairs[x.number[pairKey{"a", second}]].Verdict; got != want {
			t.Errorf("a,%s: %s, want %s", second, got, want)
		}
	}
}

// TestTiersCut: what an earlier tier calls racy is undecided where a later one was cut
// short, but for pairs with a race where no lock can be held.
func TestTiersCut(t *testing.T) {
	pair := func(second string, v diag.Verdict, cut, firm bool) diag.Pair {
		return diag.Pair{First: "a", Second: second, Verdict: v, Cut: cut, Firm: firm}
	}
	race := func(second string) diag.Race { return diag.Race{Pairs: []string{"a," + second}} }
	x := &tiers{}
	x.add(&proof{rep: &diag.Report{Pairs: []diag.Pair{
		pair("cut", diag.Racy, false, false), pair("firm", diag.Racy, false, true),
		pair("shown", diag.Racy, false, false), pair("done", diag.Racy, false, false),
		pair("proved", diag.Racy, false, false)}}, members: true})
	x.add(&proof{rep: &diag.Report{Pairs: []diag.Pair{
		pair("cut", diag.Racy, true, false), pair("firm", diag.Unknown, true, false),
		pair("shown", diag.Racy, true, true), pair("done", diag.Racy, false, false),
		pair("proved", diag.RaceFree, false, false)},
		Races: []diag.Race{race("cut"), race("shown"), race("done")}}})
	rep := x.report(context.Background(), Options{})
	says := said(rep)
	for second, want := range map[string]diag.Verdict{"cut": diag.Unknown, "firm": diag.Racy,
		"shown": diag.Racy, "done": diag.Racy, "proved": diag.RaceFree} {
		if says["a,"+second] != string(want) {
			t.Errorf("a,%s: %s, want %s", second, says["a,"+second], want)
		}
	}
	for _, r := range rep.Races {
		if r.Pairs[0] == "a,cut" {
			t.Error("the race of an undecided pair is shown")
		}
	}
}
