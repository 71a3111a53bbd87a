package invariant

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whoop/trace/witness"
)

var corpus = flag.String("corpus", "", "find and check invariants in all C files below this folder")

// source writes a program to a file.
func source(t *testing.T, text string) Source {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Source{Path: file}
}

// found are the invariants of a program, by line.
func found(t *testing.T, src Source) map[int][]string {
	t.Helper()
	invs, err := Find(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int][]string{}
	for _, v := range Join(invs) {
		out[v.At.Line] = append(out[v.At.Line], v.Value)
	}
	return out
}

const counter = `#include <pthread.h>
int x, y = 7;
struct { int open; } d;
pthread_mutex_t m;
void *worker(void *arg) {
  int i = 0;
  while (i < 10) {
    pthread_mutex_lock(&m);
    if (x < 5) x++;
    d.open = x > 2;
    pthread_mutex_unlock(&m); i++;
  }
  do { i -= 2; } while (i > 0);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, worker, 0);
  }
  for (;;) {
    int i = x;
    if (i == 6) break;
  }
  return 0;
}
`

// TestFind: what is found has the names that are in scope at its place.
func TestFind(t *testing.T) {
	got := found(t, source(t, counter))
	for line, want := range map[int]string{
		6:  "0 <= x && x <= 5 && 0 <= d.open && d.open <= 1",
		7:  "0 <= x && x <= 5 && 0 <= d.open && d.open <= 1 && 0 <= i && i <= 10",
		9:  "0 <= x && x <= 5 && 0 <= d.open && d.open <= 1 && 0 <= i && i <= 9",
		13: "0 <= x && x <= 5 && 0 <= d.open && d.open <= 1 && -1 <= i && i <= 10",
		17: "x == 0",
		18: "0 <= x && x <= 5",
		19: "0 <= x && x <= 5 && 0 <= i && i <= 2",
		21: "0 <= x && x <= 5",
	} {
		if !slices.Equal(got[line], []string{want}) {
			t.Errorf("line %d: %q, want %q", line, got[line], want)
		}
	}
}

// TestForms: expressions for sets, pointers, wide and unsigned types, what is not
// reached; variables that are hidden, or have no value yet.
func TestForms(t *testing.T) {
	got := found(t, source(t, `extern int __VERIFIER_nondet_int(void);
unsigned long long big = 5000000000;
unsigned char c = 200;
int *p, v;
int f(int n) { return n + c; }
int main(void) {
  int u, s = 1;
  if (__VERIFIER_nondet_int()) { s = 9; p = &v; } else p = &s;
  while (__VERIFIER_nondet_int()) { s = s; p = p; big = big; c = c; u = u; }
  { char s = 3; while (__VERIFIER_nondet_int()) s = 4; }
  while (f(-2) > 1000) { s = 5; while (v) v = 1; }
  return s;
}
`))
	for line, want := range map[int][]string{
		5:  {"c == 200 && n == -2"},
		9:  {"big == 5000000000LL && c == 200 && p != 0 && v == 0 && (s == 1 || s == 9)"},
		10: {"big == 5000000000LL && c == 200 && p != 0 && v == 0 && 3 <= s && s <= 4"},
		11: {"big == 5000000000LL && c == 200 && p != 0 && v == 0 && (s == 1 || s == 9)", "0"},
	} {
		if !slices.Equal(got[line], want) {
			t.Errorf("line %d: %q, want %q", line, got[line], want)
		}
	}
}

// TestCheck: each claim is judged by itself.
func TestCheck(t *testing.T) {
	src := source(t, counter)
	at := func(loop bool, line, col int, value string) witness.Invariant {
		return witness.Invariant{Loop: loop, At: witness.Location{Line: line, Column: col}, Value: value}
	}
	invs := []witness.Invariant{
		at(true, 7, 3, "0 <= i && i <= 10"), at(true, 7, 0, "i < 10"), at(true, 18, 3, "i >= 0"), at(false, 9, 5, "x < 5"), at(false, 9, 5, "x == x"),
		at(true, 7, 3, "i++ < 100"), at(true, 7, 3, "f(i)"), at(false, 7, 9, "1"), at(true, 7, 3, "i < (10"), at(true, 7, 3, "1); x = 9; (1"),
		at(true, 13, 3, "i >= -1 && (long)i < 9L"), at(true, 7, 3, "d.open ? 4 <= x : 1"), at(false, 14, 0, "y == 7"), at(false, 23, 5, "sizeof(i) == 4"), at(false, 22, 5, "i == i"),
	}
	rs, err := Check(context.Background(), src, invs, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"proved", "violated", "proved", "violated", "holds", "unusable", "unusable", "unusable", "unusable", "unusable", "proved", "violated", "proved", "proved", "unusable"}
	for i, r := range rs {
		got := "holds"
		switch {
		case r.Unusable != "":
			got = "unusable"
		case r.Violated != nil:
			got = "violated"
			if r.Violated.Steps == nil {
				t.Errorf("%s: the execution cannot be run again", r.Invariant.Value)
			}
		case r.Proved:
			got = "proved"
		}
		if got != want[i] {
			t.Errorf("%d: %s: %s (%s), want %s", r.Invariant.At.Line, r.Invariant.Value, got, r.Unusable, want[i])
		}
		if got == "holds" || got == "proved" {
			if r.Executions < 20 {
				t.Errorf("%s: held in %d executions", r.Invariant.Value, r.Executions)
			}
		}
	}
}

// TestCorpus: no execution violates an invariant that is found.
func TestCorpus(t *testing.T) {
	root, n, files, none := *corpus, 0, 0, 0
	if root == "" {
		root = "../../benchmarks/races/locks"
	}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".c") && !strings.HasSuffix(file, ".i") {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		src := Source{Path: file}
		invs, err := Find(ctx, src)
		if err != nil {
			if *corpus != "" {
				t.Logf("%s: %v", file, strings.Split(err.Error(), "\n")[0])
			}
			none++
			return nil
		}
		rs, err := Check(ctx, src, invs, Limits{NoProof: true, Executions: 30, Steps: 60_000})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return nil
		}
		for _, r := range rs {
			if n++; !r.Holds() {
				t.Errorf("%s:%d: %s: %s (execution %d)", file, r.Invariant.At.Line, r.Invariant.Value, r.Unusable, r.Executions)
			}
		}
		files++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d invariants of %d files; %d files were not followed", n, files, none)
}
