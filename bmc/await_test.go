package bmc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"whoop/pipeline"
)

// TestAwait: bugs of programs that wait for conditions, with their least preemptions;
// verify, which bmc asks for proofs, takes the waits apart, and no mode differs.
func TestAwait(t *testing.T) {
	const put = " await x := &full until eq(x, i32 0)\n store plain &slot, i32 7\n store plain &full, i32 1\n atomic_end\n"
	const get = " await x := &full until eq(x, i32 1)\n y := load plain &slot\n store plain &full, i32 0\n atomic_end\n"
	for _, tc := range []struct{ name, main, thread, want string }{
		{"a buffer of one", get + " assert eq(y, i32 7) tag assert\n", put, ""},
		{"two are put, one is taken", get + " join h\n", put + put, ""},
		{"three are put, one is taken", get + " join h\n", put + put + put, "deadlock 0"},
		{"the full buffer is not taken", " await x := &full until eq(x, i32 0)\n store plain &slot, i32 1\n atomic_end\n join h\n y := load plain &slot\n assert eq(y, i32 7) tag assert\n", put,
			"deadlock 1"},
		{"an access outside of the sections", " y := load plain &slot\n", put, "race 1"},
		{"ordered by the waiting", " await x := &full until eq(x, i32 1)\n atomic_end\n y := load plain &slot\n", put, ""},
	} {
		src := "global full: i32\nglobal slot: i32\nfunc w() void {\n reg x: i32\nentry:\n" + tc.thread + " return\n}\n" +
			"func main() void {\n reg x, y: i32\n reg h: u64\nentry:\n h, _ := spawn w()\n" + tc.main + " return\n}\n" +
			"entry main kind \"main\"\nentry w kind \"thread\" spawned\n"
		lines := strings.Split(src, "\n")
		for i, l := range lines {
			if in := strings.TrimSpace(l); strings.HasPrefix(l, " ") && !strings.HasPrefix(in, "reg") {
				lines[i] += fmt.Sprintf(" @\"p\":%d:1", i)
			}
		}
		src = strings.Join(lines, "\n")
		path := filepath.Join(t.TempDir(), "p.wir")
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, y := range pipeline.Yields {
			r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, FormulasOnly: true, CSB: 2, Unroll: 2, Yields: y})
			if err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			var out []string
			for _, b := range r.Runs[0].Bugs {
				out = append(out, fmt.Sprintf("%s %d", b.Kind, b.CSB))
			}
			sort.Strings(out)
			if got := strings.Join(out, ", "); got != tc.want || r.Runs[0].Reason != "" {
				t.Errorf("%s, %s: %q, want %q %s", tc.name, y, got, tc.want, r.Runs[0].Reason)
			}
		}
	}
}
