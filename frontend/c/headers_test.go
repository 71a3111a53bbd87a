package c_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/internal/testscope"
)

// The embedded headers alone carry the corpus: a machine without the system's headers can
// read the same programs.
func TestEmbeddedHeadersSuffice(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/races/*/*.c")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d programs found: %v", len(files), err)
	}
	missing := 0
	for i, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !testscope.Every(i, 2) {
			continue
		}
		u, err := c.Parse(f, src, c.Options{NoSystemHeaders: true})
		switch {
		case err != nil && strings.Contains(err.Error(), "include file not found"):
			missing++
			t.Logf("%v", err)
		case err != nil:
			t.Errorf("%v", err)
		case len(u.Degraded) > 0:
			t.Errorf("%s: %v", f, u.Degraded)
		}
	}
	if missing > 0 {
		t.Errorf("%d of %d programs need headers that are not embedded", missing, len(files))
	}
}

// The system's headers, where there are any, are those of 64-bit programs; 32-bit ones
// include them all the same.
func TestSystemHeadersILP32(t *testing.T) {
	src := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\n#include <unistd.h>\nint main(void) { return sizeof(long) == 4 ? 0 : 1; }\n"
	u, err := c.Parse("p.c", []byte(src), c.Options{DataModel: "ILP32"})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Degraded) > 0 {
		t.Error(u.Degraded)
	}
}
