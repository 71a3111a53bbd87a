package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// layout places the members of ct in s by the System V ABI.
func (t *Types) layout(s *ir.Struct, ct cc.Type) {
	packed := isPacked(ct)
	l := &placer{t: t, s: s, packed: packed, align: 1}
	for _, f := range fieldsOf(ct) {
		l.place(f)
		l.prev = f
	}
	l.flush()
	if a := ct.Attributes(); a != nil && a.Aligned() > l.align {
		l.align = a.Aligned()
	}
	if n := int64(ct.Align()); !packed && n > l.types { // a member asks for it
		l.align = max(l.align, n)
	}
	t.aligns[s] = l.align
	s.Bytes = roundUp(l.end, l.align)
	shrink(s)
}

func isPacked(ct cc.Type) bool {
	a := ct.Attributes()
	return a != nil && (a.IsAttrSet("packed") || a.IsAttrSet("__packed__"))
}

func roundUp(n, align int64) int64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}

// placer lays out one struct; bit counts the bits used since the start for bit-fields.
type placer struct {
	t      *Types
	s      *ir.Struct
	packed bool
	align  int64
	end    int64 // bytes used
	prev   *cc.Field
	bit    int64 // position in bits where the next bit-field may start

	// types is the largest alignment of a member's type, as cc knows it: also of
	// bit-fields without a name and of packed structs.
	types int64
}

func (l *placer) flush() {
	if n := (l.bit + 7) / 8; n > l.end {
		l.end = n
	}
}

func (l *placer) place(f *cc.Field) {
	size := l.t.SizeOf(f.Type())
	align := l.t.fieldAlign(f.Type())
	if l.packed {
		align = 1
	}
	out := ir.Field{Name: f.Name(), Type: l.t.Type(f.Type())}
	if f.IsBitfield() {
		l.bitField(f, size, align, &out)
	} else {
		l.flush()
		if l.s.Union {
			l.end = max(l.end, size)
		} else {
			align = l.stated(f, align)
			out.Offset = roundUp(l.end, align)
			l.end = out.Offset + size
		}
		l.bit = l.end * 8
	}
	if !f.IsBitfield() || f.Name() != "" {
		l.align = max(l.align, align)
	}
	l.types = max(l.types, int64(f.Type().Align()))
	l.s.Fields = append(l.s.Fields, out)
}

// stated is the alignment that an attribute or _Alignas of the member asks for. cc keeps
// it to itself: it shows in where cc places the member after the one before. Where both
// alignments lead to the same place the difference does not matter.
func (l *placer) stated(f *cc.Field, align int64) int64 {
	if l.packed || l.prev == nil || l.prev.IsBitfield() {
		return align
	}
	end := l.prev.Offset() + l.prev.Type().Size()
	for _, a := range []int{f.Type().Align(), f.Type().FieldAlign()} {
		if roundUp(end, int64(a)) == f.Offset() { // as its type does, for cc, which ignores packed
			return align
		}
	}
	for a := align; a <= 4096; a *= 2 {
		if roundUp(end, a) == f.Offset() {
			return a
		}
	}
	return align
}

// bitField places a bit-field: within a storage unit of its type where it fits, in the
// next one otherwise.
func (l *placer) bitField(f *cc.Field, size, align int64, out *ir.Field) {
	width := f.ValueBits()
	unit := size * 8
	if l.s.Union {
		l.bit = 0
	}
	if width == 0 {
		l.bit = roundUp(l.bit, unit)
		return
	}
	if align > 1 && unit > 0 && l.bit/unit != (l.bit+width-1)/unit {
		l.bit = roundUp(l.bit, unit)
	}
	out.Offset = l.bit / max(unit, 8) * size
	out.BitOffset, out.BitWidth = int(l.bit-out.Offset*8), int(width)
	l.bit += width
	l.flush()
}

