package library

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGetter: only methods that obviously do no more than to select count, whatever else
// has their name.
func TestGetter(t *testing.T) {
	dir := t.TempDir()
	src := `package lib

type T struct {
	out    any
	run    func() any
	parent *T
	other  Other
}

func (t *T) Out() any { return t.get(nil) }

func (t *T) get(def any) any {
	if t.out != nil {
		return t.out
	}
	if t.HasParent() {
		return t.parent.get(def)
	}
	return def
}

func (t *T) HasParent() bool { return t.parent != nil }

func (t *T) Ran() any { return t.run() }

func (t *T) Set() any { t.out = nil; return t.out }

func (t *T) Foreign() any { return t.other.HasParent() }

func (t *T) Through() any { return t.Ran() }

func (t *T) Twice() any { return t.out }

func (t *T) ping() any { if t.out != nil { return t.pong() }; return t.run() }

func (t *T) pong() any { return t.ping() }

type U struct{ f func() any }

func (u *U) Twice() any { return u.f() }

`
	shadowed := `package lib

type V struct{ out any }

func (v *V) Out() any { return v.out }

func (v *V) Apply(Out func() any) any { return Out() }
`
	for _, c := range []struct {
		src  string
		want map[string]bool
	}{
		{src, map[string]bool{"Out": true, "get": true, "HasParent": true, "Ran": false, "Set": false, "Foreign": false, "Through": false, "Twice": false, "None": false,
			"ping": false, "pong": false}},
		// what is called by that name is not known
		{shadowed, map[string]bool{"Out": false, "Apply": false}},
	} {
		if err := os.WriteFile(filepath.Join(dir, "lib.go"), []byte(c.src), 0o600); err != nil {
			t.Fatal(err)
		}
		s := ReadSource(dir)
		if s == nil {
			t.Fatal("not read")
		}
		for name, want := range c.want {
			if got := s.Getter(name); got != want {
				t.Errorf("%s: %t, want %t", name, got, want)
			}
		}
	}
	if ReadSource(filepath.Join(dir, "none")) != nil {
		t.Error("a directory that is not there was read")
	}
}
