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
	want := map[int]Mark{1: Race, 2: Race, 3: Alarm, 4: Alarm, 5: NoRace, 6: NoRace, 8: Unseen, 9: Unseen, 10: Ruled, 11: Ruled}
	o := Compare(want, map[int]bool{1: true, 3: true, 5: true, 7: true, 8: true, 10: true})
	got := fmt.Sprint(o.Missed, o.Alarms, o.Known, o.Ruled, o.Gone, o.Seen, o.Races)
	if got != "[2] [5 7] [3] [10] [4 11] [8] 2" {
		t.Errorf("got %s", got)
	}
}

// TestTwins: a file with "#ifdef RACY" is two programs, each with marks of its own.
func TestTwins(t *testing.T) {
	dir := t.TempDir()
	text := "a // RACE! if RACY\n#ifdef RACY\nb // RACE!\n#else\n#if X\nc // NORACE\n#endif\n#endif\n#ifndef RACY\nd // RACE: why\n#endif\ne // RACE if RACY: why\n"
	for name, src := range map[string]string{"two.c": text, "one.c": "a // RACE!\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ps, err := Programs(filepath.Join(dir, "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range ps {
		m, err := p.Marks()
		if err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintln(filepath.Base(p.Name), p.Defines, p.Racy(), m)
	}
	want := "one [] false map[1:RACE!]\ntwo [] false map[1:NORACE 6:NORACE 10:RACE 12:NORACE]\ntwo_racy [RACY] true map[1:RACE! 3:RACE! 12:RACE]\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