// shrink makes the storage units of bit-fields end where other members begin: adjacent
// bit-fields are one memory location, and a write of one touches no other location (C11
// 3.14). Those that are packed may need another unit.
func shrink(s *ir.Struct) {
	for i := 0; i < len(s.Fields); {
		end := i
		for end < len(s.Fields) && s.Fields[end].BitWidth > 0 && (!s.Union || end == i) {
			end++
		}
		if end == i {
			i++
			continue
		}
		lo, hi := int64(1)<<60, int64(0)
		for _, f := range s.Fields[i:end] {
			first := f.Offset*8 + int64(f.BitOffset)
			lo, hi = min(lo, first/8), max(hi, (first+int64(f.BitWidth)+7)/8)
		}
		for k := i; k < end; k++ {
			if f := &s.Fields[k]; f.BitOffset+f.BitWidth > int(f.Type.Size())*8 {
				widenUnit(f, lo, hi)
			} else if crosses(s, f, i, end) {
				cutUnit(f, lo, hi)
			}
		}
		joinUnits(s.Fields[i:end])
		i = end
	}
}

// joinUnits gives adjacent bit-fields whose storage units overlap (an unsigned int : 1
// and a _Bool : 1 behind it) one unit, so that all accesses of a byte have one width.
func joinUnits(fs []ir.Field) {
	for i := 0; i < len(fs); {
		lo, hi := fs[i].Offset, fs[i].Offset+fs[i].Type.Size()
		end := i + 1
		for end < len(fs) && fs[end].Offset < hi {
			lo, hi = min(lo, fs[end].Offset), max(hi, fs[end].Offset+fs[end].Type.Size())
			end++
		}
		for k := i; k < end && hi-lo <= 8; k++ {
			f := &fs[k]
			if t, ok := f.Type.(ir.Int); ok && (f.Offset != lo || t.Size() != hi-lo) {
				f.BitOffset += int(f.Offset-lo) * 8
				f.Offset, f.Type = lo, ir.Int{Bits: int(hi-lo) * 8, Signed: t.Signed}
			}
		}
		i = end
	}
}

// crosses reports whether the storage unit of f holds bytes of members that are not among
// those from first to end, or none of the struct's.
func crosses(s *ir.Struct, f *ir.Field, first, end int) bool {
	if f.Offset+f.Type.Size() > s.Bytes {
		return true
	}
	if s.Union {
		return false
	}
	for i, g := range s.Fields {
		// the latter: a bit-field of no width
		if i >= first && i < end || g.BitWidth == 0 && g.Name == "" && ir.IsInt(g.Type) {
			continue
		}
		lo, hi := g.Offset, g.Offset+g.Type.Size()
		if g.BitWidth > 0 {
			lo, hi = g.Offset+int64(g.BitOffset)/8, g.Offset+int64(g.BitOffset+g.BitWidth+7)/8
		}
		if lo < f.Offset+f.Type.Size() && f.Offset < hi {
			return true
		}
	}
	return false
}

// widenUnit makes the storage unit of a bit-field that lies across two units of its type
// those bytes from lo to hi that it needs, or all of them where they are few.
func widenUnit(f *ir.Field, lo, hi int64) {
	t, ok := f.Type.(ir.Int)
	if !ok {
		return
	}
	if hi-lo > 8 {
		first := f.Offset*8 + int64(f.BitOffset)
		lo, hi = first/8, (first+int64(f.BitWidth)+7)/8
	}
	f.BitOffset -= int(lo-f.Offset) * 8
	f.Offset, f.Type = lo, ir.Int{Bits: int(hi-lo) * 8, Signed: t.Signed}
}

// cutUnit cuts the storage unit of a bit-field to the bytes from lo to hi.
func cutUnit(f *ir.Field, lo, hi int64) {
	t, ok := f.Type.(ir.Int)
	if !ok {
		return
	}
	hi = min(hi, f.Offset+t.Size())
	lo = max(lo, f.Offset)
	f.BitOffset -= int(lo-f.Offset) * 8
	f.Offset, f.Type = lo, ir.Int{Bits: int(hi-lo) * 8, Signed: t.Signed}
}

