package ir

import (
	"strings"
	"testing"
)

const allSrc = `program "all"
global g: i32
func f(x: i32, c: bool) i32 {
  reg y: i32
e:
  y := load plain &g
  if c then a else b
a:
  store plain &g, add(x, y)
  return mul(x, x)
b:
  return y
}
func h() void {
e:
  fence seq_cst
  return
}
`

// TestAll: all instructions and operands come in their order, and a loop over them may end
// early.
func TestAll(t *testing.T) {
	p, err := Parse("all.wir", []byte(allSrc))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f, in := range p.Instrs() {
		got = append(got, f.Name+": "+InstrString(in))
	}
	for e := range p.Funcs[0].Exprs() {
		if got = append(got, ExprString(e)); len(got) == 7 {
			break
		}
	}
	for range p.Funcs[0].Instrs() {
		break
	}
	for range p.Instrs() {
		break
	}
	want := "f: y := load plain &g|f: store plain &g, add(x, y)|h: fence seq_cst|&g|c|&g|add(x, y)"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
	if r := RegsOf(p.Funcs[0].Blocks[1].Term.(*Return).Val); len(r) != 2 ||
		r[0].Name != "x" || r[1] != r[0] {
		t.Errorf("%v", r)
	}
}

// TestSameNode: expressions are the same where their forms and leaves are.
func TestSameNode(t *testing.T) {
	var same func(a, b Expr) bool
	same = func(a, b Expr) bool { return SameNode(a, b, same) }
	x, y := &Reg{Name: "x", Type: I32}, &Reg{Name: "y", Type: I32}
	s := &Struct{Name: "s", Fields: []Field{{Name: "a", Type: I32}, {Name: "b", Type: I32, Offset: 4}}}
	g := &Global{Name: "g", Type: I32}
	list := []Expr{nil, Use{x}, Use{y}, IntConst(I32, 1), IntConst(I32, 2), IntConst(I64, 1),
		BoolConst(true), BoolConst(false), Null{VPtr}, GlobalAddr{g},
		FieldAddr{Use{x}, s, 0}, FieldAddr{Use{x}, s, 1},
		IndexAddr{Base: GlobalAddr{g}, Idx: Use{x}, Stride: 4, T: VPtr},
		IndexAddr{Base: GlobalAddr{g}, Idx: Use{x}, Stride: 8, T: VPtr},
		Unary{Op: "neg", X: Use{x}}, Unary{Op: "not", X: Use{x}},
		Binary{Op: "add", X: Use{x}, Y: Use{y}}, Binary{Op: "add", X: Use{y}, Y: Use{x}},
		Cast{X: Use{x}, T: I64},
		Select{C: BoolConst(true), X: Use{x}, Y: Use{y}},
		Select{C: BoolConst(false), X: Use{x}, Y: Use{y}}}
	for i, a := range list {
		for j, b := range list {
			if same(a, b) != (i == j) {
				t.Errorf("%v and %v: %v", a, b, i != j)
			}
		}
	}
}
