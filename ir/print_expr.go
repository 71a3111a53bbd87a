package ir

func (w *printer) expr(e Expr) {
	switch e := e.(type) {
	case nil:
		w.s("<nil>")
	case Const:
		w.s(typeText(e.T), " ")
		if e.Val == nil {
			w.s("<nil>")
		} else {
			w.s(e.Val.String())
		}
	case BoolConst:
		w.f("%t", bool(e))
	case Null:
		w.s("null ", typeText(e.T))
	case Use:
		w.s(regText(e.Reg))
	case GlobalAddr:
		w.s("&", nameText(e.Global.Name))
	case FuncAddr:
		w.s("fn ", nameText(e.Func.Name))
	case FieldAddr:
		w.s("field(", e.Base, ", ", nameText(e.S.Name), ", ", fieldText(e.S, e.Index), ")")
	case IndexAddr:
		w.s("index(", e.Base, ", ", e.Idx, ", ", e.Stride, ", ", typeText(e.T), ")")
	case Unary:
		w.s(e.Op, "(", e.X, ")")
	case Binary:
		w.s(e.Op, "(", e.X, ", ", e.Y, ")")
	case Cast:
		name := "cast("
		if e.Pun {
			name = "pun("
		}
		w.s(name, typeText(e.T), ", ", e.X, ")")
	case Select:
		w.s("select(", e.C, ", ", e.X, ", ", e.Y, ")")
	case OpaqueConst:
		w.s("const(", typeText(e.T), ", ", Quote(e.Text), ")")
	}
}

func (w *printer) args(as []Expr) {
	w.s("(")
	for i, a := range as {
		w.s(listSep(i, ""))
		if a == nil {
			w.s("_")
		} else {
			w.expr(a)
		}
	}
	w.s(")")
}

// callee prints what is called: a function's name, or * and an expression.
func (w *printer) callee(e Expr) {
	if f, ok := e.(FuncAddr); ok {
		w.s(nameText(f.Func.Name))
		return
	}
	w.s("*", e)
}

// opt prints " keyword e" where e is there.
func (w *printer) opt(keyword string, e Expr) {
	if e != nil {
		w.s(" ", keyword, " ", e)
	}
}

// dst prints an optional destination.
func (w *printer) dst(r *Reg) {
	if r != nil {
		w.s(regText(r), " := ")
	}
}

// dst2 prints two optional destinations: both or neither.
func (w *printer) dst2(a, b *Reg) {
	if a != nil || b != nil {
		w.s(regText(a), ", ", regText(b), " := ")
	}
}
