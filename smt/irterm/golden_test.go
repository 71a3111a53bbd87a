package irterm

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/smt/bv"
)

var update = flag.Bool("update", false, "write the golden file")

// TestGolden writes down the term of each expression of testdata/terms.wir.
func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/terms.wir")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse("terms.wir", src)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	b, addresses := bv.NewBuilder(), map[string]int{}
	v := Evaluator{B: b,
		Reg: func(r *ir.Reg) *bv.Term {
			if w, ok := Width(r.Type); ok {
				return b.Var(r.Name, w)
			}
			return nil
		},
		Address: func(name string) *bv.Term {
			if addresses[name] == 0 {
				addresses[name] = len(addresses) + 1
			}
			return b.Var(fmt.Sprintf("address%d", addresses[name]), 64)
		},
		Any: func(w int) *bv.Term { return b.Var(fmt.Sprintf("any%d", w), w) }}
	var got strings.Builder
	for _, in := range p.FuncByName("f").Blocks[0].Instrs {
		a := in.(*ir.Assign)
		fmt.Fprintf(&got, "%-45s %s\n", ir.ExprString(a.X), text(v.Eval(a.X)))
	}
	if *update {
		if err := os.WriteFile("testdata/terms.golden", []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("testdata/terms.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}

var operators = map[bv.Op]string{bv.OpTrue: "true", bv.OpFalse: "false", bv.OpNot: "not",
	bv.OpAnd: "and", bv.OpOr: "or", bv.OpIte: "ite", bv.OpEq: "=",
	bv.OpAdd: "+", bv.OpMul: "*", bv.OpUDiv: "udiv", bv.OpURem: "urem", bv.OpSDiv: "sdiv",
	bv.OpSRem: "srem", bv.OpBAnd: "&", bv.OpBOr: "|",
	bv.OpBXor: "^", bv.OpBNot: "~", bv.OpNeg: "-", bv.OpShl: "<<", bv.OpLShr: ">>>",
	bv.OpAShr: ">>", bv.OpConcat: "concat", bv.OpZExt: "zext",
	bv.OpSExt: "sext", bv.OpULt: "u<", bv.OpULe: "u<=", bv.OpSLt: "<", bv.OpSLe: "<="}

// text is a term as an S-expression; numbers and extensions say how many bits they have.
func text(x *bv.Term) string {
	if x == nil {
		return "none"
	}
	name := x.Name + operators[x.Op]
	switch {
	case x.Op == bv.OpNum:
		return fmt.Sprintf("%d:%d", x.Val, x.Width)
	case x.Op == bv.OpExtract:
		name = fmt.Sprintf("bits %d-%d", x.Val>>16, x.Val&0xffff)
	case x.Op == bv.OpZExt || x.Op == bv.OpSExt:
		name = fmt.Sprintf("%s %d", name, x.Width)
	}
	if len(x.Args) == 0 {
		return name
	}
	for _, a := range x.Args {
		name += " " + text(a)
	}
	return "(" + name + ")"
}
