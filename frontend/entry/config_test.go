package entry

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"whoop/frontend/models"
	"whoop/ir"
)

const small = `
program "small"
struct s size 16 { a: i32 @0, b: i32 @8 }
global n: i32 = { 0 = i32 4 }
global st: struct(s)
global x: i32 extern
func rd(p: *void, n: i32) void {
e:
  return
}
func wr(p: *void, n: i32) void {
e:
  return
}
func outside() void extern
`

const smallConfig = `version: 1
entries:
  - {func: rd, kind: read, multi: true, private: [0], holds: [big]}
  - {func: wr, multi: false}
serial:
  - {a: rd, b: wr, reason: one user}
locks:
  - {lock: [take], trylock: [try_take], unlock: [give], arg: 1, class: spin}
initial:
  - {var: n, value: 0}
  - {var: st.b, value: 7}
`

func TestApply(t *testing.T) {
	c, err := ParseConfig("ep.yaml", []byte(smallConfig))
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, small)
	if err := c.Apply(p, set(t)); err != nil {
		t.Fatal(err)
	}
	if got, want := show(p), "rd read multi holds big private [0]\nwr entry\nnot rd|wr\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(p.GlobalByName("n").Init) != 0 {
		t.Error("n keeps its value")
	}
	if i := p.GlobalByName("st").Init; len(i) != 1 || i[0].Offset != 8 {
		t.Errorf("st: %v", i)
	}
	ms := c.Models()
	if len(ms) != 3 || ms[1].Success != "nonzero" || ms[2].Op != models.OpUnlock || ms[0].Arg["lock"] != 1 {
		t.Errorf("models: %+v", ms)
	}
	if err := ir.Validate(p); err != nil {
		t.Error(err)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"version: 3\n", "ep.yaml:1: version is 3"},
		{"version: 1\ncolour: red\n", "ep.yaml:2: unknown key colour"},
		{"version: 1\nentries:\n  - {kind: x}\n", "ep.yaml:3: an entry without func"},
		{"version: 1\nentries:\n  - {func: rd}\n  - {func: rd}\n", "ep.yaml:4: rd is an entry twice"},
		{"version: 1\nentries:\n  - {func: rd}\nremove: [rd]\n", "ep.yaml:3: rd is an entry here and also under remove"},
		{"version: 1\nentries:\n  - {func: rd, init: true, exit: true}\n", "ep.yaml:3: rd: only one of"},
		{"version: 1\nentries:\n  - {func: read_it}\n", "ep.yaml:3: the program has no function read_it; it defines rd, wr"},
		{"version: 1\nentries:\n  - {func: outside}\n", "ep.yaml:3: outside is only declared"},
		{"version: 1\nentries:\n  - {func: rd, private: [5]}\n", "ep.yaml:3: rd has 2 parameters"},
		{"version: 1\nentries:\n  - {func: rd, private: [1]}\n", "ep.yaml:3: parameter 1 of rd is no pointer"},
		{"version: 1\nentries:\n  - {func: rd}\nserial:\n  - {a: rd, b: wx}\n", "ep.yaml:5: there is no entry point wx; the entry points are rd"},
		{"version: 1\nentries:\n  - {func: rd, multi: true}\nserial:\n  - {a: rd, b: rd}\n", "ep.yaml:5: rd never overlaps itself"},
		{"version: 1\nserial:\n  - {a: x, b: y}\noverlap:\n  - [y, x]\n", "ep.yaml:5: y and x overlap here"},
		{"version: 1\nlocks:\n  - {lock: [l], unlock: [l]}\n", "ep.yaml:3: l is named twice"},
		{"version: 1\nlocks:\n  - {lock: [l], mode: loud}\n", "ep.yaml:3: l: mode is"},
		{"version: 1\nlocks:\n  - {arg: 1}\n", "ep.yaml:3: a lock needs"},
		{"version: 1\nentries:\n  - {func: rd}\nalias:\n  - [rd.0, rd]\n", "ep.yaml:5: \"rd\": a parameter is written"},
		{"version: 1\nentries:\n  - {func: rd, private: [0]}\n  - {func: wr}\nalias:\n  - [rd.0, wr.0]\n", "ep.yaml:6: parameter 0 of rd is private"},
		{"version: 1\nentries:\n  - {func: rd}\ninitial:\n  - {var: st.c, value: 1}\n", "ep.yaml:5: st.c: there is no member c"},
		{"version: 1\nentries:\n  - {func: rd}\ninitial:\n  - {var: x, value: 1}\n", "ep.yaml:5: x is only declared"},
		{"version: 1\nremove: [rd]\nentries:\n  - {func: wr}\n", "ep.yaml:2: there is no entry point rd to remove"},
		{"version: 1\ninfer: false\n", "ep.yaml:1: no entry points are left"},
		{"version: 1\n", "small: no entry points found"},
	} {
		cfg, err := ParseConfig("ep.yaml", []byte(c.src))
		if err == nil {
			err = cfg.Apply(parse(t, small), set(t))
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\nerror is %v\nwant     %s", c.src, err, c.want)
		}
	}
}

func TestAliases(t *testing.T) {
	c, err := ParseConfig("ep.yaml", []byte("version: 1\nentries: [{func: rd}, {func: wr}]\nalias:\n  - [rd.0, wr.0]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(parse(t, small), set(t)); err != nil {
		t.Fatal(err)
	}
	if want := [][]Param{{{"rd", 0}, {"wr", 0}}}; !reflect.DeepEqual(c.Aliases(), want) {
		t.Errorf("got %v", c.Aliases())
	}
}

// Whatever the file says, reading and applying it ends with a program that validates or
// an error with a place; and what Write then prints can be read and says the same.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(smallConfig))
	f.Add([]byte("version: 1\ninfer: false\nentries: [{func: rd, name: r2, spawned: true}]\noverlap: [[r2, r2]]\nalias: [[r2.0, r2.0]]\n"))
	m, err := models.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := ParseConfig("ep.yaml", src)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "ep.yaml:") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		c.Models()
		p := parse(t, small)
		if c.Apply(p, m) != nil {
			return
		}
		c.Aliases()
		if err := ir.Validate(p); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, p); err != nil {
			t.Fatal(err)
		}
		d, err := ParseConfig("ep.yaml", out.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		q := parse(t, small)
		if err := d.Apply(q, m); err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if !sameSet(show(p), show(q)) {
			t.Fatalf("was\n%sis\n%s", show(p), show(q))
		}
	})
}

func sameSet(a, b string) bool {
	count := map[string]int{}
	for _, l := range strings.Split(a, "\n") {
		count[l]++
	}
	for _, l := range strings.Split(b, "\n") {
		count[l]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
