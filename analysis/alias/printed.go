package alias

import (
	"strings"

	"whoop/ir"
)

// shown says what printing a value shows of a pointer in it.
type shown byte

const (
	content  shown = iota // what is there
	address               // no more than the address
	byMethod              // whatever a method of the value shows
)

// shows says what printing shows of the pointer in a cell. Of a pointer in a hidden
// member, of which no method is called, it is the address, unless that is of a map, of
// the array of a slice, or of what an interface holds.
func shows(c cell) shown {
	if c.any || c.obj.raw || c.obj.Type == nil {
		return byMethod
	}
	hidden, slice, out := false, false, content
	t, off := c.obj.Type, c.off
	for {
		switch x := t.(type) {
		case ir.Array:
			if x.Elem.Size() <= 0 {
				return byMethod
			}
			off, t = floorMod(off, x.Elem.Size()), x.Elem
			continue
		case *ir.Struct:
			f := fieldAround(x, off)
			if f == nil || x.Union || x.Prints {
				return byMethod
			}
			hidden, slice = hidden || f.Hidden, strings.HasPrefix(x.Name, "[]")
			off, t = off-f.Offset, f.Type
			continue
		case ir.Ptr:
			if st, ok := x.Elem.(*ir.Struct); ok && hidden && !slice && !strings.HasPrefix(st.Name, "map[") && st.Name != "interface value" {
				out = address
			}
		}
		return out
	}
}
