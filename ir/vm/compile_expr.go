package vm

import (
	"whoop/ir"
	"whoop/ir/interp"
)

// expr compiles an expression; what it returns holds until the instruction has been
// executed.
func (c *fc) expr(e ir.Expr) operand {
	switch e := e.(type) {
	case ir.Use:
		return c.use(e)
	case ir.Const:
		if e.T.Bits <= 64 {
			return c.constant(constWord(e))
		}
	case ir.BoolConst:
		return c.constant(bit(bool(e)))
	case ir.Null:
		return c.constant(0)
	case ir.FuncAddr:
		return c.constant(funcAddr(c.m.index(e.Func)))
	case ir.GlobalAddr:
		if id, ok := c.m.globals[e.Global]; ok {
			return c.constant(mkAddr(id, 0))
		}
	case ir.OpaqueConst:
		if v, ok := interp.FloatBits(e); ok {
			return c.constant(v)
		}
	case ir.FieldAddr:
		if e.S.Fields[e.Index].Offset == 0 {
			return c.expr(e.Base)
		}
	case ir.Cast:
		if sameWord(e.X.Type(), e.T) {
			return c.expr(e.X)
		}
	}
	d := c.scratch()
	c.into(d, e)
	return d
}

// use reads a register; one that is lazy is asked for now.
func (c *fc) use(e ir.Use) operand {
	if e.Reg.Ghost || !narrowEnough(e.Reg.Type) {
		return c.unsupported("the register %s of type %s", e.Reg.Name, e.Reg.Type)
	}
	d := c.slots[e.Reg]
	if state, ok := c.lazy[e.Reg]; ok {
		in := typed(opForce, e.Reg.Type)
		in.d, in.x, in.aux = d, state, c.typ(e.Reg.Type)
		c.emit(in)
	}
	return d
}

// constWord is the word of a constant of at most 64 bits.
func constWord(e ir.Const) uint64 {
	v := e.Val.Uint64()
	if e.Val.Sign() < 0 {
		v = uint64(e.Val.Int64())
	}
	b, s := norm(e.T)
	return normalise(v, b, s)
}

// sameWord reports whether a cast leaves the word as it is.
func sameWord(from, to ir.Type) bool {
	if !narrowEnough(from) || !narrowEnough(to) {
		return false
	}
	_, fo := from.(ir.Opaque)
	_, to2 := to.(ir.Opaque)
	if fo || to2 {
		return ir.Equal(from, to)
	}
	switch t := to.(type) {
	case ir.Ptr:
		return true
	case ir.Bool:
		_, same := from.(ir.Bool)
		return same
	case ir.Int:
		fi, isInt := from.(ir.Int)
		_, isBool := from.(ir.Bool)
		return isBool || t.Bits == 64 || isInt && (fi == t || fi.Bits < t.Bits && (!fi.Signed || t.Signed))
	}
	return false
}

// into compiles an expression into a register.
func (c *fc) into(d operand, e ir.Expr) {
	switch e := e.(type) {
	case ir.Unary:
		if !narrowEnough(e.Type()) {
			break
		}
		op := map[string]opcode{"neg": opNeg, "not": opNot, "lnot": opNot}[e.Op]
		in := typed(op, e.Type())
		in.d, in.x = d, c.expr(e.X)
		c.emit(in)
		return
	case ir.Binary:
		c.binary(d, e)
		return
	case ir.Cast:
		c.cast(d, e)
		return
	case ir.Select:
		c.choice(d, e.C, e.X, e.Y)
		return
	case ir.FieldAddr:
		c.emit(ins{op: opAdd, bits: 64, d: d, x: c.expr(e.Base), y: c.constant(uint64(e.S.Fields[e.Index].Offset))})
		return
	case ir.IndexAddr:
		if !narrowEnough(e.Idx.Type()) {
			break
		}
		c.emit(ins{op: opOffset, d: d, x: c.expr(e.Base), y: c.expr(e.Idx), c: int32(c.constant(uint64(e.Stride)))})
		return
	case ir.GlobalAddr:
		if i, ok := c.m.tls[e.Global]; ok {
			c.emit(ins{op: opTLS, d: d, c: int32(i)})
			return
		}
		c.emit(ins{op: opMov, bits: 64, d: d, x: c.expr(e)})
		return
	case ir.Use, ir.Const, ir.BoolConst, ir.Null, ir.FuncAddr, ir.OpaqueConst:
		if narrowEnough(e.Type()) && simple(e) {
			c.emit(ins{op: opMov, bits: 64, d: d, x: c.expr(e)})
			return
		}
	}
	c.unsupported("the expression %s", ir.ExprString(e))
}

