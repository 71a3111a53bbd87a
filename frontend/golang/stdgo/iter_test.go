package stdgo

import (
	"fmt"
	"iter"
	"slices"
	"testing"
)

// pulled is what happens when an iterator is pulled as a script says: n is next, s is
// stop.
func pulled(script string, pull func(iter.Seq[int]) (func() (int, bool), func())) (out []string) {
	say := func(v ...any) { out = append(out, fmt.Sprint(v...)) }
	next, stop := pull(func(yield func(int) bool) {
		defer say("end")
		for i := range 2 {
			say("yields", i)
			if !yield(i) {
				say("stopped")
				return
			}
		}
		if len(script) > 4 {
			panic("failed")
		}
	})
	try := func(f func()) {
		defer func() {
			if e := recover(); e != nil {
				say("panic", e)
			}
		}()
		f()
	}
	for _, c := range script {
		try(func() {
			if c == 'n' {
				v, ok := next()
				say("next", v, ok)
			} else {
				stop()
				say("stop")
			}
		})
	}
	stop()
	return out
}

// TestPull: Pull does what package iter's does.
func TestPull(t *testing.T) {
	for _, script := range []string{"", "n", "s", "nn", "ns", "sn", "nnn", "nsn", "nnsn", "nnnn", "nnnsn", "nnnnn", "nnssn"} {
		if got, want := pulled(script, pull[int]), pulled(script, iter.Pull[int]); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
	next, stop := pull2(slices.All([]string{"a"}))
	defer stop()
	k, v, ok := next()
	if _, _, more := next(); k != 0 || v != "a" || !ok || more {
		t.Errorf("%d %q %v %v", k, v, ok, more)
	}
}
