package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"whoop/benchmarks/expect"
)

// report is one report of the detector about the program /p/x/main.go, with a call of the
// library on top of its second access.
const report = `==================
WARNING: DATA RACE
Read at 0x000000585820 by main goroutine:
  main.get()
      /p/x/main.go:14 +0x30
  main.main()
      /p/x/main.go:26 +0x29

Previous write at 0x000000585820 by goroutine 7:
  bytes.(*Buffer).Write()
      /go/src/bytes/buffer.go:170 +0xf3
  main.set()
      /p/x/main.go:18 +0xf3

Goroutine 7 (finished) created at:
  main.main()
      /p/x/main.go:25 +0x24
==================
`

// TestRaces: an access is at the innermost call in the program's file, and where the
// goroutines were started does not count.
func TestRaces(t *testing.T) {
	p := program{file: "/p/x/main.go"}
	if got, want := p.races(report+report), map[pair]bool{{14, 18}: true}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	lost := strings.Replace(report, "      /p/x/main.go:18 +0xf3\n", "  [failed to restore the stack]\n", 1)
	if got, want := p.races(lost), map[pair]bool{{0, 14}: true}; !reflect.DeepEqual(got, want) {
		t.Errorf("with a lost stack: got %v, want %v", got, want)
	}
	if got := p.races("exit status 66\n"); len(got) != 0 {
		t.Errorf("without a report: got %v", got)
	}
}

// TestStretch: each statement gets a pause, cases do not, and no line moves.
func TestStretch(t *testing.T) {
	in := "package main\n\nfunc main() {\n\tx := 1\n\tswitch x {\n\tcase 1:\n\t\tx++\n\t}\n\tgo func() { x = 2 }()\n}\n"
	got, err := stretch([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(got), "pauseHere(); "); n != 5 {
		t.Errorf("%d pauses, want 5:\n%s", n, got)
	}
	if strings.Count(in, "\n") != strings.Count(string(got), "\n") {
		t.Error("lines have moved")
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
		t.Error(err)
	}
}

// TestRow: what the detector shows beyond the annotations, or beyond verify, is told.
func TestRow(t *testing.T) {
	r := row{program: program{dir: "x", want: map[int]expect.Mark{1: expect.Race, 2: expect.Race, 3: expect.Alarm}},
		seen:     sightings{runs: 2, racy: 1, pairs: map[pair]int{{1, 4}: 1, {0, 1}: 1, {1, 2}: 1}},
		reported: map[pair]bool{{1, 2}: true, {3, 3}: true}}
	if got := r.unexpected(); !reflect.DeepEqual(got, []int{4}) {
		t.Errorf("unexpected: %v", got)
	}
	if got := r.unreported(); !reflect.DeepEqual(got, []pair{{1, 4}}) {
		t.Errorf("unreported: %v", got)
	}
	all, hit := r.racy(r.seen.lines())
	if got := fmt.Sprint(all, hit, r.alarms()); got != "2 2 1" {
		t.Errorf("racy, shown, alarms: %s", got)
	}
	var b strings.Builder
	if !complain(&b, []row{r}) || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("complaints: %s", b.String())
	}
}

// TestFind: programs are found below a directory, with their annotations.
func TestFind(t *testing.T) {
	ps, err := find([]string{filepath.Join("..", "golang", "counter_racy")})
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) != 1 || ps[0].library || len(ps[0].want) != 2 {
		t.Errorf("got %+v", ps)
	}
	if _, err := find([]string{t.TempDir()}); err == nil {
		t.Error("an empty directory is no error")
	}
}
