package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"whoop/diag"
)

// TestLateEntries checks that a program is unknown, and not rejected or taken for one
// without callbacks, when the time is up before its entry points are found.
func TestLateEntries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late.c")
	if err := os.WriteFile(file, []byte("int x; void on(int n) { x = n; } void each(void (*f)(int)); int main(void) { each(on); x = 1; return x; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err := Verify(t.Context(), file, Options{Timeout: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != diag.Unknown || rep.ExitStatus() != 3 || len(rep.Pairs) == 0 {
		t.Fatalf("%s, exit status %d, %d pairs; want unknown", rep.Verdict, rep.ExitStatus(), len(rep.Pairs))
	}
	for _, p := range rep.Pairs {
		if p.Verdict != diag.Unknown || !strings.Contains(p.Reason, "not all found in time") {
			t.Errorf("%s and %s: %s (%s)", p.First, p.Second, p.Verdict, p.Reason)
		}
	}
}

// TestParserWithoutEnd checks that a front end that does not end is left alone when the
// time is over, and that one that ends a little late, or panics, is not.
func TestParserWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		forever := make(chan int)
		defer close(forever)
		start := time.Now()
		_, err := inTime(ctx, "a.c", func() (int, error) { return <-forever, nil })
		var late *Late
		if !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "a.c") {
			t.Errorf("%v, want that a.c was not read in time", err)
		}
		if d := time.Since(start); d > time.Minute+grace {
			t.Errorf("it took %v", d)
		}
		soon := func() (int, error) { time.Sleep(grace / 2); return 1, nil }
		if n, err := inTime(ctx, "a.c", soon); n != 1 || err != nil {
			t.Errorf("%d, %v: want what was read a little late", n, err)
		}
		defer func() {
			if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "broken") || !strings.Contains(fmt.Sprint(r), "late_test.go:") {
				t.Errorf("%v, want the front end's panic, and where it was raised", r)
			}
		}()
		_, _ = inTime(ctx, "a.c", func() (int, error) { panic("broken") })
	})
}

// TestUnread checks that an input that was not read in time is unknown, and that the
// report says why.
func TestUnread(t *testing.T) {
	why := &Late{"p", context.DeadlineExceeded}
	rep := unreadInput(why)
	if rep.Verdict != diag.Unknown || rep.ExitStatus() != 3 || !rep.Looked.Unread || len(rep.Notes) != 1 {
		t.Errorf("%+v, exit status %d; want unknown, with a note", rep, rep.ExitStatus())
	}
}
