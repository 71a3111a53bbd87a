package bmc

import (
	"sync"
	"testing"
)

// Subtests, those that run in parallel, and what is done after a test.

// want: race 1
func TestParallelSubtests(t *testing.T) {
	n := 0
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n++
		})
	}
}

// want: none
func TestParallelSubtestsLocked(t *testing.T) {
	var mu sync.Mutex
	n := 0
	t.Cleanup(func() {
		if n != 2 {
			t.Fatal("it is called after the subtests")
		}
	})
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
}

// What a test does after Run comes before what its parallel subtests do.
// want: none
func TestParallelSubtestGoesOnLater(t *testing.T) {
	n := 0
	t.Run("later", func(t *testing.T) {
		n = 1
		t.Parallel()
		if n != 2 {
			t.Fatal("it went on before the test ended")
		}
		n = 3
	})
	if n != 1 {
		t.Fatal("Run returned too early")
	}
	n = 2
}

// A goroutine that is left over runs beside them.
// want: race 1
func TestParallelSubtestAndGoroutine(t *testing.T) {
	n := 0
	t.Run("later", func(t *testing.T) {
		t.Parallel()
		n = 1
	})
	go func() { n++ }()
}

// A test that waits for a parallel subtest waits for ever.
// want: deadlock 0
func TestParallelSubtestAwaited(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	t.Run("later", func(t *testing.T) {
		t.Parallel()
		wg.Done()
	})
	wg.Wait()
}

// The usual way round that: a group, which Run waits for.
// want: none
func TestParallelSubtestsInGroup(t *testing.T) {
	n := 0
	var mu sync.Mutex
	t.Run("group", func(t *testing.T) {
		t.Run("a", func(t *testing.T) {
			t.Parallel()
			mu.Lock()
			n++
			mu.Unlock()
		})
	})
	if n != 1 {
		t.Fatal("Run returned before the group had ended")
	}
}

// A subtest that ends itself does not end the test.
// want: panic 0
func TestSkippedSubtest(t *testing.T) {
	var m map[string]int
	t.Run("skipped", func(t *testing.T) {
		t.Skip("not today")
		m["a"] = 1
	})
	t.Run("next", func(t *testing.T) { m["b"] = 1 })
}

// want: none
func TestCleanups(t *testing.T) {
	order := 0
	step := func(want int) func() {
		return func() {
			if order != want {
				t.Error("out of order")
			}
			order++
		}
	}
	t.Cleanup(step(3))
	t.Run("sub", func(t *testing.T) {
		t.Cleanup(step(1))
		t.Cleanup(step(0))
	})
	t.Cleanup(step(2))
	if order == 2 {
		t.SkipNow()
	}
	t.Error("those of the subtest have not run")
}

// want: race 1
func TestCleanupRaces(t *testing.T) {
	n := 0
	t.Cleanup(func() { n = 1 })
	go func() { n++ }()
}

// A test in the usual form, and the bug that Go had before version 1.22.
// want: none
func TestTable(t *testing.T) {
	for _, c := range []struct{ in, want int }{{1, 2}, {2, 4}} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if got := c.in * 2; got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// want: assert 0
func TestTableOld(t *testing.T) {
	var c struct{ in, want int }
	for _, c = range []struct{ in, want int }{{1, 2}, {2, 4}} {
		in := c.in
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if got := in * 2; got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// The context of a test ends before what is done after it.
// want: none
func TestContextOfTest(t *testing.T) {
	ctx := t.Context()
	t.Cleanup(func() {
		if ctx.Err() == nil {
			t.Error("it has not ended")
		}
		<-ctx.Done()
	})
	if ctx.Err() != nil {
		t.Error("it has ended before the test")
	}
}

// want: deadlock 0
func TestContextOfTestAwaited(t *testing.T) {
	<-t.Context().Done()
}
