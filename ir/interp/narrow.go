package interp

import "whoop/ir"

// Pointers of 4 bytes in memory (ir.Ptr.Narrow): those with the upper bits 10 are
// addresses, with 12 bits for the object (not 0) and 18 for the offset; the others are
// integers made into pointers, as they are. What does not fit ends the execution with
// ErrLimit.
const (
	narrowOffset = 18
	narrowBias   = 1 << (narrowOffset - 1)
	narrowID     = 12
)

// pack is the form of an address in 4 bytes.
func pack(a uint64) (uint32, bool) {
	id, off := ObjID(a>>32), Addr(a).Offset()
	switch {
	case a < 1<<31, int64(a) < 0 && (int64(a) >= -1<<30 || int64(a) >= -1<<31 && int64(a) < -1<<31+1<<narrowOffset):
		return uint32(a), true
	case a&wild != 0 || id == 0 || id >= 1<<narrowID || off < -narrowBias || off >= narrowBias:
		return 0, false
	}
	return 1<<31 | uint32(id)<<narrowOffset | uint32(off+narrowBias), true
}

// unpack is the address of which v is the form.
func unpack(v uint32) uint64 {
	id := ObjID(v>>narrowOffset) & (1<<narrowID - 1)
	if v>>30 != 2 || id == 0 {
		return uint64(int64(int32(v)))
	}
	return mkAddr(id, int64(v&(1<<narrowOffset-1))-narrowBias)
}

// packed is pack; where the address does not fit, the execution ends.
func (s *State) packed(a uint64) uint64 {
	v, ok := pack(a)
	if !ok {
		s.fail(ErrLimit, "the address %#x is not followed in 4 bytes", a)
	}
	return uint64(v)
}

// toCell is what memory holds of a value of type t, fromCell the value that is read.
func (s *State) toCell(v uint64, t ir.Type) uint64 {
	if ir.IsNarrow(t) {
		return s.packed(v)
	}
	return v
}

func fromCell(v uint64, t ir.Type) uint64 {
	if ir.IsNarrow(t) {
		return unpack(uint32(v))
	}
	return v
}

// narrowCast converts between a narrow pointer and an integer of at most 32 bits: the
// integer is what memory would hold. ok is false for other types.
func narrowCast(x value, from, to ir.Type) (value, bool) {
	f := x.one
	if t, ok := to.(ir.Int); ok && ir.IsNarrow(from) && t.Bits <= 32 {
		return computed(t, func(s *State) uint64 { return normalise(t, s.packed(f(s))) }), true
	}
	if t, ok := from.(ir.Int); ok && ir.IsNarrow(to) && t.Bits == 32 {
		return computed(to, func(s *State) uint64 { return unpack(uint32(f(s))) }), true
	}
	return value{}, false
}

// narrowWords calls f with the written words of 4 bytes of an object that may be
// addresses.
func (o *object) narrowWords(f func(v uint64)) {
	for i := -o.low & 3; i+4 <= int64(len(o.data)); i += 4 {
		if v := uint32(loadBytes(o.data[i : i+4])); v>>30 == 2 && v>>narrowOffset&(1<<narrowID-1) != 0 && o.mark[i] == written && o.mark[i+3] == written {
			f(unpack(v))
		}
	}
}
