package irgen

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Call is a call whose operands are evaluated: it can run later (defer) or elsewhere
// (go).
type Call struct {
	CC   *ssa.CallCommon
	Fn   *ssa.Function // static callee, or nil
	Self ir.Expr       // its captured variables, or the function value of a dynamic call
	Recv Value         // the interface of a method call
	Args []Value
	// Fills is the parameter that a library function writes which reads the others; 0:
	// all, or only the first one where FillsFirst says so.
	Fills      int
	FillsFirst bool
	// Effect is what a library function does to what it is given.
	Effect library.Op
	// Uses is what a library function does to what is kept: see funcModel.Uses.
	Uses string
}

func (p *Call) Flat() Value {
	var out Value
	for _, a := range p.Args {
		out = append(out, a...)
	}
	return out
}

var BinOps = map[token.Token]string{token.ADD: "add", token.SUB: "sub", token.MUL: "mul", token.QUO: "div", token.REM: "rem",
	token.AND: "and", token.OR: "or", token.XOR: "xor", token.EQL: "eq", token.NEQ: "ne", token.LSS: "lt", token.LEQ: "le",
	token.GTR: "gt", token.GEQ: "ge"}

// RecvType is the type that the first argument points to.
func RecvType(p *Call) types.Type { return form.Deref(form.ParamTypes(p.Fn.Signature)[0]) }
