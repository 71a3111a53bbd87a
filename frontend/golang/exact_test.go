package golang

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir"
)

// exactly lowers a program for bmc, validates it and checks that it prints and parses
// back identically.
func exactly(t *testing.T, dir, root string) string {
	t.Helper()
	p, err := Load(dir, Options{Root: root})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	var a bytes.Buffer
	if err := ir.Print(&a, p); err != nil {
		t.Fatal(err)
	}
	q, err := ir.Parse("printed", a.Bytes())
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if ir.String(q) != a.String() {
		t.Errorf("%s: it prints differently after parsing", dir)
	}
	return a.String()
}

// TestExactCorpus: main programs of the corpus are lowered exactly, to a valid program,
// the same way twice.
func TestExactCorpus(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/golang/*/main.go")
	if err != nil || len(files) < 70 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for i, f := range files {
		if !testscope.Every(i, 5) {
			continue
		}
		text := exactly(t, filepath.Dir(f), "main")
		if strings.Contains(text, "assumption inexact") || strings.Contains(text, "class order") {
			t.Errorf("%s: it is lowered as for verify", f)
		}
		if i%8 == 0 && exactly(t, filepath.Dir(f), "main") != text {
			t.Errorf("%s: it is lowered differently the second time", f)
		}
	}
}

// TestExact: small pieces of Go and what their exact lowering must, and must not,
// contain.
func TestExact(t *testing.T) {
	const never = "await until false"
	for _, tc := range []struct{ name, text, want, not string }{
		{"mutex", "import \"sync\"\nvar mu sync.Mutex\nfunc main() { mu.Lock(); mu.Unlock() }", `what "unlocks"`, "lock exclusive"},
		{"no capacity", "var c = make(chan int)\nfunc main() { c <- 1 }", `what "hands over to a receiver of"`, ""},
		{"capacity", "func main() { c := make(chan int, 1); c <- 1 }", `what "sends to"`, "hands over"},
		{"a channel that is never nil", "func main() { c := make(chan int, 1); c <- 1 }", `what "sends to"`, never},
		{"a channel that may be nil", "func f(c chan int) { <-c }\nfunc main() { f(nil); f(make(chan int)) }", never, ""},
		{"empty select", "func main() { select {} }", never, ""},
		{"default", "func main() { c := make(chan int, 1); select { case c <- 1: default: } }", `until true what "selects at"`, "hands over"},
		{"bytes of a string", "var s = \"abc\"\nfunc main() { if s[1] == 'b' { println() } }", "__text 0", "not known exactly"},
		{"texts are handed on", "import \"fmt\"\nvar s string\nfunc main() { s = fmt.Sprint(1) }", "u32 2147483648", "not known exactly"},
		{"texts are compared", "import \"fmt\"\nfunc main() { if fmt.Sprint(1) == \"1\" { println() } }", "the contents of a string or number are not known", ""},
		{"recover", "func main() { defer func() { recover() }(); panic(1) }", "__unwinding", "not known exactly"},
		{"recover in a method of an interface", "type t struct{}\nfunc (t) m() { recover() }\nfunc main() { var x interface{ m() } = t{}; defer t{}.m(); x.m() }", "recover in a function that is not only deferred", ""},
		{"recover in a method", "type t struct{}\nfunc (t) m() { recover() }\nfunc main() { defer t{}.m(); panic(1) }", "__recoverable", "not only deferred"},
		{"panic", "func main() { panic(1) }", "tag panic", ""},
		{"go panic", "func main() { go panic(1) }", "a goroutine that panics at once", ""},
		{"index", "var s []int\nfunc main() { s[1] = 1 }", `msg "index out of range"`, ""},
		{"index of an array", "var s [2]int\nfunc main() { s[1] = 1 }", "store plain", "index out of range"},
		{"two sends", "func main() { a, b := make(chan int), make(chan int); select { case a <- 1: case b <- 1: } }", "sends to several channels", ""},
		{"a select that would meet itself", "func f(a, b chan int) { select { case a <- 1: case <-b: } }\nfunc main() { c := make(chan int); go f(c, c); c <- 2 }", "sends to and receives from", ""},
	} {
		text := exactly(t, source(t, "1.25", tc.text), "main")
		if !strings.Contains(text, tc.want) || tc.not != "" && strings.Contains(text, tc.not) {
			t.Errorf("%s: want %q and not %q:\n%s", tc.name, tc.want, tc.not, text)
		}
	}
}
