package ir

import "math/big"

// An Expr is a pure expression over registers and constants. It neither reads memory nor
// traps; expressions form trees.
type Expr interface {
	// Type returns the type of the value.
	Type() Type
	isExpr()
}

// Const is an integer constant; Val is within the range of T.
type Const struct {
	T   Int
	Val *big.Int
}

// BoolConst is true or false.
type BoolConst bool

// Null is the null pointer of type T.
type Null struct{ T Ptr }

// Use reads a register.
type Use struct{ Reg *Reg }

// GlobalAddr is the address of a global, of type Ptr{Global.Type}.
type GlobalAddr struct{ Global *Global }

// FuncAddr is the address of a function.
type FuncAddr struct{ Func *Func }

// Field is the address of member Index of the S that Base points to: Base +
// S.Fields[Index].Offset.
type FieldAddr struct {
	Base  Expr
	S     *Struct
	Index int
}

// IndexAddr is Base + Idx*Stride bytes, of type T. Idx is an integer expression taken as
// a mathematical integer (signed or not after its type). container_of and byte arithmetic
// are IndexAddr with Stride 1.
type IndexAddr struct {
	Base   Expr
	Idx    Expr
	Stride int64
	T      Ptr
}

// Unary is Op X: "neg", "not" (bitwise, integers), "lnot" (Bool).
type Unary struct {
	Op string
	X  Expr
}

// Binary is X Op Y. Integer operators: add sub mul div rem and or xor shl shr (both
// operands and the result of one Int type; wrap-around; shr is arithmetic on signed).
// Comparisons eq ne lt le gt ge (integers of one type, or pointers; also eq/ne on Bool)
// yield Bool. Bool operators: land lor (no short circuit; operands are pure).
type Binary struct {
	Op   string
	X, Y Expr
}

// Cast converts X to T: Int to Int (truncate or extend after X's signedness), Bool to Int
// (0/1), Int or Ptr to Bool (≠ 0), Ptr to Ptr, Ptr to Int, Int to Ptr, and anything to or
// from Opaque (an arbitrary value).
type Cast struct {
	X Expr
	T Type
	// Pun, of a pointer in a type-safe program: nothing says that a value of the type
	// lies there (unsafe.Pointer to *T).
	Pun bool
}

// Select is C ? X : Y without side effects.
type Select struct{ C, X, Y Expr }

// OpaqueConst is an arbitrary value of type T (a floating constant, a string's hash):
// equal texts have equal values.
type OpaqueConst struct {
	T    Type
	Text string
}

func (Const) isExpr()       {}
func (BoolConst) isExpr()   {}
func (Null) isExpr()        {}
func (Use) isExpr()         {}
func (GlobalAddr) isExpr()  {}
func (FuncAddr) isExpr()    {}
func (FieldAddr) isExpr()   {}
func (IndexAddr) isExpr()   {}
func (Unary) isExpr()       {}
func (Binary) isExpr()      {}
func (Cast) isExpr()        {}
func (Select) isExpr()      {}
func (OpaqueConst) isExpr() {}

// Type implementations.
func (e Const) Type() Type       { return e.T }
func (BoolConst) Type() Type     { return Bool{} }
func (e Null) Type() Type        { return e.T }
func (e Use) Type() Type         { return e.Reg.Type }
func (e GlobalAddr) Type() Type  { return Ptr{Elem: e.Global.Type} }
func (e FuncAddr) Type() Type    { return Ptr{Elem: e.Func.Type()} }
func (e FieldAddr) Type() Type   { return Ptr{Elem: e.S.Fields[e.Index].Type} }
func (e IndexAddr) Type() Type   { return e.T }
func (e Cast) Type() Type        { return e.T }
func (e Select) Type() Type      { return e.X.Type() }
func (e OpaqueConst) Type() Type { return e.T }

// Type returns Bool for lnot and the operand's type otherwise.
func (e Unary) Type() Type { return e.X.Type() }

// Type returns Bool for comparisons and logic, the operands' type otherwise.
func (e Binary) Type() Type {
	switch e.Op {
	case "eq", "ne", "lt", "le", "gt", "ge", "land", "lor":
		return Bool{}
	}
	return e.X.Type()
}

