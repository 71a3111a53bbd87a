package bmc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"whoop/pipeline"
)

// TestChoice: a bug behind one of several alternatives, of which the others are not
// followed, is replayed, whatever number the solver takes for the last one.
func TestChoice(t *testing.T) {
	for _, n := range []int{3, 5} {
		src, targets := "", ""
		for i := range n {
			targets += fmt.Sprintf(", c%d", i)
			src += fmt.Sprintf("c%d:\n", i)
			if i < n-1 {
				src += " call nf()\n"
			}
			src += " goto out\n"
		}
		src = "global m: i32\nfunc nf() void unknown \"not followed\"\nfunc w() void {\n reg a: i32\nentry:\n goto " + targets[2:] + "\n" + src +
			"out:\n a := load plain &m\n assert ne(a, i32 0) tag assert msg \"x\"\n return\n}\n" +
			"func main() void {\n reg h: u64\nentry:\n h, _ := spawn w()\n return\n}\nentry main kind \"main\"\nentry w kind \"thread\" spawned\n"
		path := filepath.Join(t.TempDir(), "p.wir")
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		for csb := range 4 {
			r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, FormulasOnly: true, CSB: csb, Unroll: 2, Yields: "mr"})
			if err != nil {
				t.Fatal(err)
			}
			if run := &r.Runs[0]; len(run.Bugs) != 1 || run.Reason != "" {
				t.Errorf("%d alternatives, csb %d: %d bugs %s", n, csb, len(run.Bugs), run.Reason)
			}
		}
	}
}
