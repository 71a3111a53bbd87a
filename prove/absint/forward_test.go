package absint

import (
	"fmt"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
)

// TestForward reads back what random programs have just written, and asserts that it is
// that: where accesses race it may not be, and where verify has proved that they do not,
// the assertion holds.
func TestForward(t *testing.T) {
	kept, proved, forwarded := 0, 0, 0
	for s := *seed; s < *seed+2*int64(*programs) && !t.Failed(); s += 2 {
		p := randprog.Generate(uint64(s), randprog.Config{Size: 6 + int(s%8)*2})
		added := readBack(p)
		d, r := missed(p, uint64(s)&^1)
		if d != "" {
			t.Errorf("seed %d: %s\n%s", s, d, ir.String(p))
		}
		if r == nil {
			continue
		}
		if r.Forwarded {
			forwarded++
		}
		for _, in := range added {
			if kept++; !r.MayFail[in] {
				proved++
			}
		}
	}
	t.Logf("%d of %d read what was just written; in %d of %d programs it was used that accesses do not race", proved, kept, forwarded, *programs)
	if proved == 0 || forwarded == 0 {
		t.Error("nothing was proved")
	}
}

// readBack adds a load of what was written after each store, and an assertion about it.
func readBack(p *ir.Program) (added []ir.Instr) {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			var out []ir.Instr
			for _, in := range b.Instrs {
				out = append(out, in)
				st, ok := in.(*ir.Store)
				if !ok || st.Order != ir.Plain {
					continue
				}
				r := &ir.Reg{Name: fmt.Sprintf("back%d", len(f.Regs)), Type: st.Val.Type()}
				f.Regs = append(f.Regs, r)
				as := &ir.Assert{Base: st.Base, Cond: ir.Binary{Op: "eq", X: ir.Use{Reg: r}, Y: st.Val}, Tag: "kept"}
				out = append(out, &ir.Load{Base: st.Base, Dst: r, Addr: st.Addr, Order: ir.Plain}, as)
				added = append(added, as)
			}
			b.Instrs = out
		}
	}
	return added
}