// fieldAlign is how a member of that type is aligned: in 32-bit programs, numbers of 8
// bytes are so at 4.
func (t *Types) fieldAlign(ct cc.Type) int64 {
	if a, ok := ct.(*cc.ArrayType); ok {
		return t.fieldAlign(a.Elem())
	}
	if !t.narrow || isStruct(ct) || ct.Kind() == cc.Ptr {
		return t.alignOf(ct)
	}
	return max(min(int64(ct.FieldAlign()), t.alignOf(ct)), 1)
}

func (t *Types) alignOf(ct cc.Type) int64 {
	switch x := ct.(type) {
	case *cc.ArrayType:
		return t.alignOf(x.Elem())
	case *cc.StructType, *cc.UnionType:
		if a := t.aligns[t.Struct(ct)]; a > 0 {
			return a
		}
	case *cc.PointerType:
		return t.SizeOf(ct)
	}
	return max(int64(ct.Align()), 1)
}

// FieldIndex returns the indices that lead from a value of type s to member f: more than
// one for members of anonymous members.
func (t *Types) FieldIndex(s *ir.Struct, f *cc.Field) []int {
	if p := f.ParentField(); p != nil && !contains(s, f.Name()) {
		up := t.FieldIndex(s, p)
		return append(up, f.Index())
	}
	if f.Index() < len(s.Fields) && (s.Fields[f.Index()].Name == f.Name()) {
		return []int{f.Index()}
	}
	return search(s, f.Name())
}

func contains(s *ir.Struct, name string) bool { return name != "" && s.FieldAt(name) >= 0 }

// search finds a member by name, through anonymous members.
func search(s *ir.Struct, name string) []int {
	if i := s.FieldAt(name); i >= 0 && name != "" {
		return []int{i}
	}
	for i, f := range s.Fields {
		if sub, ok := f.Type.(*ir.Struct); ok && f.Name == "" {
			if p := search(sub, name); p != nil {
				return append([]int{i}, p...)
			}
		}
	}
	return nil
}

// ourOffset translates an offset by cc's layout within ct into ours.
func (t *Types) ourOffset(ct cc.Type, off int64, f *cc.Field) int64 {
	switch x := ct.(type) {
	case *cc.ArrayType:
		if n := x.Elem().Size(); n > 0 {
			return off/n*t.SizeOf(x.Elem()) + t.ourOffset(x.Elem(), off%n, f)
		}
	case *cc.StructType, *cc.UnionType:
		s := t.Struct(ct)
		fs := fieldsOf(ct)
		for i, g := range fs { // first: cc may take it to lie within another
			if g == f || f != nil && f.IsBitfield() && g.IsBitfield() && g.Name() == f.Name() && g.Offset() == f.Offset() && g.Offset() == off {
				return s.Fields[i].Offset
			}
		}
		for _, bits := range []bool{false, true} { // the unit of a bit-field may hold other members
			for i, g := range fs {
				end := g.Offset() + g.Type().Size()
				if off >= g.Offset() && off < end && g.IsBitfield() == bits && (f == nil || !bits) {
					if s.Union && f != nil && !holds(g.Type(), f) {
						continue
					}
					return s.Fields[i].Offset + t.ourOffset(g.Type(), off-g.Offset(), f)
				}
			}
		}
	}
	return off
}

// holds reports whether f is a member of ct, at any depth.
func holds(ct cc.Type, f *cc.Field) bool {
	if a, ok := ct.(*cc.ArrayType); ok {
		return holds(a.Elem(), f)
	}
	for _, g := range fieldsOf(ct) {
		if g == f || holds(g.Type(), f) {
			return true
		}
	}
	return false
}
