package alias

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir"
)

// The tests here run random programs and hold what they touch against what the analysis
// says.

const execHeader = `program "random"
struct in size 16 { x: *struct("s") @0, n: i64 @8 }
struct s size 32 { a: *struct("s") @0, b: *struct("s") @8; e: struct("in") @16 }
struct t size 112 { hd: *struct("s") @0, v: [3]struct("s") @8; z: *struct("s") @104 }
struct u size 32 { a: *struct("s") @0, n: i64 @8, b: *struct("s") @16, m: i64 @24 }
global g0: struct("s")
global gu: struct("u")
global gv: *void
global g1: struct("s")
global ga: [2]struct("s")
global gt: struct("t")
global gp: *struct("s")
`

// randomProgram makes functions f0 … that shuffle pointers around.
func randomProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(execHeader)
	n := 2 + r.IntN(3)
	fmt.Fprintf(&b, "global tab: [%d]*func(*struct(\"s\"), *struct(\"s\")) *struct(\"s\") = { ", n)
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d = fn f%d", 8*i, i)
	}
	b.WriteString(" }\n")
	for i := range n {
		fmt.Fprintf(&b, `func f%d(r0: *struct("s"), r1: *struct("s")) *struct("s") {
  reg r2, r3: *struct("s")
  reg u: u64
  reg v: *void
  reg w: *struct("u")
  reg i: i64
  reg h: *func(*struct("s"), *struct("s")) *struct("s")
start:
  r2 := &g0
  r3 := null *struct("s")
  v := null *void
  w := &gu
  i := havoc
  goto b0
`, i)
		blocks := 1 + r.IntN(3)
		for k := range blocks {
			fmt.Fprintf(&b, "b%d:\n", k)
			for range 2 + r.IntN(7) {
				b.WriteString("  " + randomStep(r, n) + "\n")
			}
			fmt.Fprintf(&b, "  goto b%d, end\n", r.IntN(blocks))
		}
		fmt.Fprintf(&b, "end:\n  return r%d\n}\n", r.IntN(4))
	}
	b.WriteString("func main() i32 {\n  reg r: *struct(\"s\")\na:\n  r := call f0(&g0, &g1)\n  r := call f1(r, null *struct(\"s\"))\n  return i32 0\n}\nentry main kind \"main\"\n")
	return b.String()
}

func randomStep(r *rand.Rand, funcs int) string {
	reg := func() string { return fmt.Sprintf("r%d", r.IntN(4)) }
	place := func() string {
		return []string{"field(%s, s, a)", "field(%s, s, b)", "field(field(%s, s, e), in, x)"}[r.IntN(3)]
	}
	x, y := reg(), reg()
	switch r.IntN(22) {
	case 17: // an address loses its type, and is taken for one of another struct
		return []string{"v := cast(*void, " + x + ")", "v := cast(*void, w)", "v := cast(*void, &gu)"}[r.IntN(3)]
	case 18:
		return []string{"store plain &gv, v", "v := load plain &gv"}[r.IntN(2)]
	case 19, 20:
		return []string{x + ` := cast(*struct("s"), v)`, `w := cast(*struct("u"), v)`, `w := alloc heap struct("u"), i64 1 zero`}[r.IntN(3)]
	case 21:
		return []string{x + " := load plain field(w, u, b)", "store plain field(w, u, b), " + x, "store plain field(w, u, a), " + x}[r.IntN(3)]
	case 0:
		return x + " := " + []string{"&g0", "&g1", `cast(*struct("s"), &ga)`, "null *struct(\"s\")"}[r.IntN(4)]
	case 1:
		return fmt.Sprintf(`%s := index(cast(*struct("s"), field(&gt, t, v)), i64 %d, 32, *struct("s"))`, x, r.IntN(3))
	case 2:
		return fmt.Sprintf(`%s := index(cast(*struct("s"), field(&gt, t, v)), i, 32, *struct("s"))`, x)
	case 3, 4:
		return x + ` := alloc heap struct("s"), i64 1 zero`
	case 5:
		return x + ` := alloc stack struct("s"), i64 1 zero`
	case 6, 7:
		return fmt.Sprintf("%s := load plain "+place(), x, y)
	case 8, 9, 10:
		return fmt.Sprintf("store plain "+place()+", %s", x, y)
	case 11:
		return fmt.Sprintf("u := cast(u64, %s)\n  u := add(u, u64 16)\n  %s := cast(*struct(\"s\"), u)", x, y)
	case 12:
		return fmt.Sprintf(`%s := cast(*struct("s"), index(cast(*i8, field(%s, s, e)), i64 -16, 1, *i8))`, x, y)
	case 13:
		return fmt.Sprintf("memcopy plain %s, %s, u64 32 elem struct(\"s\")", x, y)
	case 14:
		return fmt.Sprintf("%s := call f%d(%s, %s)", x, r.IntN(funcs), y, reg())
	case 15:
		return fmt.Sprintf("h := load plain index(cast(**func(*struct(\"s\"), *struct(\"s\")) *struct(\"s\"), &tab), i64 %d, 8, **func(*struct(\"s\"), *struct(\"s\")) *struct(\"s\"))\n  %s := call *h(%s, %s)", r.IntN(funcs), x, y, reg())
	}
	return []string{"store plain &gp, " + x, x + " := load plain &gp", x + ` := index(cast(*struct("s"), &ga), i, 32, *struct("s"))`}[r.IntN(3)]
}

