package vcgen_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/smt"
	"whoop/smt/vcgen"
	"whoop/smt/z3"
	"whoop/summaries"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden writes down the verification conditions of the programs in testdata, with
// what Houdini says of their assertions. An assertion with the tag "start" is assumed
// where its procedure starts, one with "end" is owed where it returns, and one with
// "head" is an invariant of the loop whose head it stands in. Nobody writes constants,
// whose names begin with c; p is private to the thread, all else shared.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wir")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".wir"), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got, golden := conditions(t, f, src), strings.TrimSuffix(f, ".wir")+".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s(go test ./smt/vcgen -run TestGolden -update; read what changes)", got, want)
			}
		})
	}
}

// contract is what the assertions of a procedure say.
type contract struct {
	vcgen.Options
	modifies []*ir.Reg
}

// conditions generates the conditions of a program's procedures, and decides them.
func conditions(t *testing.T, name string, src []byte) string {
	t.Helper()
	p, err := ir.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	var list []*ir.Assert
	contracts := map[*ir.Func]*contract{}
	for _, f := range p.Funcs {
		contracts[f] = contractOf(f, &list)
	}
	var procs []*summaries.Proc
	for _, f := range p.Funcs {
		o := contracts[f].Options
		o.Calls = map[*ir.Call]*vcgen.Summary{}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ir.Call); ok {
					o.Calls[c] = summaryOf(c, contracts[ir.FuncOf(c.Callee)])
				}
			}
		}
		b := smt.NewBuilder()
		vc, err := vcgen.Generate(b, f, o)
		if err != nil {
			t.Fatal(err)
		}
		procs = append(procs, &summaries.Proc{Name: f.Name, B: b, VC: vc})
	}
	solvers := z3.NewContext(z3.Options{})
	defer solvers.Close()
	res, err := summaries.Houdini(context.Background(), procs, len(list),
		summaries.Options{Solvers: solvers})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	names := names{}
	for i, a := range list {
		says := "may fail"
		if res.Holds[i] {
			says = "holds"
		}
		fmt.Fprintf(&out, "%d %s %s: %s\n", i, a.Tag, ir.ExprString(a.Cond), says)
	}
	for _, q := range procs {
		fmt.Fprintf(&out, "%s\n", q.Name)
		for _, a := range q.VC.Axioms {
			fmt.Fprintf(&out, "  given %s\n", names.text(a))
		}
		for _, o := range q.VC.Obligations {
			fmt.Fprintf(&out, "  %d fails if %s\n", o.ID, names.text(o.Violated))
		}
		if len(q.VC.Refuted) > 0 {
			fmt.Fprintf(&out, "  refuted at once: %v\n", q.VC.Refuted)
		}
	}
	return out.String()
}

// contractOf takes the assertions of a procedure that are about its start, its end and its
// loops from it, and numbers all of them.
func contractOf(f *ir.Func, list *[]*ir.Assert) *contract {
	c := &contract{Options: vcgen.Options{Invariants: map[*ir.Block][]vcgen.Candidate{},
		Asserts: map[*ir.Assert]int{}, Read: read, Writes: writes}}
	for _, b := range f.Blocks {
		var rest []ir.Instr
		for _, in := range b.Instrs {
			if s, ok := in.(*ir.Assign); ok && s.Dst.Ghost {
				c.modifies = append(c.modifies, s.Dst)
			}
			a, ok := in.(*ir.Assert)
			if !ok {
				rest = append(rest, in)
				continue
			}
			k := vcgen.Candidate{ID: len(*list), Cond: a.Cond}
			*list = append(*list, a)
			switch a.Tag {
			case "start":
				c.Pre = append(c.Pre, k)
			case "end":
				c.Post = append(c.Post, k)
			case "head":
				c.Invariants[b] = append(c.Invariants[b], k)
			default:
				c.Asserts[a] = k.ID
				rest = append(rest, in)
			}
		}
		b.Instrs = rest
	}
	return c
}

// summaryOf is what a caller has to know of a procedure: its contract over the arguments.
func summaryOf(call *ir.Call, c *contract) *vcgen.Summary {
	over := func(ks []vcgen.Candidate) (out []vcgen.Candidate) {
		for _, k := range ks {
			k.Cond = ir.MapExpr(k.Cond, func(e ir.Expr) ir.Expr {
				for i, p := range ir.FuncOf(call.Callee).Params {
					if u, ok := e.(ir.Use); ok && u.Reg == p {
						return call.Args[i]
					}
				}
				return e
			})
			out = append(out, k)
		}
		return out
	}
	s := &vcgen.Summary{Pre: over(c.Pre), Post: over(c.Post), Modifies: c.modifies}
	s.Writes.Add(1)
	return s
}

func global(e ir.Expr) string {
	if g, ok := e.(ir.GlobalAddr); ok {
		return g.Global.Name
	}
	return ""
}

func read(l *ir.Load) (vcgen.ReadClass, []int) {
	switch n := global(l.Addr); {
	case strings.HasPrefix(n, "c"):
		return vcgen.Constant, nil
	case n == "p":
		return vcgen.Private, []int{1}
	}
	return vcgen.Arbitrary, nil
}

func writes(in ir.Instr) []int {
	if s, ok := in.(*ir.Store); ok && global(s.Addr) == "p" {
		return []int{1}
	}
	return nil
}

var operators = map[smt.Op]string{smt.OpNot: "not", smt.OpAnd: "and", smt.OpOr: "or",
	smt.OpIte: "ite", smt.OpEq: "=", smt.OpLt: "<",
	smt.OpLe: "<=", smt.OpAdd: "+", smt.OpMul: "*", smt.OpDiv: "div", smt.OpTrue: "true",
	smt.OpFalse: "false"}

// names are those of constants in a golden file, where what distinguishes them is the
// order in which they come.
type names map[string]string

func (n names) of(name string) string {
	base, _, made := strings.Cut(name, "!")
	if made && n[name] == "" {
		n[name] = fmt.Sprintf("%s!%d", base, len(n)+1)
	}
	return cmp.Or(n[name], name)
}

// text is a term as an S-expression.
func (n names) text(x *smt.Term) string {
	name := n.of(x.Name) + operators[x.Op]
	if x.Op == smt.OpNum {
		return x.Val.String()
	}
	if len(x.Args) == 0 {
		return name
	}
	for _, a := range x.Args {
		name += " " + n.text(a)
	}
	return "(" + name + ")"
}
