package alias

import (
	"math/bits"
	"slices"
	"strings"

	"whoop/ir"
)

// Variables of a frame that code not seen gets the address of. A function of the kernel
// that no model describes keeps no address that it is given for later calls (assumption
// extern-call). A variable of a frame is therefore known to one thread still when such a
// function returns: iio_read_channel_processed(channel, &value). What runs while it does
// runs in the same thread.
//
// Objects that are made to be found by others do not count: those with functions to call,
// with links of lists (wait queue entries, completions, work items) or with locks in
// them. Nor do calls that get a function as well, which may run it in another thread with
// what else they got. Nor does memory of the heap: it has no end that who keeps it must
// heed.
//
// A parameter is lent where its function lends it, or what it calls does. The caller
// then lends what it passed, of which it knows whether it lies in a frame.

// lend hands v to code not seen, or to a function that does.
func (ff *freshFunc) lend(st *freshState, v value) {
	for w := v.set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(uint64(w))
		item := items(1) << i
		switch {
		case ff.frame&item != 0:
			st.pub |= st.closure(st.contains[i]) &^ ff.frame
		case i < 2*ff.numParams() && i%2 == 0 && !ff.final:
			st.lent |= item
			st.pub |= st.closure(st.contains[i]) &^ item
		default:
			st.publish(value{set: item})
		}
	}
}

// ends reports whether code of the kernel that gets an address finds no other one there.
func (ff *freshFunc) ends(st *freshState, in ir.Instr, r *rec, v value) bool {
	return r.look == core && !registersAt(ff.f, in.At()) && (v.set&^ff.flat == 0 || st.load(v) == (value{}))
}

// inFrame reports whether an allocation makes a variable of a frame that nobody is meant
// to find.
func inFrame(in ir.Instr) bool {
	a, ok := in.(*ir.Alloc)
	return ok && a.Kind == "stack" && !meetingPoint(a.Elem, 0)
}

// meetingPoint reports whether others are meant to find objects of a type.
func meetingPoint(t ir.Type, depth int) bool {
	switch t := t.(type) {
	case ir.Array:
		return meetingPoint(t.Elem, depth)
	case ir.Ptr:
		_, fn := t.Elem.(ir.FuncType)
		return fn
	case *ir.Struct:
		return depth > 8 || slices.ContainsFunc(t.Fields, func(f ir.Field) bool {
			if p, ok := f.Type.(ir.Ptr); ok && p.Elem == ir.Type(t) {
				return true
			}
			return spinlock(f.Type) || meetingPoint(f.Type, depth+1)
		})
	}
	return false
}

func spinlock(t ir.Type) bool {
	s, ok := t.(*ir.Struct)
	return ok && strings.HasSuffix(s.Name, "spinlock")
}