// IntConst returns the constant v of type t, wrapped into t's range.
func IntConst(t Int, v int64) Const { return Const{t, Wrap(t, big.NewInt(v))} }

// Wrap reduces v into the range of t (two's complement).
func Wrap(t Int, v *big.Int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	r := new(big.Int).Mod(v, m)
	if t.Signed && r.Bit(t.Bits-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

// WalkExpr calls f on e and all its subexpressions, outside in, until f returns false for
// a subtree.
func WalkExpr(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	switch e := e.(type) {
	case FieldAddr:
		WalkExpr(e.Base, f)
	case IndexAddr:
		WalkExpr(e.Base, f)
		WalkExpr(e.Idx, f)
	case Unary:
		WalkExpr(e.X, f)
	case Binary:
		WalkExpr(e.X, f)
		WalkExpr(e.Y, f)
	case Cast:
		WalkExpr(e.X, f)
	case Select:
		WalkExpr(e.C, f)
		WalkExpr(e.X, f)
		WalkExpr(e.Y, f)
	}
}

// MapExpr rebuilds e with f applied to every leaf and node bottom-up; f gets a node whose
// children are mapped already.
func MapExpr(e Expr, f func(Expr) Expr) Expr {
	switch x := e.(type) {
	case FieldAddr:
		x.Base = MapExpr(x.Base, f)
		return f(x)
	case IndexAddr:
		x.Base, x.Idx = MapExpr(x.Base, f), MapExpr(x.Idx, f)
		return f(x)
	case Unary:
		x.X = MapExpr(x.X, f)
		return f(x)
	case Binary:
		x.X, x.Y = MapExpr(x.X, f), MapExpr(x.Y, f)
		return f(x)
	case Cast:
		x.X = MapExpr(x.X, f)
		return f(x)
	case Select:
		x.C, x.X, x.Y = MapExpr(x.C, f), MapExpr(x.X, f), MapExpr(x.Y, f)
		return f(x)
	}
	return f(e)
}

// Uncast is e without the conversions around it.
func Uncast(e Expr) Expr {
	for {
		c, ok := e.(Cast)
		if !ok {
			return e
		}
		e = c.X
	}
}

// ConstInt is the value of a constant integer expression with the conversions around it
// applied; false where it is none, or has more than 64 bits.
func ConstInt(e Expr) (int64, bool) {
	v := constInt(e)
	if v == nil || !v.IsInt64() {
		return 0, false
	}
	return v.Int64(), true
}

// ConstBits are the bits of a constant expression of a type with at most 64 of them, as
// ConstInt has its value; false where it is none.
func ConstBits(e Expr) (uint64, bool) {
	v, n := constInt(e), e.Type().Size()*8
	if v == nil || n > 64 {
		return 0, false
	}
	return new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(n))).Uint64(), true
}

func constInt(e Expr) *big.Int {
	switch e := e.(type) {
	case Const:
		return e.Val
	case Null:
		return new(big.Int)
	case BoolConst:
		if e {
			return big.NewInt(1)
		}
		return new(big.Int)
	case Cast:
		v := constInt(e.X)
		t, isInt := e.T.(Int)
		switch {
		case v == nil || !isInt && v.Sign() != 0 && !IsPtr(e.T):
			return nil
		case isInt:
			return Wrap(t, v)
		}
		return v
	}
	return nil
}

// FuncOf is the function that e names, with conversions around it or none; nil where it
// names none.
func FuncOf(e Expr) *Func {
	a, _ := Uncast(e).(FuncAddr)
	return a.Func
}

// IntOf is the constant that e is, with conversions around it or none, which are not
// applied; false where it is none or has more than 64 bits.
func IntOf(e Expr) (int64, bool) {
	c, ok := Uncast(e).(Const)
	if !ok || !c.Val.IsInt64() {
		return 0, false
	}
	return c.Val.Int64(), true
}

// IsNull reports whether e is the null pointer, with conversions around it or none.
func IsNull(e Expr) bool {
	_, null := Uncast(e).(Null)
	return null
}
