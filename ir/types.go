package ir

import (
	"fmt"
	"strings"
)

// A Type describes the values a register, a memory cell or a function can hold.
type Type interface {
	// Size returns the size in bytes of a value in memory; 0 when it is unknown or has
	// none (functions, void).
	Size() int64
	// String returns the printed form, which the parser reads back.
	String() string
}

// Void is the result type of functions that return nothing.
type Void struct{}

// Bool is the type of conditions. It never lives in memory: C's _Bool is an Int of 8
// bits.
type Bool struct{}

// Int is an integer of Bits bits (1..128), in two's complement where Signed.
type Int struct {
	Bits   int
	Signed bool
}

// Ptr is a pointer. Elem is what it is declared to point to, Void{} for untyped pointers.
// A Narrow one has 4 bytes in memory (data model ILP32) instead of 8; in registers both
// are alike.
type Ptr struct {
	Elem   Type
	Narrow bool
}

// FuncType is the type of a function; it occurs as Ptr{FuncType}.
type FuncType struct {
	Params   []Type
	Result   Type
	Variadic bool
}

// Opaque is a value the verifier does not look into (floating point, vectors, va_list),
// of Bytes bytes in memory.
type Opaque struct {
	Name  string
	Bytes int64
}

// Array is Len elements of Elem; Len is 0 for flexible and unknown lengths.
type Array struct {
	Elem Type
	Len  int64
}

// Field is one member of a Struct. Offset is in bytes from the start of the struct, as
// the C ABI lays it out.
type Field struct {
	Name   string
	Type   Type
	Offset int64
	// BitOffset and BitWidth describe a bit-field inside the storage unit at Offset;
	// BitWidth 0 means an ordinary field.
	BitOffset, BitWidth int
	// Hidden: code not seen neither writes the member nor follows pointers in it, unless
	// it has the member's own address. Const: it is written where the object is made,
	// before anybody else has that, and never again; code not seen does not write it.
	Hidden, Const bool
	// Own: Hidden, and all code that writes the member is in the program: in objects that
	// code not seen makes it is zero, what the program stores there, or copied from
	// objects that such code knows.
	Own bool
}

// Struct is a named aggregate, a union where Union is set (all fields then have
// overlapping offsets). Structs are compared by identity; Program.Structs lists them with
// unique names.
type Struct struct {
	Name   string
	Fields []Field
	Bytes  int64
	Union  bool
	// Prints: it has methods by which it is printed, which may read all that it leads to;
	// see Touch.
	Prints bool
	// Sum, in type-safe programs: only those members of an object are read that whoever
	// allocated it has written, by an address of the register that holds the allocation.
	Sum bool
	// Whole, in type-safe programs: nobody has a pointer to a member of it, but who loads
	// or stores the member by its own address.
	Whole bool
	// Closed, in type-safe programs: code not seen has no pointers to members of it, as to
	// elements of Go's maps and channels.
	Closed bool
}

func (Void) Size() int64  { return 0 }
func (Bool) Size() int64  { return 1 }
func (t Int) Size() int64 { return int64((t.Bits + 7) / 8) }
func (t Ptr) Size() int64 {
	if t.Narrow {
		return 4
	}
	return 8
}
func (FuncType) Size() int64 { return 0 }
func (t Opaque) Size() int64 { return t.Bytes }
func (t Array) Size() int64  { return t.Len * t.Elem.Size() }
func (t *Struct) Size() int64 {
	return t.Bytes
}

func (Void) String() string { return "void" }
func (Bool) String() string { return "bool" }
func (t Int) String() string {
	if t.Signed {
		return fmt.Sprintf("i%d", t.Bits)
	}
	return fmt.Sprintf("u%d", t.Bits)
}
func (t Ptr) String() string {
	if t.Narrow {
		return "*narrow " + t.Elem.String()
	}
	return "*" + t.Elem.String()
}
func (t Opaque) String() string { return fmt.Sprintf("opaque(%q, %d)", t.Name, t.Bytes) }
func (t Array) String() string  { return fmt.Sprintf("[%d]%s", t.Len, t.Elem) }
func (t *Struct) String() string {
	return "struct(" + Quote(t.Name) + ")"
}
func (t FuncType) String() string {
	var ps []string
	for _, p := range t.Params {
		ps = append(ps, p.String())
	}
	if t.Variadic {
		ps = append(ps, "...")
	}
	return "func(" + strings.Join(ps, ", ") + ") " + t.Result.String()
}

// FieldAt returns the index of the named field, or -1.
func (t *Struct) FieldAt(name string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Common types.
var (
	I8   = Int{8, true}
	U8   = Int{8, false}
	I32  = Int{32, true}
	U32  = Int{32, false}
	I64  = Int{64, true}
	U64  = Int{64, false}
	VPtr = Ptr{Elem: Void{}}
)

// Equal reports whether a and b are the same type.
func Equal(a, b Type) bool {
	if a == nil || b == nil {
		return a == b
	}
	sa, oka := a.(*Struct)
	sb, okb := b.(*Struct)
	if oka || okb {
		return sa == sb
	}
	return a.String() == b.String()
}

// IsPtr reports whether t is a pointer type.
func IsPtr(t Type) bool { _, ok := t.(Ptr); return ok }

// IsNarrow reports whether t is a pointer of 4 bytes.
func IsNarrow(t Type) bool { p, ok := t.(Ptr); return ok && p.Narrow }

// IsInt reports whether t is an integer type.
func IsInt(t Type) bool { _, ok := t.(Int); return ok }
