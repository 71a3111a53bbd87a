package absint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"whoop/ir"
)

// TestAcyclic: the blocks on no cycle are those that do not lead to themselves.
func TestAcyclic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		f := &ir.Func{}
		for i := range 1 + r.IntN(9) {
			f.Blocks = append(f.Blocks, &ir.Block{Name: fmt.Sprint(i)})
		}
		for _, b := range f.Blocks {
			to := &ir.Goto{}
			for range r.IntN(3) {
				to.Targets = append(to.Targets, f.Blocks[r.IntN(len(f.Blocks))])
			}
			b.Term = to
		}
		got := acyclic(f)
		for _, b := range f.Blocks {
			seen := map[*ir.Block]bool{}
			for work := b.Succs(); len(work) > 0; {
				c := work[0]
				if work = work[1:]; !seen[c] {
					seen[c] = true
					work = append(append([]*ir.Block{}, work...), c.Succs()...)
				}
			}
			if _, in := got[b]; in == seen[b] { // users range over it
				t.Fatalf("block %s: on no cycle: %v", b.Name, in)
			}
		}
	}
}
