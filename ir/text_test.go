package ir

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

func demo(t testing.TB) *Program {
	t.Helper()
	src, err := os.ReadFile("testdata/demo.wir")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("demo.wir", src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// roundTrip checks that p's text parses back to a program with the same text and returns
// that.
func roundTrip(t testing.TB, p *Program) *Program {
	t.Helper()
	var buf bytes.Buffer
	if err := Print(&buf, p); err != nil {
		t.Fatal(err)
	}
	q, err := Parse("p.wir", buf.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, buf.String())
	}
	if got := String(q); got != buf.String() {
		t.Fatalf("printed\n%s\nafter parsing\n%s", buf.String(), got)
	}
	return q
}

func TestDemo(t *testing.T) {
	p := demo(t)
	if err := Validate(p); err != nil {
		t.Error(err)
	}
	q := roundTrip(t, p)
	if !reflect.DeepEqual(p.Assumptions, q.Assumptions) || !reflect.DeepEqual(p.Exclusions, q.Exclusions) {
		t.Error("assumptions or exclusions differ")
	}
	if in := p.FuncByName("worker").Blocks[0].Instrs[3]; in.At() != (Pos{"b.h", 1, 0}) {
		t.Errorf("position %v", in.At())
	}
	kinds := map[string]bool{}
	for _, b := range p.FuncByName("worker").Blocks {
		for _, in := range b.Instrs {
			kinds[fmt.Sprintf("%T", in)] = true
		}
	}
	if len(kinds) != 37 {
		t.Errorf("the demo has %d kinds of instructions", len(kinds))
	}
}

func TestClone(t *testing.T) {
	p := demo(t)
	text := String(p)
	q, m := CloneWithMap(p)
	if String(q) != text {
		t.Error("the clone prints differently")
	}
	if err := Validate(q); err != nil {
		t.Errorf("the clone shares parts with the original: %v", err)
	}
	for in, c := range m.Instrs {
		if in == c || reflect.TypeOf(in) != reflect.TypeOf(c) {
			t.Errorf("%s is not copied", InstrString(in))
		}
	}
	for _, f := range q.Funcs {
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				b.Instrs[i] = MapOperands(in, func(e Expr) Expr { return Null{VPtr} })
			}
		}
	}
	if String(p) != text {
		t.Error("changing the clone changed the original")
	}
}

// TestSlots checks that slots knows every field of every instruction that holds an
// expression or a register.
func TestSlots(t *testing.T) {
	for _, f := range demo(t).Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				var exprs, regs int
				v := reflect.ValueOf(in).Elem()
				for i := range v.NumField() {
					switch x := v.Field(i).Interface().(type) {
					case Expr:
						exprs++
					case []Expr:
						for _, e := range x {
							if e != nil {
								exprs++
							}
						}
					case *Reg:
						if x != nil {
							regs++
						}
					case []*Reg:
						regs += len(x)
					}
				}
				if len(Operands(in)) != exprs || len(Defs(in)) != regs {
					t.Errorf("%s: %d operands of %d, %d registers of %d", InstrString(in), len(Operands(in)), exprs,
						len(Defs(in)), regs)
				}
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"func f() void {\na:\n  goto b\n}", `x.wir:3:8: there is no block "b" in "f"`},
		{"func f() void {\na:\n  store plain &g, i32 1\n}", `x.wir:3:16: there is no global "g"`},
		{"func f() void {\n  x := i32 1\n}", "x.wir:2:3: expected 'reg' or a block's label, found 'x'"},
		{"func f() void {\na:\n  x := i32 1\n}", `x.wir:3:3: there is no register "x"`},
		{"func f() void {\na:\n  return\n  yield\n}", `x.wir:4:3: an instruction after the end of the block "a"`},
		{"func f() void {\na:\n  frob 1\n}", "x.wir:3:3: expected an instruction, found 'frob'"},
		{"func f() void {\na:\n  yield yield\n}", "x.wir:3:9: expected end of line, found 'yield'"},
		{"global g: i32\nglobal g: i32", `x.wir:2:8: "g" is declared twice`},
		{"global g: struct(s)", `x.wir:1:18: there is no struct "s"`},
		{"global g: \"i32\"", "x.wir:1:11: expected a type"},
		{"program \"a", "x.wir:1:9: string without end"},
		{"program ?", "x.wir:1:9: unexpected character '?'"},
		{"entry e", `x.wir:1:7: there is no function "e"`},
		{"struct s size 4 {", "x.wir:1:17: '{' without '}'"},
		{"what", "x.wir:1:1: expected a declaration"},
		{"global g: " + strings.Repeat("*", maxNesting+1) + "void", "nested too deeply"},
	} {
		_, err := Parse("x.wir", []byte(tc.src))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.60q: got %v, want %q", tc.src, err, tc.want)
		}
	}
}

