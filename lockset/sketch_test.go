package lockset

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/crowd"
	"whoop/analysis/mhp"
	"whoop/diag"
	"whoop/ir"
	"whoop/smt"
	"whoop/smt/z3"
)

// TestSketch holds summaries of which nothing was proved against whole ones, on all
// programs in testdata: what a sketch proves is proved, and where only locks count, what
// it calls racy is not proved by more work.
func TestSketch(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wir")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	said := map[diag.Verdict]int{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{"ok", "racy"} {
			text := variant(string(src), v)
			for _, alone := range []bool{false, true} {
				whole := verdictsOf(t, f, text, Options{LocksAlone: alone})
				for pair, s := range verdictsOf(t, f, text, Options{LocksAlone: alone, MaxSize: 1}) {
					said[s]++
					if w := whole[pair]; s != w && s != diag.Unknown {
						t.Errorf("%s (%s, locks alone: %v): %s is %s, as a sketch %s", f, v, alone, pair, w, s)
					}
				}
			}
		}
	}
	if said[diag.Racy] == 0 || said[diag.RaceFree] == 0 || said[diag.Unknown] == 0 {
		t.Errorf("too little is tested: %v", said)
	}
}

// verdictsOf are the verdicts of a program's pairs.
func verdictsOf(t *testing.T, name, src string, opt Options) map[string]diag.Verdict {
	t.Helper()
	p, err := ir.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	al := alias.Analyze(p, alias.Options{})
	mh := mhp.Analyze(p, al)
	if opt.Apart, err = al.Separate(context.Background()); err != nil {
		t.Fatal(err)
	}
	opt.Jobs = 1
	opt.Solvers = func() smt.Solvers { return z3.NewContext(z3.Options{Timeout: time.Minute}) }
	rep, err := Verify(context.Background(), p, al, mh, opt)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]diag.Verdict{}
	for _, p := range rep.Pairs {
		out[p.First+","+p.Second] = p.Verdict
	}
	return out
}

// TestMembersUnclear checks that of entries that are proved as one those pairs are
// undecided of which a member gets to something that is not understood, and that others
// are decided, whole or sketched.
func TestMembersUnclear(t *testing.T) {
	const src = `program "p" typesafe
global a: u32
global b: u32
global c: u32
func odd() void unknown "computed goto"
func get() u32 {
  reg v: u32
e:
  v := load plain &a
  return v
}
func put() void {
e:
  store plain &a, u32 1
  return
}
func read() u32 {
  reg v: u32
e:
  v := load plain &b
  return v
}
func asks() void {
e:
  call odd()
  return
}
func both() void {
e:
  store plain &c, u32 1
  call odd()
  return
}
entry "get" func get kind "method" multi
entry "put" func put kind "method" multi
entry "read" func read kind "method" multi
entry "asks" func asks kind "method" multi
entry "both" func both kind "method" multi
`
	p, err := ir.Parse("p.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m := crowd.Merge(p)
	if len(m.Members) != 1 {
		t.Fatalf("%d merged entries", len(m.Members))
	}
	al := alias.Analyze(m.Program, alias.Options{})
	mh := mhp.Analyze(m.Program, al)
	for _, size := range []int{0, 1} {
		rep, err := Verify(context.Background(), m.Program, al, mh, Options{Jobs: 1, Joint: true,
			LocksAlone: true, Members: m.Members, Named: p.Entries, MaxSize: size,
			Solvers: func() smt.Solvers { return z3.NewContext(z3.Options{Timeout: time.Minute}) }})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]diag.Verdict{"get,get": diag.RaceFree, "get,put": diag.Racy,
			"put,put": diag.Racy, "get,read": diag.RaceFree, "put,read": diag.RaceFree,
			"read,read": diag.RaceFree, "both,both": diag.Racy}
		if len(rep.Pairs) != 15 {
			t.Errorf("%d pairs", len(rep.Pairs))
		}
		for _, p := range rep.Pairs {
			w := want[p.First+","+p.Second]
			if w == "" {
				w = diag.Unknown
			}
			if p.Verdict != w {
				t.Errorf("size %d: %s,%s: %s, want %s (%s)", size, p.First, p.Second, p.Verdict, w, p.Reason)
			}
		}
	}
}

// TestSketchOutside checks that a sketch has what calls access that have no body.
func TestSketchOutside(t *testing.T) {
	const src = `program "p"
global a: u32
func ext(p: *u32) void extern
func w() void {
  reg v: u32
e:
  v := u32 0
  call ext(&a)
  return
}
func r() void {
  reg v: u32
e:
  v := load plain &a
  v := u32 0
  return
}
entry "w" func w kind "k" multi
entry "r" func r kind "k" multi
`
	for pair, want := range map[string]diag.Verdict{"w,w": diag.Racy, "w,r": diag.Racy,
		"r,r": diag.RaceFree} {
		for _, size := range []int{0, 1} {
			got := verdictsOf(t, "p.wir", src, Options{MaxSize: size})[pair]
			if size == 1 && want == diag.Racy {
				want = diag.Unknown // nobody knows of locks
			}
			if got != want {
				t.Errorf("size %d: %s: %s, want %s", size, pair, got, want)
			}
		}
	}
}
