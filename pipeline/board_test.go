package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/internal/live"
)

// TestBoard: verify writes on a board what it does, and how much of it is done.
func TestBoard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.c")
	src := "#include <pthread.h>\nint n;\nvoid *run(void *p) { n++; return p; }\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); n++; return 0; }\n"
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	board := live.New()
	if _, err := Verify(live.With(context.Background(), board), path, Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	if got := board.Line(); !strings.Contains(got, "locks") || !strings.Contains(got, "3 of 3 pairs") {
		t.Errorf("board: %q", got)
	}
}
