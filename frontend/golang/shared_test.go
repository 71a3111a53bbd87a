package golang

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"whoop/frontend/golang/world"
)

// TestUnshared: which sentences say that a type is not for several goroutines.
func TestUnshared(t *testing.T) {
	for doc, want := range map[string]bool{
		"A Tx must not be used concurrently.":                                true,
		"Iter is not safe for concurrent use.":                               true,
		"It can't be shared between goroutines.":                             true,
		"A Batch is not thread-safe.":                                        true,
		"Cursors cannot be accessed by several goroutines.":                  true,
		"A Pool does not block, and is safe for concurrent use.":             false,
		"Cache never starts goroutines.":                                     false,
		"A Map does not need a lock. Several goroutines may use it":          false,
		"Close must not be called twice. It may be called by any goroutine.": false,
	} {
		if got := world.Unshared.MatchString(doc); got != want {
			t.Errorf("%q: %t", doc, got)
		}
	}
}

// TestPromise: which sentences say that several goroutines may use something.
func TestPromise(t *testing.T) {
	for doc, want := range map[string]bool{
		"A Cache is safe for concurrent use.":                     true,
		"It may be called by several goroutines.":                 true,
		"Memo returns a function that goroutines may call.":       true,
		"Values can be shared by many goroutines.":                true,
		"Get may be called from different goroutines.":            true,
		"Sum uses one goroutine for each part.":                   false,
		"It must not be called from several goroutines.":          false,
		"Start starts a goroutine, and returns before it is done": false,
	} {
		if got := world.Promise.MatchString(doc) && !world.Denial.MatchString(doc); got != want {
			t.Errorf("%q: %t", doc, got)
		}
	}
}

// TestClassify: what makes a type one for concurrent use.
func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		entries   []string
	}{
		{"a lock in it", "type T struct{ mu [2]sync.Mutex }\nfunc (t *T) M() {}", []string{"(*T).M"}},
		{"a promise", "// T is safe for concurrent use.\ntype T struct{ n int }\nfunc (t *T) M() {}", []string{"(*T).M"}},
		{"a channel that is not for others", "type T struct{ c chan int }\nfunc (t *T) M() {}", []string{"(*T).M"}},
		{"a channel that users set", "type O struct{ C chan int }\nfunc (o *O) M() { o.C = nil }\ntype T struct{ mu sync.Mutex }\nfunc (t *T) N() {}", []string{"(*T).N"}},
		{"atomics, and a denial", "// T must not be used by several goroutines.\ntype T struct{ n atomic.Int64 }\nfunc (t *T) M() {}\n" +
			"type U struct{ mu sync.Mutex }\nfunc (t *U) N() {}", []string{"(*U).N"}},
		{"a lock behind what only a shared type gives is the giver's", "type T struct{ mu sync.Mutex }\ntype V struct{ t *T }\n" +
			"func (t *T) View() *V { return &V{t} }\nfunc (v *V) M() {}", []string{"(*T).View"}},
		{"a lock behind what is made by a function", "type s struct{ mu sync.Mutex }\ntype T struct{ s *s }\nfunc New() *T { return &T{&s{}} }\nfunc (t *T) M() {}", []string{"(*T).M"}},
		{"counters in what only a shared type gives are the giver's affair", "type T struct{ mu sync.Mutex }\ntype c struct{ n atomic.Int64 }\ntype X struct{ t *T; c c }\n" +
			"func (t *T) Begin() *X { return &X{t: t} }\nfunc (x *X) M() { x.c.n.Add(1) }", []string{"(*T).Begin"}},
		{"an atomic in it", "type T struct{ mu sync.Mutex }\ntype X struct{ n atomic.Int64 }\n" +
			"func (t *T) Get() *X { return &X{} }\nfunc (x *X) M() { x.n.Add(1) }", []string{"(*T).Get", "(*X).M"}},
		{"a function that starts goroutines", "func F() { go func() { var n atomic.Int32; n.Add(1) }() }\nvar _ sync.Mutex", []string{"F"}},
	} {
		dir := t.TempDir()
		src := "package q\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ sync.Locker\nvar _ *atomic.Bool\n" + tc.src + "\n"
		for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "q.go": src} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := lower(t, dir)
		var got []string
		for _, e := range p.Entries {
			if !e.Init && !e.Spawned {
				got = append(got, e.Name)
			}
		}
		if !slices.Equal(got, tc.entries) {
			t.Errorf("%s: entry points %q, want %q", tc.name, got, tc.entries)
		}
	}
}
