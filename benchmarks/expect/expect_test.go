package expect

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRead: each mark is told from the others, and a word that only contains one is none.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.go")
	text := "a // RACE!\nb // RACE: why\nc // NORACE\nd // no RACE\n// RACE! once\n// UNSEEN: why\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]Mark{1: Race, 2: Alarm, 3: NoRace, 5: Race, 6: Unseen}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for n, m := range want {
		if got[n] != m {
			t.Errorf("line %d: %q, want %q", n, got[n], m)
		}
	}
}

// TestReadMissing: a file that is not there is an error.
func TestReadMissing(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none.go")); err == nil {
		t.Error("no error")
	}
}

// TestCompare: each expectation is told from the others.
func TestCompare(t *testing.T) {
	want := map[int]Mark{1: Race, 2: Race, 3: Alarm, 4: Alarm, 5: NoRace, 6: NoRace, 8: Unseen, 9: Unseen}
	o := Compare(want, map[int]bool{1: true, 3: true, 5: true, 7: true, 8: true})
	got := fmt.Sprint(o.Missed, o.Alarms, o.Known, o.Gone, o.Seen, o.Races)
	if got != "[2] [5 7] [3] [4] [8] 2" {
		t.Errorf("got %s", got)
	}
}
