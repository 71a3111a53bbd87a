package trace

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/ir/interp"
)

const lost = `
global n: i32
func add() void {
  reg x: i32
entry:
  x := load plain &n             @"a.c":3:2
  store plain &n, add(x, i32 1)  @"a.c":4:2
  return                         @"a.c":5:1
}
func main() void {
  reg a: u64
  reg b: u64
  reg x: i32
entry:
  a, _ := spawn add()           @"a.c":8:2
  b, _ := spawn add()           @"a.c":9:2
  join a                         @"a.c":10:2
  join b                         @"a.c":11:2
  x := load plain &n             @"a.c":12:2
  assert eq(x, i32 2) tag assert @"a.c":12:9
  return                         @"a.c":13:1
}
entry main func main kind "main"
entry add func add kind "thread" spawned
`

func load(t *testing.T) (*interp.Program, interp.Harness, *Trace) {
	t.Helper()
	p, err := ir.Parse("a.wir", []byte(lost))
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tr := &Trace{Schema: Schema, Program: Hash(p), Main: true, Roots: []string{"main"},
		Schedule: []Run{{0, 2}, {1, 1}, {2, 1}, {1, 1}, {2, 2}, {1, 1}, {0, 4}},
		Bug:      Bug{Kind: "assert", At: Place{"a.c", 12, 9}, Message: "the sum is wrong"}}
	h, err := tr.Harness(p)
	if err != nil {
		t.Fatal(err)
	}
	return m, h, tr
}

// TestMinimise: from a wasteful schedule of a lost update, none of whose switches can be
// left out afterwards.
func TestMinimise(t *testing.T) {
	m, h, tr := load(t)
	x, err := Replay(m, h, tr)
	if err != nil {
		t.Fatal(err)
	}
	if x.Preemptions != 3 {
		t.Errorf("%d preemptions at first", x.Preemptions)
	}
	small := Minimise(m, h, tr)
	if x, err = Replay(m, h, small); err != nil {
		t.Fatal(err)
	}
	// one thread between its read and its write; main waits
	if x.Preemptions != 1 || x.Switches != 4 {
		t.Errorf("%d preemptions, %d switches: %v", x.Preemptions, x.Switches, small.Schedule)
	}
	for _, s := range shorter(small.Schedule) {
		c := *small
		c.Schedule = s
		if n := costOf(m, h, &c); n != nil && n[1] < x.Switches {
			t.Errorf("%v does it with %d switches", s, n[1])
		}
	}
}

// TestDivergence: what does not show the bug is refused with the place.
func TestDivergence(t *testing.T) {
	m, h, tr := load(t)
	for _, c := range []struct {
		schedule []Run
		want     string
	}{
		{[]Run{{0, 2}, {1, 3}, {2, 3}, {0, 4}}, "want assert at a.c:12:9"},
		{[]Run{{0, 3}}, "thread 0 cannot step"},
		{[]Run{{0, 1}, {2, 1}}, "there is no thread 2 yet"},
	} {
		bad := *tr
		bad.Schedule = c.schedule
		if _, err := Replay(m, h, &bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.schedule, err, c.want)
		}
	}
}

// TestReadBack: a trace is read as it was written, and what is none is refused.
func TestReadBack(t *testing.T) {
	_, _, tr := load(t)
	var b bytes.Buffer
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	got, err := Read(&b)
	if err != nil || len(got.Schedule) != len(tr.Schedule) || got.Bug != tr.Bug {
		t.Fatal(got, err)
	}
	for _, bad := range []string{"", "{}", "[1]", strings.Replace(text, `"schema": 1`, `"schema": 7`, 1), strings.Replace(text, `"steps": 2`, `"steps": -2`, 1)} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40q is read as a trace", bad)
		}
	}
}

// FuzzRead: no file crashes the reader or the replay.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":1,"main":true,"roots":["main"],"schedule":[{"thread":0,"steps":2}],"inputs":[],"bug":{"kind":"deadlock"}}`))
	p, err := ir.Parse("a.wir", []byte(lost))
	if err != nil {
		f.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tr, err := Read(bytes.NewReader(src))
		if err != nil {
			return
		}
		h, err := tr.Harness(p)
		if err != nil || len(h.Roots) == 0 {
			return
		}
		Replay(m, h, tr)
	})
}

// TestMinimiseLonger: a thread that is left just before its end is run to its end, and
// nobody is charged a preemption for that.
func TestMinimiseLonger(t *testing.T) {
	m, h, tr := load(t)
	for _, c := range []struct {
		schedule []Run
		want     int
	}{
		{[]Run{{0, 2}, {1, 2}, {2, 3}, {1, 1}, {0, 4}}, -1},        // does not show the bug
		{[]Run{{0, 2}, {1, 1}, {2, 2}, {1, 2}, {2, 1}, {0, 4}}, 1}, // T2 is left before it ends
	} {
		bad := *tr
		bad.Schedule = c.schedule
		if _, err := Replay(m, h, &bad); (err != nil) != (c.want < 0) {
			t.Fatalf("%v: %v", c.schedule, err)
		} else if err != nil {
			continue
		}
		if x, err := Replay(m, h, Minimise(m, h, &bad)); err != nil || x.Preemptions != c.want {
			t.Errorf("%v: %v, %v", c.schedule, x, err)
		}
	}
	s := []Run{{0, 2}, {1, 2}, {0, 1}, {2, 1}, {0, 3}}
	if got := longer(s, 0, 2); !slices.Equal(got, []Run{{0, 4}, {1, 2}, {2, 1}, {0, 2}}) {
		t.Error(got)
	}
	if got := longer(s, 1, 4); !slices.Equal(got, []Run{{0, 2}, {1, 6}, {0, 1}, {2, 1}, {0, 3}}) {
		t.Error(got)
	}
}