// simple reports whether expr takes a leaf without a register for it.
func simple(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.Const:
		return e.T.Bits <= 64
	case ir.OpaqueConst:
		_, ok := interp.FloatBits(e)
		return ok
	}
	return true
}

var binaryOps = map[string]opcode{"add": opAdd, "sub": opSub, "mul": opMul, "div": opDiv, "rem": opRem, "and": opAnd, "or": opOr,
	"xor": opXor, "shl": opShl, "shr": opShr, "eq": opEq, "ne": opNe, "lt": opLt, "le": opLe, "gt": opGt, "ge": opGe,
	"land": opAnd, "lor": opOr}

// binary compiles an operator. The second operand of a logical one is evaluated only
// where it matters, if it may trap.
func (c *fc) binary(d operand, e ir.Binary) {
	t := e.X.Type()
	if !narrowEnough(t) || !narrowEnough(e.Y.Type()) {
		c.unsupported("the operator %s on type %s", e.Op, t)
		return
	}
	if _, opaque := t.(ir.Opaque); opaque && e.Op != "eq" && e.Op != "ne" {
		c.unsupported("the operator %s on type %s", e.Op, t)
		return
	}
	switch {
	case e.Op == "land" && c.mayTrap(e.Y):
		c.choice(d, e.X, e.Y, ir.BoolConst(false))
		return
	case e.Op == "lor" && c.mayTrap(e.Y):
		c.choice(d, e.X, ir.BoolConst(true), e.Y)
		return
	}
	op, ok := binaryOps[e.Op]
	if !ok {
		c.unsupported("the operator %s", e.Op)
		return
	}
	in := typed(op, t)
	in.d, in.x, in.y = d, c.expr(e.X), c.expr(e.Y)
	if isSigned(t) {
		in.flags |= flagSigned
	}
	c.emit(in)
}

// choice compiles C ? X : Y into d. The one that is not wanted is not evaluated where it
// may trap or asks.
func (c *fc) choice(d operand, cond, x, y ir.Expr) {
	if !c.mayTrap(x) && !c.mayTrap(y) {
		v := c.expr(cond)
		c.emit(ins{op: opSelect, d: d, c: int32(v), x: c.expr(x), y: c.expr(y)})
		return
	}
	// The result is made in a register of its own, since d may be among the operands.
	r := c.scratch()
	branch := c.emit(ins{op: opIf, x: c.expr(cond)})
	c.x.code[branch].c = c.here()
	c.emit(ins{op: opMov, bits: 64, d: r, x: c.expr(x)})
	jump := c.emit(ins{op: opJump})
	c.x.code[branch].d = operand(c.here())
	c.emit(ins{op: opMov, bits: 64, d: r, x: c.expr(y)})
	c.x.code[jump].c = c.here()
	c.emit(ins{op: opMov, bits: 64, d: d, x: r})
}

// mayTrap reports whether evaluating an expression may fail, or asks for a value.
func (c *fc) mayTrap(e ir.Expr) bool {
	found := false
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Binary:
			found = found || e.Op == "div" || e.Op == "rem"
		case ir.Use:
			found = found || c.isLazy(e.Reg)
		}
		return !found
	})
	return found
}

func (c *fc) cast(d operand, e ir.Cast) {
	from := e.X.Type()
	_, fo := from.(ir.Opaque)
	_, to := e.T.(ir.Opaque)
	if !narrowEnough(from) || !narrowEnough(e.T) || (fo || to) && !ir.Equal(from, e.T) {
		c.unsupported("the cast from %s to %s", from, e.T)
		return
	}
	in := typed(opNorm, e.T)
	if _, isBool := e.T.(ir.Bool); isBool {
		in.op = opBool
	}
	if sameWord(from, e.T) {
		in = ins{op: opMov, bits: 64}
	}
	in.d, in.x = d, c.expr(e.X)
	c.emit(in)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// normalise extends the low bits of v to the representation of a type.
func normalise(v uint64, bits uint8, signed bool) uint64 {
	if bits >= 64 {
		return v
	}
	sh := 64 - bits
	if signed {
		return uint64(int64(v<<sh) >> sh)
	}
	return v << sh >> sh
}
