package alias

import (
	"math"

	"whoop/ir"
)

// A level is one array around an offset: its start in canonical offsets, the stride of
// its elements, their number (0: unknown).
type level struct{ start, stride, len int64 }

func floorMod(a, m int64) int64 {
	if r := a % m; r < 0 {
		return r + m
	} else {
		return r
	}
}

// locate finds the canonical form of offset off in an object of type t: inside arrays it
// is moved to element 0. The levels are the arrays around it, outermost first. Unions are
// not looked into: their members overlap, so that offsets in them stay as they are.
func locate(t ir.Type, off int64) (int64, []level) {
	var lv []level
	base := int64(0)
	for {
		switch x := t.(type) {
		case ir.Array:
			st := x.Elem.Size()
			if st <= 0 {
				return base + off, lv
			}
			lv = append(lv, level{base, st, x.Len})
			off, t = floorMod(off, st), x.Elem
			continue
		case *ir.Struct:
			if f := fieldAround(x, off); f != nil {
				base, off, t = base+f.Offset, off-f.Offset, f.Type
				continue
			}
		}
		return base + off, lv
	}
}

// fieldAround returns the member of s that contains byte off, or nil (unions, padding,
// outside). A flexible array at the end reaches as far as one asks.
func fieldAround(s *ir.Struct, off int64) *ir.Field {
	if s.Union || off < 0 {
		return nil
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.BitWidth != 0 || off < f.Offset {
			continue
		}
		if off < f.Offset+f.Type.Size() || i == len(s.Fields)-1 && flexible(f.Type) {
			return f
		}
	}
	return nil
}

// flexible tells whether t is, or ends in, an array of unknown length.
func flexible(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		return x.Len == 0
	case *ir.Struct:
		return !x.Union && len(x.Fields) > 0 && flexible(x.Fields[len(x.Fields)-1].Type)
	}
	return false
}

// extends reports whether a byte that lies d bytes behind the start of member i of a
// struct is in it. An array of no length is one that has the rest of the memory only
// where it is the last member; elsewhere it marks a place.
func extends(s *ir.Struct, i int, d int64) bool {
	t := s.Fields[i].Type
	return d >= 0 && (d < t.Size() || flexible(t) && (s.Union || i == len(s.Fields)-1))
}

// holds tells whether a value of struct type s lies at offset off of type t.
func holds(t ir.Type, off int64, s ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		if st := x.Elem.Size(); st > 0 {
			return holds(x.Elem, floorMod(off, st), s)
		}
	case *ir.Struct:
		if off == 0 && ir.Equal(x, s) {
			return true
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			if d := off - f.Offset; extends(x, i, d) && holds(f.Type, d, s) {
				return true
			}
		}
	default:
		return off == 0 && ir.Equal(t, s)
	}
	return false
}

// scalarsAt returns the types of the scalar members that start at offset off (several in
// unions).
func scalarsAt(t ir.Type, off int64) []ir.Type {
	switch x := t.(type) {
	case ir.Array:
		if st := x.Elem.Size(); st > 0 {
			return scalarsAt(x.Elem, floorMod(off, st))
		}
	case *ir.Struct:
		var out []ir.Type
		for i := range x.Fields {
			f := &x.Fields[i]
			if d := off - f.Offset; extends(x, i, d) {
				out = append(out, scalarsAt(f.Type, d)...)
			}
		}
		return out
	default:
		if off == 0 && t != nil {
			return []ir.Type{t}
		}
	}
	return nil
}

// A place is a struct type and the canonical offset where a value of it lies.
type place struct {
	s   *ir.Struct
	off int64
}

// places lists the structs inside t with their canonical offsets, at most limit.
func places(t ir.Type, base int64, out []place, limit int) []place {
	switch x := t.(type) {
	case ir.Array:
		if x.Elem.Size() > 0 {
			return places(x.Elem, base, out, limit)
		}
	case *ir.Struct:
		if len(out) >= limit {
			return out
		}
		out = append(out, place{x, base})
		for i := range x.Fields {
			out = places(x.Fields[i].Type, base+x.Fields[i].Offset, out, limit)
		}
	}
	return out
}

// A leaf is a scalar (or union) inside a type, in canonical offsets, with its innermost
// array.
type leaf struct {
	lo, hi int64
	in     level
}

// leaves lists the scalars of t. The result is in ascending order; nil when there are
// more than limit.
func leaves(t ir.Type, limit int) []leaf {
	out, ok := appendLeaves(nil, t, 0, level{}, limit)
	if !ok {
		return nil
	}
	return out
}

func appendLeaves(out []leaf, t ir.Type, base int64, in level, limit int) ([]leaf, bool) {
	if len(out) > limit {
		return out, false
	}
	ok := true
	switch x := t.(type) {
	case ir.Array:
		if st := x.Elem.Size(); st > 0 {
			return appendLeaves(out, x.Elem, base, level{base, st, x.Len}, limit)
		}
		return out, true
	case *ir.Struct:
		if !x.Union {
			for i := range x.Fields {
				f := &x.Fields[i]
				if n := len(out); f.BitWidth != 0 && n > 0 && out[n-1].hi > base+f.Offset {
					continue // the storage unit is there already
				}
				if out, ok = appendLeaves(out, f.Type, base+f.Offset, in, limit); !ok {
					return out, false
				}
			}
			return out, true
		}
	}
	if sz := t.Size(); sz > 0 {
		out = append(out, leaf{base, base + sz, in})
	}
	return out, true
}

// maxSpread bounds how many array elements are told apart when a pointer leaves an array.
const maxSpread = 64

// shift moves a pointer at canonical offset off by delta bytes and returns where it may
// point; ok is false when the places are too many. Inside an array the move stays there
// if it can (C's rule); wild says that it may also leave it though it could stay
// (container_of from an array element).
func shift(t ir.Type, off, delta int64, wild bool) (out []int64, ok bool) {
	_, lv := locate(t, off)
	cands := []int64{off + delta}
	for i := len(lv) - 1; i >= 0; i-- {
		l := lv[i]
		if _, top := t.(ir.Array); i == 0 && top {
			break // the whole object is this array: everything folds into element 0
		}
		end := l.start + l.len*l.stride
		if l.len == 0 {
			end = math.MaxInt64
		}
		in, rest, ok := leave(cands, l, end)
		if !ok {
			return nil, false
		}
		out = append(out, in...)
		if len(in) > 0 && !wild {
			rest = nil
		}
		cands = rest
	}
	out = append(out, cands...)
	for i, c := range out {
		out[i], _ = locate(t, c)
	}
	return dedup(out), true
}

// leave splits the offsets cands + k*stride (k any element of the array l) into those
// inside the array, folded into element 0, and those outside.
func leave(cands []int64, l level, end int64) (in, out []int64, ok bool) {
	n := l.len
	if n == 0 || n > maxSpread {
		n = maxSpread
	}
	for _, c := range cands {
		if c >= l.start && c < end {
			in = append(in, l.start+floorMod(c-l.start, l.stride))
			continue
		}
		for k := int64(0); k < n; k++ {
			d := c + k*l.stride
			if d >= l.start && d < end {
				in = append(in, l.start+floorMod(d-l.start, l.stride))
				break
			}
			out = append(out, d)
		}
	}
	return in, out, len(out) <= 4*maxSpread
}

func dedup(xs []int64) []int64 {
	out := xs[:0]
next:
	for _, x := range xs {
		for _, y := range out {
			if x == y {
				continue next
			}
		}
		out = append(out, x)
	}
	return out
}
