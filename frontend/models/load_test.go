package models

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T) *Set {
	t.Helper()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoad(t *testing.T) {
	s := load(t)
	f := s.Func("pthread_mutex_trylock")
	if f == nil || f.Op != OpLock || f.Arg["lock"] != 0 || f.Success != "zero" {
		t.Fatalf("pthread_mutex_trylock: %+v", f)
	}
	if s.Func("no_such_function") != nil {
		t.Error("a model for no_such_function")
	}
	if g := s.Func("rtnl_lock"); g == nil || g.Global != "rtnl" {
		t.Errorf("rtnl_lock: %+v", g)
	}
	if tab := s.Tables["net_device_ops"]; tab == nil || len(tab.Holds["rtnl"]) == 0 {
		t.Errorf("net_device_ops: %+v", tab)
	}
	t.Logf("%d functions, %d tables, %d rules", len(s.funcs), len(s.Tables), len(s.Rules))
}

// Locks and unlocks come in pairs: of every lock, some unlock has the same class, name
// and mode.
func TestLocksCanBeUnlocked(t *testing.T) {
	type key struct{ class, global, mode string }
	s := load(t)
	mode := func(f *Func) string {
		if f.Mode == "" {
			return "exclusive"
		}
		return f.Mode
	}
	unlocks := map[key]bool{}
	for _, f := range s.funcs {
		if f.Op == OpUnlock {
			unlocks[key{f.Class, f.Global, mode(f)}] = true
			if f.Mode == "" {
				unlocks[key{f.Class, f.Global, "shared"}] = true
			}
		}
	}
	for n, f := range s.funcs {
		if f.Op == OpLock && !unlocks[key{f.Class, f.Global, mode(f)}] {
			t.Errorf("nothing unlocks what %s locks (class %s, global %q, mode %s)", n, f.Class, f.Global, mode(f))
		}
	}
}

// Every kind that a callback or a registration names is known, so that a typing error
// does not silently match nothing.
func TestKindsAreKnown(t *testing.T) {
	s := load(t)
	known := func(kind string) bool {
		kind = strings.TrimPrefix(kind, "exit:")
		if _, ok := s.CallbackKinds[kind]; ok {
			return true
		}
		tag, _, _ := strings.Cut(kind, ".")
		return s.Tables[tag] != nil
	}
	for n, f := range s.funcs {
		if f.EntryKind != "" && !known(f.EntryKind) {
			t.Errorf("%s: entry_kind %s is neither a table nor a callback kind", n, f.EntryKind)
		}
		for _, k := range f.Kinds {
			if !known(k) {
				t.Errorf("%s: kind %s is neither a table nor a callback kind", n, k)
			}
		}
	}
	for _, r := range s.Rules {
		for _, k := range []string{r.A, r.B} {
			if !known(k) {
				t.Errorf("rule %+v: %s is neither a table nor a callback kind", r, k)
			}
		}
	}
}

func TestExtraFilesOverride(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mine.yaml")
	src := "version: 1\nfuncs:\n  - {names: [mutex_lock, my_lock], op: lock, arg: {lock: 1}, class: rwsem}\n" +
		"tables:\n  - {struct: my_ops}\nrules:\n  - {a: my_ops, b: irq, reason: because}\n"
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Func("mutex_lock"); f.Class != "rwsem" ||
		f != s.Func("my_lock") && s.Func("my_lock").Arg["lock"] != 1 {
		t.Errorf("mutex_lock: %+v", f)
	}
	if s.Func("mutex_lock_interruptible").Class != "mutex" {
		t.Error("another function changed")
	}
	if s.Tables["my_ops"] == nil || s.Rules[len(s.Rules)-1].Reason != "because" {
		t.Error("the table or the rule is missing")
	}
}

func TestErrorsHavePlaces(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"version: 2\n", "m.yaml:1: version is 2"},
		{"version: 1\nfuncs:\n  - {names: [f], op: lock, arg: {lock: 0}, class: mutxe}\n",
			"m.yaml:3: f: class of a lock is \"mutxe\""},
		{"version: 1\nfuncs:\n  - {names: [f], op: pure, colour: red}\n", `m.yaml:3: unknown key colour`},
		{"version: 1\nfuncs:\n  - {names: [g], op: pure}\n  - {names: [f], op: lock}\n", "m.yaml:4: f: op lock needs the role lock"},
		{"version: 1\nfuncs:\n  - {names: [f], op: fly}\n", `m.yaml:3: f: there is no op "fly"`},
		{"version: 1\nfuncs:\n  - {names: [f], op: pure, arg: {lock: 0}}\n", `m.yaml:3: f: op pure has no role "lock"`},
		{"version: 1\nfuncs:\n  - {names: [f], op: lock, arg: {lock: 0}, success: maybe}\n", "m.yaml:3: f: success is"},
		{"version: 1\nfuncs:\n  - {names: [f], op: pure, ret: \"arg:x\"}\n", "m.yaml:3: f: ret:"},
		{"version: 1\nrules:\n  - {a: x}\n", "m.yaml:3: a rule needs"},
		{"version: 1\nfuncs:\n  - {names: [f], op: lock, arg: {lock: 0}, success: nonneg, failure: 1}\n", "m.yaml:3: f: failure is 1"},
		{"version: 1\nfuncs:\n  - {names: [f], op: lock, arg: {lock: 0}, worked: 1}\n", "m.yaml:3: f: worked is 1"},
		{"version: 1\ninitcalls:\n  x: sometimes\n", "m.yaml:3: initcalls: x"},
		{"version: 1\nchanges:\n  s: {m: 0}\n", "m.yaml:3: changes: s.m: no bit"},
		{"version: 1\nfuncs: 3\n", "m.yaml:2: "},
		{"version: 1\n---\nversion: 1\n", "m.yaml:2: a second document"},
		{"version: [\n", "m.yaml:"},
		{"", "m.yaml:1: version is 0"},
	} {
		_, err := Decode("m.yaml", []byte(c.src))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "models.") {
			t.Errorf("%q: error is %v, want %s", c.src, err, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("version: 1\nfuncs:\n  - {names: [f], op: lock, arg: {lock: 0}}\ntables:\n  - {struct: s, entry: [m]}\n"))
	f.Add([]byte("version: 1\nrules: [{a: x, b: y, reason: z}]\ninitcalls: {p: init}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Decode("m.yaml", src)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m.yaml:") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		s := newSet()
		s.Add(m)
	})
}