// inst is a concrete object.
type inst struct {
	global *ir.Global
	alloc  *ir.Alloc
	mem    map[int64]val
	size   int64
	dead   bool
}

type val struct {
	obj *inst
	off int64 // an integer where obj is nil
	fn  *ir.Func
}

// plus moves a pointer. One that leaves the array gt.v is no longer valid: the analysis
// relies on this rule of C.
func (v val) plus(d int64) val {
	in := func(off int64) bool { return off >= 8 && off < 104 }
	if v.obj != nil && v.obj.size == 112 && in(v.off) && !in(v.off+d) {
		d = -1 << 40
	}
	v.off += d
	return v
}

// machine executes a program and checks the analysis on the way.
type machine struct {
	t       testing.TB
	r       *rand.Rand
	res     *Result
	globals map[*ir.Global]*inst
	steps   int
	checked int
	unknown int
	// effective: no pointer to an s is made where none lies.
	effective bool
}

type stopRun struct{}

func (m *machine) eval(e ir.Expr, env map[*ir.Reg]val) val {
	switch e := e.(type) {
	case ir.Const:
		return val{off: e.Val.Int64()}
	case ir.Use:
		return env[e.Reg]
	case ir.GlobalAddr:
		return val{obj: m.globals[e.Global]}
	case ir.FuncAddr:
		return val{fn: e.Func}
	case ir.FieldAddr:
		return m.eval(e.Base, env).plus(e.S.Fields[e.Index].Offset)
	case ir.IndexAddr:
		return m.eval(e.Base, env).plus(m.eval(e.Idx, env).off * e.Stride)
	case ir.Cast:
		v := m.eval(e.X, env)
		if p, ok := e.T.(ir.Ptr); ok && m.effective && v.obj != nil && !v.obj.dead && !m.lies(v, p.Elem) {
			panic(stopRun{}) // the analysis relies on effective types
		}
		return v
	case ir.Binary:
		if e.Op == "eq" {
			if m.eval(e.X, env) == m.eval(e.Y, env) {
				return val{off: 1}
			}
			return val{}
		}
		return m.eval(e.X, env).plus(m.eval(e.Y, env).off)
	}
	return val{}
}

// lies reports whether a struct of type t lies where v points to; of other types it knows
// nothing.
func (m *machine) lies(v val, t ir.Type) bool {
	st, ok := t.(*ir.Struct)
	if !ok || v.off < 0 || v.off >= v.obj.size {
		return true
	}
	in := ir.Type(nil)
	if v.obj.global != nil {
		in = v.obj.global.Type
	} else {
		in = v.obj.alloc.Elem
	}
	return holds(in, v.off, st) || slices.ContainsFunc(places(in, 0, nil, maxParts), func(p place) bool {
		off, _ := locate(in, v.off)
		return p.off == off && lookAlike(p.s, st)
	})
}

// access checks one access of size bytes at v; the run ends where it is not a valid one.
func (m *machine) access(in ir.Instr, i int, v val, size int64) {
	if v.obj == nil || v.obj.dead || v.off < 0 || v.off+size > v.obj.size {
		panic(stopRun{})
	}
	m.checked++
	a := m.res.Accesses(in)[i]
	if a.Unknown {
		m.unknown++
	}
	found := false
	for _, x := range a.Regions {
		for _, o := range x.Objects {
			if o.Global != v.obj.global || o.Alloc != v.obj.alloc {
				continue
			}
			for b := v.off; b < v.off+size; b++ {
				c, _ := locate(o.Type, b)
				lo := x.Offset + x.ArrayStart
				found = found || x.Size == 0 || lo <= c && c < lo+x.Size
			}
		}
	}
	if !found {
		m.t.Errorf("%s touches offset %d of %v %v, but the analysis says %s", ir.InstrString(in), v.off, v.obj.global, v.obj.alloc, describe(a))
		panic(stopRun{})
	}
	if m.res.Fresh(in) && m.public(v.obj) {
		m.t.Errorf("%s is said to be fresh, but the object is published", ir.InstrString(in))
		panic(stopRun{})
	}
}

