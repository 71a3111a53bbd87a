package alias

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"whoop/ir"
)

// Print writes the regions, and for every reached function what its instructions access
// and call.
func (r *Result) Print(w io.Writer) {
	b := bufio.NewWriter(w)
	defer b.Flush()
	for _, x := range r.regions {
		fmt.Fprintf(b, "region %d %s: group %d offset %d size %d elem %d", x.ID, x.Name, x.Group, x.Offset, x.Size, x.Elem)
		for _, f := range []struct {
			on   bool
			text string
		}{{x.Exact, " exact"}, {x.Shared, " shared"}} {
			if f.on {
				b.WriteString(f.text)
			}
		}
		b.WriteString(" in")
		for _, o := range x.Objects {
			fmt.Fprintf(b, " %s", o.Name)
			if o.Single {
				b.WriteString("!")
			}
		}
		b.WriteString("\n")
	}
	for _, f := range r.s.reached {
		r.printFunc(b, f)
	}
	for _, a := range r.assumptions {
		fmt.Fprintf(b, "assume %s %s: %s\n", a.Kind, a.Pos, a.Text)
	}
}

func (r *Result) printFunc(b *bufio.Writer, f *ir.Func) {
	fmt.Fprintf(b, "func %s\n", f.Name)
	for _, bl := range f.Blocks {
		for _, in := range bl.Instrs {
			kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", in), "*ir."))
			for _, a := range r.shown(in) {
				fmt.Fprintf(b, "  %s %s %s%s\n", in.At(), kind, describe(a), map[bool]string{true: " fresh"}[r.fresh[in]])
			}
			if cs := r.s.callees[in]; cs != nil {
				fmt.Fprintf(b, "  %s %s ->", in.At(), kind)
				for _, g := range cs.fns {
					fmt.Fprintf(b, " %s", g.Name)
				}
				if cs.incomplete || len(cs.fns) == 0 {
					b.WriteString(" ?")
				}
				b.WriteString("\n")
			}
		}
	}
}

// shown returns the accesses and targets of an instruction.
func (r *Result) shown(in ir.Instr) []Access {
	if _, ok := in.(*ir.Call); ok {
		return r.Accesses(in)
	}
	return r.accesses[in]
}

func describe(a Access) string {
	var out []string
	for _, x := range a.Regions {
		out = append(out, x.Name)
	}
	if a.Unknown {
		out = append(out, "?")
	}
	how := "read"
	if a.Write {
		how = "write"
	}
	return how + " {" + strings.Join(out, ", ") + "}"
}
