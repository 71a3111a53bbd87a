package invariant

import (
	"bytes"
	"fmt"
	"slices"

	"whoop/frontend/c"
)

// insertion is an expression to be evaluated at a place.
type insertion struct {
	at   c.Place
	expr string
}

// instrument puts expressions into a text, behind declarations; lines and files keep
// their numbers and names. Several at one place are evaluated in their order.
func instrument(path string, text []byte, decls string, ins []insertion) []byte {
	ins = slices.Clone(ins)
	slices.SortStableFunc(ins, func(a, b insertion) int { return a.at.Offset - b.at.Offset })
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s#line 1 %q\n", decls, path)
	done := 0
	for i, x := range ins {
		b.Write(text[done:x.at.Offset])
		done = x.at.Offset
		b.WriteString(" " + x.expr) // the space keeps it apart from a macro that stands for nothing
		switch last := i+1 == len(ins) || ins[i+1].at.Offset != x.at.Offset; {
		case !x.at.Loop:
			b.WriteString("; ")
		case x.at.Empty && last:
			b.WriteString(", 1")
		default:
			b.WriteString(", ")
		}
	}
	b.Write(text[done:])
	return b.Bytes()
}