// gen makes random programs. They are well-formed as text but mostly not well-typed.
type gen struct {
	*rand.Rand
	p *Program
	f *Func
}

func (g *gen) name() string {
	pool := []string{"x", "y", "lock", "i32", "_", "", "a b", "x.1", "\"q\"", "\xff", "load", "reg", "if", "ü"}
	return pool[g.IntN(len(pool))] + pool[g.IntN(len(pool))]
}

func (g *gen) typ(depth int) Type {
	switch n := g.IntN(8); {
	case n < 3 || depth == 0:
		return Int{1 + g.IntN(128), g.IntN(2) == 0}
	case n == 3:
		return Array{g.typ(depth - 1), int64(g.IntN(5))}
	case n == 4:
		return g.p.Structs[g.IntN(len(g.p.Structs))]
	case n == 5:
		return FuncType{[]Type{g.typ(depth - 1)}, Void{}, g.IntN(2) == 0}
	case n == 6:
		return Opaque{g.name(), int64(g.IntN(16))}
	}
	return Ptr{g.typ(depth - 1), g.IntN(4) == 0}
}

func (g *gen) expr(depth int) Expr {
	ops := []string{"add", "sub", "eq", "lt", "land", "shr"}
	if depth == 0 {
		regs := append(append([]*Reg{}, g.f.Regs...), g.p.Ghosts...)
		switch g.IntN(6) {
		case 0:
			t := Int{1 + g.IntN(128), g.IntN(2) == 0}
			return Const{t, Wrap(t, big.NewInt(g.Int64()))}
		case 1:
			return BoolConst(g.IntN(2) == 0)
		case 2:
			return Null{Ptr{g.typ(2), g.IntN(4) == 0}}
		case 3:
			return GlobalAddr{g.p.Globals[g.IntN(len(g.p.Globals))]}
		case 4:
			return FuncAddr{g.p.Funcs[g.IntN(len(g.p.Funcs))]}
		}
		return Use{regs[g.IntN(len(regs))]}
	}
	e := func() Expr { return g.expr(g.IntN(depth)) }
	switch g.IntN(7) {
	case 0:
		s := g.p.Structs[g.IntN(len(g.p.Structs))]
		return FieldAddr{e(), s, g.IntN(len(s.Fields))}
	case 1:
		return IndexAddr{e(), e(), g.Int64N(9) - 4, Ptr{g.typ(1), g.IntN(4) == 0}}
	case 2:
		return Unary{"neg", e()}
	case 3:
		return Cast{e(), g.typ(2), g.IntN(4) == 0}
	case 4:
		return Select{e(), e(), e()}
	case 5:
		return OpaqueConst{g.typ(1), g.name()}
	}
	return Binary{ops[g.IntN(len(ops))], e(), e()}
}

func (g *gen) pos() Pos {
	return []Pos{{}, {"a.c", g.IntN(3), g.IntN(3)}, {"b c.h", 1, 2}, {"", 2, 0}}[g.IntN(4)]
}

// fill sets every field of the instruction or terminator at random.
func (g *gen) fill(x any) {
	v := reflect.ValueOf(x).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		switch f.Interface().(type) {
		case Base:
			f.Set(reflect.ValueOf(Base{g.pos()}))
		case TermBase:
			f.Set(reflect.ValueOf(TermBase{g.pos()}))
		case *Reg:
			f.Set(reflect.ValueOf(g.f.Regs[g.IntN(len(g.f.Regs))]))
		case []Expr:
			f.Set(reflect.ValueOf([]Expr{g.expr(2), g.expr(1)}[:g.IntN(3)]))
		case []string:
			f.Set(reflect.ValueOf([]string{g.name(), g.name()}[:g.IntN(3)]))
		case []*Block:
			f.Set(reflect.ValueOf([]*Block{g.block(), g.block()}[:1+g.IntN(2)]))
		case *Block:
			f.Set(reflect.ValueOf(g.block()))
		case bool:
			f.SetBool(g.IntN(2) == 0)
		default:
			switch {
			case f.Kind() == reflect.String:
				f.SetString(g.name())
			case f.Type() == reflect.TypeFor[Type]():
				f.Set(reflect.ValueOf(g.typ(2)))
			case f.Type() == reflect.TypeFor[Expr]():
				f.Set(reflect.ValueOf(g.expr(3)))
			}
		}
	}
}