// public tells whether an object can be reached from a global.
func (m *machine) public(x *inst) bool {
	seen := map[*inst]bool{}
	var work []*inst
	for _, g := range m.globals {
		seen[g] = true
		work = append(work, g)
	}
	for len(work) > 0 {
		o := work[0]
		work = work[1:]
		for _, v := range o.mem {
			if v.obj != nil && !seen[v.obj] {
				seen[v.obj] = true
				work = append(work, v.obj)
			}
		}
	}
	return seen[x]
}

func (m *machine) call(f *ir.Func, args []val) val {
	env := map[*ir.Reg]val{}
	for i, p := range f.Params {
		env[p] = args[i]
	}
	var stack []*inst
	defer func() {
		for _, o := range stack {
			o.dead = true
		}
	}()
	for b := f.Blocks[0]; ; {
		for _, in := range b.Instrs {
			if m.steps--; m.steps < 0 {
				panic(stopRun{})
			}
			if o := m.step(in, env); o != nil {
				stack = append(stack, o)
			}
		}
		switch t := b.Term.(type) {
		case *ir.Return:
			return m.eval(t.Val, env)
		case *ir.Goto:
			b = t.Targets[m.r.IntN(len(t.Targets))]
		}
	}
}

// step executes an instruction; it returns a stack object it made.
func (m *machine) step(in ir.Instr, env map[*ir.Reg]val) *inst {
	switch in := in.(type) {
	case *ir.Assign:
		env[in.Dst] = m.eval(in.X, env)
	case *ir.Assume:
		if m.eval(in.Cond, env).off == 0 {
			panic(stopRun{})
		}
	case *ir.Havoc:
		env[in.Dst] = val{off: int64(m.r.IntN(3))}
	case *ir.Load:
		v := m.eval(in.Addr, env)
		m.access(in, 0, v, in.Dst.Type.Size())
		env[in.Dst] = v.obj.mem[v.off]
	case *ir.Store:
		v := m.eval(in.Addr, env)
		m.access(in, 0, v, in.Val.Type().Size())
		v.obj.mem[v.off] = m.eval(in.Val, env)
	case *ir.Alloc:
		o := &inst{alloc: in, mem: map[int64]val{}, size: in.Elem.Size()}
		env[in.Dst] = val{obj: o}
		if in.Kind == "stack" {
			return o
		}
	case *ir.MemCopy:
		d, s := m.eval(in.Dst, env), m.eval(in.Src, env)
		size := m.eval(in.Size, env).off
		m.access(in, 0, d, size)
		m.access(in, 1, s, size)
		tmp := map[int64]val{}
		for k := int64(0); k < size; k += 8 {
			tmp[k] = s.obj.mem[s.off+k]
		}
		for k, v := range tmp {
			d.obj.mem[d.off+k] = v
		}
	case *ir.Call:
		var args []val
		for _, a := range in.Args {
			args = append(args, m.eval(a, env))
		}
		f := m.eval(in.Callee, env).fn
		if fns, _ := m.res.Callees(in); !containsFunc(fns, f) {
			m.t.Errorf("%s calls %s, the analysis says %v", ir.InstrString(in), f.Name, fns)
		}
		v := m.call(f, args)
		env[in.Dst] = v
	}
	return nil
}

// run executes main once.
func (m *machine) run(p *ir.Program) {
	m.globals = map[*ir.Global]*inst{}
	for _, g := range p.Globals {
		m.globals[g] = &inst{global: g, mem: map[int64]val{}, size: g.Type.Size()}
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			m.globals[g].mem[c.Offset] = m.eval(c.Value, nil)
		}
	}
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(stopRun); !ok {
				panic(e)
			}
		}
	}()
	m.steps = 400
	m.call(p.FuncByName("main"), nil)
}

func TestRandomPrograms(t *testing.T) {
	n := testscope.Fewer(testscope.Count(300, 3000))
	checked, unknown := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		src := randomProgram(r)
		if seed%4 > 1 { // no main function: the rule of effective types is used
			src = strings.ReplaceAll(src, `kind "main"`, `kind "run"`)
		}
		p, err := ir.Parse("random.wir", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		m := &machine{t: t, r: r, effective: seed%4 > 1, res: Analyze(p, Options{NoHeapCloning: seed%2 == 0, copyPairs: int(seed % 3), work: int(seed / 5 % 2)})}
		for range 20 {
			m.run(p)
		}
		checked, unknown = checked+m.checked, unknown+m.unknown
		if t.Failed() {
			t.Fatalf("seed %d\n%s\n%s", seed, src, printed(m.res))
		}
	}
	if checked < 10*n || unknown > checked/10 {
		t.Errorf("%d accesses checked, %d of them unknown", checked, unknown)
	}
	t.Logf("%d accesses checked, %d unknown", checked, unknown)
}
