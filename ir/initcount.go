package ir

import "strings"

// InitialCount is the count that a semaphore or completion at an offset of a global has
// before anything runs, by the global's initialiser: the value of the member count or
// done, with or without underscores before, of the innermost struct that begins there and
// has one, or else the first word. known is false where the initialiser is no constant, or
// elsewhere.
func InitialCount(g *Global, off int64) (n int64, known bool) {
	if g.Extern {
		return 0, false
	}
	at, ok := countMember(g.Type, off)
	if !ok {
		return firstWord(g, off)
	}
	for _, c := range g.Init {
		if c.Offset != off+at {
			continue
		}
		v, ok := c.Value.(Const)
		if !ok || !v.Val.IsInt64() {
			return 0, false
		}
		return v.Val.Int64(), true
	}
	return 0, true
}

// firstWord is the number in the first four bytes at an offset, the lowest byte first, which
// is the count of a semaphore of POSIX in glibc.
func firstWord(g *Global, off int64) (n int64, known bool) {
	for _, c := range g.Init {
		size := c.Value.Type().Size()
		if c.Offset+max(size, 1) <= off || off+4 <= c.Offset {
			continue
		}
		v, ok := ConstInt(c.Value)
		switch {
		case !ok:
			return 0, false
		case size == 1:
			n |= v & 0xff << (8 * (c.Offset - off))
		case c.Offset == off && size >= 4:
			n |= v & 0xffffffff
		case v != 0:
			return 0, false
		}
	}
	return n, true
}

// countMember finds the member in the struct at offset off of t: its offset in that
// struct.
func countMember(t Type, off int64) (int64, bool) {
	switch t := t.(type) {
	case Array:
		if n := t.Elem.Size(); n > 0 && off >= 0 {
			return countMember(t.Elem, off%n)
		}
	case *Struct:
		for _, f := range t.Fields {
			if off < f.Offset || off >= f.Offset+max(f.Type.Size(), 1) {
				continue
			}
			if at, ok := countMember(f.Type, off-f.Offset); ok {
				return at, true
			}
		}
		if off != 0 {
			return 0, false
		}
		for _, f := range t.Fields {
			if _, isInt := f.Type.(Int); isInt && f.BitWidth == 0 && (strings.TrimLeft(f.Name, "_") == "count" || strings.TrimLeft(f.Name, "_") == "done") {
				return f.Offset, true
			}
		}
	}
	return 0, false
}
