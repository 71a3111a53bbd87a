package kept

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func keyOf(s string) Key { return sha256.Sum256([]byte(s)) }

func TestStore(t *testing.T) {
	s := At(filepath.Join(t.TempDir(), "new"))
	if _, ok := s.Read(keyOf("a")); ok {
		t.Error("something in an empty store")
	}
	s.Write(keyOf("a"), []byte("one"))
	s.Write(keyOf("b"), nil)
	if got, ok := s.Read(keyOf("a")); !ok || string(got) != "one" {
		t.Errorf("got %q, %t", got, ok)
	}
	if got, ok := s.Read(keyOf("b")); !ok || len(got) != 0 {
		t.Errorf("got %q, %t", got, ok)
	}
	var none *Store
	none.Write(keyOf("a"), nil)
	if _, ok := none.Read(keyOf("a")); ok {
		t.Error("something in no store")
	}
}

// TestDamaged: a file that is cut, changed, or of another key, is not there.
func TestDamaged(t *testing.T) {
	s := At(t.TempDir())
	s.Write(keyOf("a"), []byte("something"))
	whole, err := os.ReadFile(s.file(keyOf("a")))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		for _, bad := range [][]byte{whole[:n], slices.Concat(whole[:n], []byte{whole[n] ^ 1}, whole[n+1:])} {
			if err := os.WriteFile(s.file(keyOf("a")), bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, ok := s.Read(keyOf("a")); ok {
				t.Fatalf("damaged at %d, and read", n)
			}
		}
	}
	if err := os.WriteFile(s.file(keyOf("b")), whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Read(keyOf("b")); ok {
		t.Error("the file of another key is read")
	}
}

// TestTogether: many write and read the same files, and find whole ones.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := At(dir)
			for n := range 50 {
				k := fmt.Sprint(n % 5)
				s.Write(keyOf(k), bytes.Repeat([]byte(k), 1000+i))
				if got, ok := s.Read(keyOf(k)); !ok || len(got) < 1000 || string(got[:1]) != k {
					t.Errorf("read %d bytes, %t", len(got), ok)
				}
			}
		})
	}
	wg.Wait()
}

// TestPrune: the oldest files go where there is too much, and what killed runs have left.
func TestPrune(t *testing.T) {
	s := At(t.TempDir())
	s.max = 3500
	left := filepath.Join(s.dir, "new-1")
	if err := os.WriteFile(left, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		s.Write(keyOf(fmt.Sprint(i)), make([]byte, 1000))
		at := time.Now().Add(time.Duration(i-100) * time.Second)
		os.Chtimes(s.file(keyOf(fmt.Sprint(i))), at, at)
	}
	s.prune()
	for i := range 5 {
		if _, ok := s.Read(keyOf(fmt.Sprint(i))); ok != (i >= 2) {
			t.Errorf("file %d: %t", i, ok)
		}
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a killed run has left is there")
	}
}

func TestAnswers(t *testing.T) {
	s := At(t.TempDir())
	a := s.Answers("in")
	a.Put(keyOf("x"), []int{3, 1, 1 << 20})
	a.Put(keyOf("y"), nil)
	a.Save(true)
	if _, ok := s.Answers("other").Get(keyOf("x")); ok {
		t.Error("an answer of another input's file")
	}
	b := s.Answers("in")
	if at, ok := b.Get(keyOf("x")); !ok || !slices.Equal(at, []int{3, 1, 1 << 20}) {
		t.Errorf("got %v, %t", at, ok)
	}
	b.Put(keyOf("z"), []int{0})
	b.Save(false) // cut short: y was not asked for yet
	c := s.Answers("in")
	for _, k := range []string{"x", "y", "z"} {
		if _, ok := c.Get(keyOf(k)); !ok && k != "y" {
			t.Errorf("%s is gone", k)
		}
	}
	c.Put(keyOf("w"), nil)
	c.Save(true)
	if d := s.Answers("in"); len(d.old) != 4 {
		t.Errorf("%d answers, want all that were asked for", len(d.old))
	}
}
