package alias

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/ir"
)

func load(t testing.TB, file string) *ir.Program {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(filepath.Base(file), src)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

func printed(r *Result) string {
	var b bytes.Buffer
	r.Print(&b)
	return b.String()
}

// TestFiles checks each testdata/*.wir against the lines behind "//?" in it: each must
// occur in the printed result; lines behind "//!" must not.
func TestFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.wir")
	if len(files) == 0 {
		t.Fatal("no test files")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, _ := os.ReadFile(file)
			got := printed(Analyze(load(t, file), Options{}))
			n := 0
			for _, line := range strings.Split(string(src), "\n") {
				if w, ok := strings.CutPrefix(line, "//? "); ok {
					n++
					if !strings.Contains(got, strings.TrimSpace(w)) {
						t.Errorf("missing: %s", w)
					}
				}
				if w, ok := strings.CutPrefix(line, "//! "); ok {
					n++
					if strings.Contains(got, strings.TrimSpace(w)) {
						t.Errorf("unexpected: %s", w)
					}
				}
			}
			if n == 0 {
				t.Error("no expectations")
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("%s", got)
			}
			if again := printed(Analyze(load(t, file), Options{})); again != got {
				t.Error("a second run gives another result")
			}
		})
	}
}
