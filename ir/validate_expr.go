package ir

// expr checks e and reports whether its type can be trusted.
func (v *validator) expr(e Expr) bool {
	n := len(v.errs)
	v.checkExpr(e)
	return len(v.errs) == n
}

func (v *validator) checkExpr(e Expr) {
	switch e := e.(type) {
	case nil:
		v.errorf("an operand is missing")
	case BoolConst:
	case Const:
		v.typ("a constant", e.T)
		if e.Val == nil || e.T.Bits < 1 || e.T.Bits > 128 || Wrap(e.T, e.Val).Cmp(e.Val) != 0 {
			v.errorf("the constant %s is outside its type", ExprString(e))
		}
	case Null:
		v.typ("a null pointer", e.T)
	case OpaqueConst:
		v.typ("a constant", e.T)
	case Use:
		if e.Reg == nil || !v.regs[e.Reg] {
			v.errorf("the register %s is not of this function", regText(e.Reg))
		}
	case GlobalAddr:
		if !v.globals[e.Global] {
			v.errorf("the address of a global that is not the program's")
		}
	case FuncAddr:
		if !v.funcs[e.Func] {
			v.errorf("the address of a function that is not the program's")
		}
	case FieldAddr:
		v.fieldAddr(e)
	case IndexAddr:
		v.typ("an address", e.T)
		v.ptr(e.Base)
		if v.expr(e.Idx) && !IsInt(e.Idx.Type()) {
			v.errorf("the index %s is no integer", ExprString(e.Idx))
		}
	case Unary:
		v.unary(e)
	case Binary:
		v.binary(e)
	case Cast:
		v.cast(e)
	case Select:
		v.cond(e.C)
		if v.expr(e.X) && v.expr(e.Y) && !compatible(e.X.Type(), e.Y.Type()) {
			v.errorf("the alternatives of %s have different types", ExprString(e))
		}
	default:
		v.errorf("an unknown expression %T", e)
	}
}

func (v *validator) fieldAddr(e FieldAddr) {
	switch {
	case e.S == nil || !v.structs[e.S]:
		v.errorf("a member of a struct that is not the program's")
		return
	case e.Index < 0 || e.Index >= len(e.S.Fields):
		v.errorf("member %d of struct %q, which has %d", e.Index, e.S.Name, len(e.S.Fields))
		return
	}
	v.ptr(e.Base)
}

// ptr checks that e is a pointer.
func (v *validator) ptr(e Expr) {
	if v.expr(e) && !IsPtr(e.Type()) {
		v.errorf("%s is no pointer", ExprString(e))
	}
}

// cond checks that e is a Bool.
func (v *validator) cond(e Expr) {
	if v.expr(e) && !Equal(e.Type(), Bool{}) {
		v.errorf("the condition %s is no bool", ExprString(e))
	}
}

// integer checks that e is an integer.
func (v *validator) integer(e Expr) {
	if v.expr(e) && !IsInt(e.Type()) {
		v.errorf("%s is no integer", ExprString(e))
	}
}

func (v *validator) unary(e Unary) {
	switch e.Op {
	case "neg", "not":
		v.integer(e.X)
	case "lnot":
		v.cond(e.X)
	default:
		v.errorf("an unknown operator %q", e.Op)
	}
}

func (v *validator) binary(e Binary) {
	okX, okY := v.expr(e.X), v.expr(e.Y)
	if !binaryOp(e.Op) {
		v.errorf("an unknown operator %q", e.Op)
		return
	}
	if !okX || !okY {
		return
	}
	t, u := e.X.Type(), e.Y.Type()
	good := compatible(t, u)
	switch e.Op {
	case "eq", "ne":
		good = good && (IsInt(t) || IsPtr(t) || Equal(t, Bool{}))
	case "lt", "le", "gt", "ge":
		good = good && (IsInt(t) || IsPtr(t))
	case "land", "lor":
		good = good && Equal(t, Bool{})
	default:
		good = good && IsInt(t)
	}
	if !good {
		v.errorf("%s of %s and %s", e.Op, typeText(t), typeText(u))
	}
}

func (v *validator) cast(e Cast) {
	v.typ("a cast", e.T)
	if !v.expr(e.X) {
		return
	}
	from := e.X.Type()
	_, opaqueFrom := from.(Opaque)
	_, opaqueTo := e.T.(Opaque)
	_, boolTo := e.T.(Bool)
	_, boolFrom := from.(Bool)
	good := opaqueFrom || opaqueTo || Equal(from, e.T)
	switch {
	case IsInt(from):
		good = good || IsInt(e.T) || IsPtr(e.T) || boolTo
	case IsPtr(from):
		good = good || IsInt(e.T) || IsPtr(e.T) || boolTo
	case boolFrom:
		good = good || IsInt(e.T)
	}
	if !good || !isScalar(e.T) {
		v.errorf("a cast of %s to %s", typeText(from), typeText(e.T))
	}
}
