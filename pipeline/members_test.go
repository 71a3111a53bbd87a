package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
)

// TestMembers: of a library whose entries are proved together, what is said of each pair
// is what is said where they are proved one by one, and each racy pair has a race.
func TestMembers(t *testing.T) {
	dir := t.TempDir()
	text := `package x

import "sync"

type T struct {
	mu           sync.Mutex
	guarded, bare int
}

func New() *T { return &T{} }

func (t *T) bump() { t.guarded++ }
func (t *T) show() int { return t.bare }
`
	for i := range 4 {
		text += fmt.Sprintf(`
func (t *T) Safe%d() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bump()
}

func (t *T) Reads%d() int { return t.show() }
`, i, i)
	}
	text += "\nfunc (t *T) Writes() { t.bare = 1 }\nfunc (t *T) Unsafe() { t.bump() }\n"
	for name, text := range map[string]string{"go.mod": "module x\ngo 1.21\n", "x.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Verify(context.Background(), dir, Options{tiers: true})
	if err != nil {
		t.Fatal(err)
	}
	want := func(a, b string) bool {
		in := func(name, kind string) bool { return strings.HasPrefix(name, "(*T)."+kind) }
		one := func(x, y string) bool {
			return in(a, x) && in(b, y) || in(a, y) && in(b, x)
		}
		return one("Safe", "Unsafe") || one("Unsafe", "Unsafe") || one("Reads", "Writes") || one("Writes", "Writes")
	}
	races := map[string]bool{}
	for _, r := range rep.Races {
		for _, p := range append(r.Pairs, r.First.Entry+","+r.Second.Entry) {
			races[p] = true
		}
		for _, m := range r.Among {
			for _, a := range m.First {
				for _, b := range m.Second {
					races[a+","+b] = true
				}
			}
		}
	}
	for _, p := range rep.Pairs {
		racy := want(p.First, p.Second)
		if racy != (p.Verdict == diag.Racy) || !racy && p.Verdict != diag.RaceFree {
			t.Errorf("%s, %s: %s", p.First, p.Second, p.Verdict)
		}
		if racy && !races[p.First+","+p.Second] && !races[p.Second+","+p.First] {
			t.Errorf("%s, %s: racy without a race", p.First, p.Second)
		}
	}
	once, err := Verify(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Pairs) != len(once.Pairs) {
		t.Errorf("%d pairs, want %d", len(rep.Pairs), len(once.Pairs))
	}
}

// TestMembersWild: what one entry writes through a pointer that may lead anywhere others
// read, though they are proved together: A does not know which lock it takes.
func TestMembersWild(t *testing.T) {
	dir := t.TempDir()
	text := `package x

import (
	"sync"
	"unsafe"
)

type T struct {
	once sync.Once
	mu   *sync.Mutex
	n    int
}

func New() *T { return &T{mu: &sync.Mutex{}} }

func (t *T) A() {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
}

func (t *T) Poke(u uintptr) { *(**sync.Mutex)(unsafe.Pointer(u)) = &sync.Mutex{} }
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
		if says["(*T).A,(*T).A"] == string(diag.RaceFree) || says["(*T).A,(*T).Poke"] != string(diag.Unknown) {
			t.Errorf("tiers %t: A with itself %s, with Poke %s", tiers, says["(*T).A,(*T).A"], says["(*T).A,(*T).Poke"])
		}
	}
}
