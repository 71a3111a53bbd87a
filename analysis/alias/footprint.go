package alias

import (
	"slices"

	"whoop/ir"
)

// footprint returns the canonical bytes that an access of size bytes (0: unknown) at
// canonical offset off touches. An access that leaves its array element touches the whole
// element; one longer than the array what follows, too.
func footprint(o *object, off, size int64) span {
	_, lv := o.canon(off)
	if size <= 0 {
		return bounded(o, lv, size)
	}
	lo, hi := off, off+size
	for i := len(lv) - 1; i >= 0; i-- {
		l := lv[i]
		if lo >= l.start && hi <= l.start+l.stride {
			break
		}
		if l.len == 0 || hi-lo <= l.len*l.stride {
			// Within the array, but across elements.
			lo, hi = l.start, l.start+l.stride
			break
		}
		lo = l.start
		hi = lo + max(hi-off, l.len*l.stride)
	}
	return span{lo, hi, lo != off || hi != off+size}
}

// wholeObject is the size of an operation on all of an object, whatever part of it the
// address names.
const wholeObject = -1

// bounded is what a block operation of unknown size touches: the array it starts in,
// where that is a member of something larger and holds scalars (C's rule), else
// everything.
func bounded(o *object, lv []level, size int64) span {
	if n := len(lv); n > 0 && size == 0 {
		l := lv[n-1]
		if in := leaves(o.Type, maxLeaves); l.len > 1 && (n > 1 || l.start > 0 || !isArray(o.Type)) && scalarElements(in, l) {
			return span{lo: l.start, hi: l.start + l.stride, folded: true}
		}
	}
	return everywhere
}

// memberAt is what an operation touches that takes a cell for a struct: the member of that
// type that is there, all elements where it is one of an array, and all of the object
// where none is.
func memberAt(c cell, st *ir.Struct) span {
	t, base, off, folded := c.obj.Type, int64(0), c.off, false
	if t == nil || c.obj.raw || inTail(c) {
		return everywhere
	}
	for top := true; ; top = false {
		switch x := t.(type) {
		case ir.Array:
			if x.Elem.Size() <= 0 {
				return everywhere
			}
			off, t, folded = floorMod(off, x.Elem.Size()), x.Elem, true
			continue
		case *ir.Struct:
			if x == st && off == 0 {
				if top {
					return everywhere
				}
				return span{base, base + x.Bytes, folded}
			}
			if x.Union && slices.ContainsFunc(x.Fields,
				func(f ir.Field) bool { return f.Type == ir.Type(st) && off == 0 }) && !top {
				return span{base, base + x.Bytes, folded}
			}
			if f := fieldAround(x, off); f != nil {
				base, off, t, folded = base+f.Offset, off-f.Offset, f.Type, false
				continue
			}
		}
		return everywhere
	}
}

func isArray(t ir.Type) bool { _, ok := t.(ir.Array); return ok }

// scalarElements tells whether the elements of an array are single leaves.
func scalarElements(ls []leaf, l level) bool {
	for _, x := range ls {
		if x.lo == l.start {
			return x.in == l && x.hi == l.start+l.stride
		}
	}
	return false
}

// inBounds tells whether an access of n bytes at off can be one to o: behind or before an
// object of known size is nothing.
func inBounds(o *object, off, n int64) bool {
	if o.raw || o.Type == nil || o.Kind == KindFunc {
		return o.Kind != KindFunc
	}
	if o.Kind == KindExtern || o.Kind == KindHeap && off >= 0 && !o.sized {
		return true
	}
	if _, lv := locate(o.Type, off); len(lv) > 0 {
		return true
	}
	size := o.Type.Size()
	return off >= 0 && (off+max(n, 1) <= size || size == 0)
}

// pathAt names the member of t at canonical offset off: ".a.b[].c". It does not look into
// the structs of stop.
func pathAt(t ir.Type, off int64, stop map[*ir.Struct]bool) string {
	switch x := t.(type) {
	case ir.Array:
		if st := x.Elem.Size(); st > 0 {
			return "[]" + pathAt(x.Elem, floorMod(off, st), stop)
		}
	case *ir.Struct:
		if off == 0 && stop[x] || x.Whole { // whose members no program names
			return ""
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			d := off - f.Offset
			if d >= 0 && (d < f.Type.Size() || i == len(x.Fields)-1 && flexible(f.Type)) {
				if f.Name == "" {
					return pathAt(f.Type, d, stop)
				}
				return "." + f.Name + pathAt(f.Type, d, stop)
			}
		}
	}
	return ""
}