func (g *gen) block() *Block { return g.f.Blocks[g.IntN(len(g.f.Blocks))] }

func (g *gen) program(protos []Instr) *Program {
	g.p = &Program{Name: g.name(), TypeSafe: g.IntN(2) == 0}
	for i := range 2 {
		s := &Struct{Name: fmt.Sprint(g.name(), i), Bytes: 8, Union: i == 1, Sum: i == 2, Whole: i == 3, Closed: i == 0}
		g.p.Structs = append(g.p.Structs, s)
		for range 3 {
			s.Fields = append(s.Fields, Field{g.name(), g.typ(2), 4, g.IntN(2), g.IntN(2), g.IntN(2) == 0, g.IntN(2) == 0, g.IntN(2) == 0})
		}
		g.p.Globals = append(g.p.Globals, &Global{Name: fmt.Sprint(g.name(), i), Type: g.typ(2), Pos: g.pos()})
		g.p.Funcs = append(g.p.Funcs, &Func{Name: fmt.Sprint(g.name(), i), Result: g.typ(2), Pos: g.pos()})
		g.p.Ghosts = append(g.p.Ghosts, &Reg{Name: fmt.Sprint(g.name(), "g", i), Type: g.typ(2), Ghost: true})
	}
	for _, f := range g.p.Funcs {
		g.f = f
		for i := range 3 {
			f.Regs = append(f.Regs, &Reg{Name: fmt.Sprint(g.name(), i), Type: g.typ(2), Pos: g.pos()})
			f.Blocks = append(f.Blocks, &Block{Name: fmt.Sprint(g.name(), i)})
		}
		for _, b := range f.Blocks {
			for range 4 {
				in := reflect.New(reflect.TypeOf(protos[g.IntN(len(protos))]).Elem()).Interface().(Instr)
				g.fill(in)
				b.Instrs = append(b.Instrs, in)
			}
			b.Term = []Term{&Goto{}, &Branch{}, &Return{}, &Stop{}}[g.IntN(4)]
			g.fill(b.Term)
		}
	}
	for _, gl := range g.p.Globals {
		g.f = &Func{Regs: g.p.Ghosts}
		gl.Init = []InitCell{{1, g.typ(1), g.expr(2), g.pos()}, {2, I32, IntConst(I32, 5), g.pos()}}[:g.IntN(3)]
	}
	return g.p
}

func TestRoundTripRandom(t *testing.T) {
	var protos []Instr
	for _, b := range demo(t).FuncByName("worker").Blocks {
		protos = append(protos, b.Instrs...)
	}
	for seed := range uint64(400) {
		g := &gen{Rand: rand.New(rand.NewPCG(seed, 7))}
		p := g.program(protos)
		roundTrip(t, p)
		if String(Clone(p)) != String(p) {
			t.Fatalf("seed %d: the clone differs", seed)
		}
		_ = Validate(p) // must not panic
	}
}

func FuzzParse(f *testing.F) {
	src, err := os.ReadFile("testdata/demo.wir")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	for _, s := range strings.Split(string(src), "\n\n") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := Parse("f.wir", src)
		if err != nil {
			return
		}
		roundTrip(t, p)
		if String(Clone(p)) != String(p) {
			t.Fatal("the clone differs")
		}
		_ = Validate(p)
	})
}

// TestWithoutAwaits: all other instructions stay, and every new one stands for an Await.
func TestWithoutAwaits(t *testing.T) {
	p := demo(t)
	text := String(p)
	q, from := WithoutAwaits(p)
	if String(p) != text {
		t.Error("the program has changed")
	}
	if err := Validate(q); err != nil {
		t.Error(err)
	}
	if strings.Contains(String(q), "await ") {
		t.Error("an await is left")
	}
	of := map[Instr]int{}
	for _, f := range q.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				of[from[in]]++
			}
		}
	}
	for in, n := range of {
		if _, await := in.(*Await); in == nil || (n > 1) != await {
			t.Errorf("%d instructions stand for %v", n, in)
		}
	}
	if again, none := WithoutAwaits(q); again != q || none != nil {
		t.Error("a program without awaits is copied")
	}
}
