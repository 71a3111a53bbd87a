package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestOnlyUnseenStarts: a thread that main starts once does not race with itself only
// because main calls a function that is not understood, which might start another: that
// is not known. What threads that are seen to be started do is.
func TestOnlyUnseenStarts(t *testing.T) {
	const pre = "#include <setjmp.h>\n#include <pthread.h>\njmp_buf b; int g; void *t(void *a) { g++; return 0; } void odd(void) { setjmp(b); }\n"
	for _, c := range []struct {
		name, main string
		want       diag.Verdict
		reason     string
	}{
		{"one thread", "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); odd(); pthread_join(h, 0); return 0; }", diag.Unknown, "is not understood, and may start threads: setjmp returns again"},
		{"two threads", "int main(void) { pthread_t h, k; pthread_create(&h, 0, t, 0); odd(); pthread_create(&k, 0, t, 0); return 0; }", diag.Racy, ""},
	} {
		path := filepath.Join(t.TempDir(), "c.c")
		if err := os.WriteFile(path, []byte(pre+c.main+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := Verify(context.Background(), path, Options{Jobs: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, p := range rep.Pairs {
			if p.First == "t" && p.Second == "t" && (p.Verdict != c.want || !strings.Contains(p.Reason, c.reason)) {
				t.Errorf("%s: %s, %q", c.name, p.Verdict, p.Reason)
			}
		}
	}
}

// TestUnseenCall: what a library yields that is not seen may start threads when it is
// called, so that nothing is known of a program that starts none itself.
func TestUnseenCall(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"main.go": `package main

import "plugin"

func main() {
	n := 0
	if p, err := plugin.Open("x.so"); err == nil {
		if f, err := p.Lookup("Run"); err == nil {
			f.(func(*int))(&n)
		}
	}
	n++
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Verify(context.Background(), dir, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != diag.Unknown || len(rep.Looked.Unseen) != 1 ||
		!strings.Contains(rep.Looked.Unseen[0], "main.go:9:18: a function that is not seen") {
		t.Errorf("%s, unseen %q", rep.Verdict, rep.Looked.Unseen)
	}
}

// TestOneReceiver: files that keep an error which leads to nothing share nothing, and
// their methods are compared on one value; those that keep one which counts do not.
func TestOneReceiver(t *testing.T) {
	for dir, one := range map[string]bool{"lib_share_errors_ok": true, "lib_share_errors": false} {
		rep, err := Verify(context.Background(), "../benchmarks/golang/"+dir, Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(rep.Assumptions, func(a ir.Assumption) bool { return a.Kind == "one-receiver" })
		if got != one {
			t.Errorf("%s: one receiver %t, want %t", dir, got, one)
		}
	}
}