var update = flag.Bool("update", false, "write data/generated.json anew")

// TestGenerated: Load has what the YAML files of the built-in models say, which are
// without error and contradiction.
func TestGenerated(t *testing.T) {
	names, err := filepath.Glob("data/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	slices.Sort(names)
	var files []*File
	want, seen := newSet(), map[string]string{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Decode(name, src)
		if err == nil {
			err = noRepeats(name, f, seen)
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		want.Add(f)
	}
	if *update {
		text, err := json.Marshal(files)
		if err == nil {
			err = os.WriteFile("data/generated.json", bytes.ReplaceAll(append(text, '\n'), []byte(`},{"Names"`), []byte("},\n{\"Names\"")), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := load(t); !reflect.DeepEqual(got, want) {
		t.Error("data/generated.json is not what data/*.yaml says: run go generate ./frontend/models")
	}
}

// noRepeats rejects a built-in function or table that two places describe: one of them
// would silently win.
func noRepeats(file string, f *File, seen map[string]string) error {
	note := func(what, name string) error {
		key := what + " " + name
		if other, dup := seen[key]; dup {
			return fmt.Errorf("%s: %s is also in %s", file, key, other)
		}
		seen[key] = file
		return nil
	}
	for _, fn := range f.Funcs {
		for _, n := range fn.Names {
			if err := note("function", n); err != nil {
				return err
			}
		}
	}
	for t := range f.Changes {
		if err := note("changes of", t); err != nil {
			return err
		}
	}
	for _, t := range f.Tables {
		if err := note("table", t.Struct); err != nil {
			return err
		}
	}
	return nil
}
