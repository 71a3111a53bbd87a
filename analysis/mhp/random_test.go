package mhp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"whoop/analysis/alias"
	"whoop/ir"
)

// progGen writes random programs in which main and its callees spawn and join through all
// kinds of handles.
type progGen struct {
	*rand.Rand
	out    strings.Builder
	labels int
	marks  int
	calls  []string
}

func (g *progGen) line(format string, args ...any) { fmt.Fprintf(&g.out, "  "+format+"\n", args...) }

func (g *progGen) label(l string) { fmt.Fprintf(&g.out, "%s:\n", l) }

func (g *progGen) fresh() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

// cell is the address of a handle; i and j are the counters.
func (g *progGen) cell() string {
	cells := []string{"&h", "&h", "index(&hs, i32 0, 8, *u64)", "index(&hs, i32 1, 8, *u64)", "index(&hs, i, 8, *u64)",
		"index(&hs, i, 8, *u64)", "index(&hs, j, 8, *u64)", "t", "index(t, i, 8, *u64)", "index(t, i, 8, *u64)", "p",
		"index(&hs, add(i, i32 1), 8, *u64)", "index(y, i, 8, *u64)", "index(y, i, 8, *u64)", "y"}
	return cells[g.IntN(len(cells))]
}

// at makes sure that the pointer a cell goes through is loaded.
func (g *progGen) at(cell string) string {
	if strings.Contains(cell, "y") && g.IntN(8) > 0 {
		g.line("y := load plain &q")
	}
	return cell
}

func (g *progGen) thread() string { return []string{"A", "B"}[g.IntN(2)] }

func (g *progGen) spawn(cell string) {
	g.at(cell)
	switch g.IntN(5) {
	case 0:
		l, m := g.fresh(), g.fresh()
		g.line("_, ok := spawn %s(null *void) handle %s", g.thread(), cell)
		g.line("rc := havoc")
		g.line("assume eq(eq(rc, i32 0), ok)")
		g.line("if %s then %s else %s", []string{"ne(rc, i32 0)", "eq(rc, i32 0)", "lt(rc, i32 0)", "cast(bool, rc)"}[g.IntN(4)], l, m)
		g.label(l)
		g.mark()
		g.line([]string{"return", "stop abort", "goto " + m, "goto " + m}[g.IntN(4)])
		g.label(m)
	case 1:
		g.line("x, _ := spawn %s(null *void)", g.thread())
		if g.IntN(2) == 0 {
			g.line("store plain %s, x", cell)
		}
	default:
		g.line("spawn %s(null *void) handle %s", g.thread(), cell)
	}
}

func (g *progGen) join(cell string) {
	g.at(cell)
	if g.IntN(6) > 0 {
		g.line("x := load plain %s", cell)
	}
	g.line("join x")
}

func (g *progGen) mark() {
	g.marks++
	g.line("store plain &g, i32 %d", g.marks)
}

func (g *progGen) loop(i string, depth int, body func()) {
	h, b, x := g.fresh(), g.fresh(), g.fresh()
	if g.IntN(8) > 0 {
		g.line("%s := i32 %d", i, g.IntN(4)/3)
	}
	g.line("goto %s", h)
	g.label(h)
	bound := []string{"i32 2", "i32 2", "i32 3", "n", "n", "j"}[g.IntN(6)]
	g.line("if lt(%s, %s) then %s else %s", i, bound, b, x)
	g.label(b)
	body()
	if g.IntN(8) == 0 {
		l := g.fresh()
		g.line("goto %s, %s", l, []string{x, h}[g.IntN(2)])
		g.label(l)
	}
	g.line("%s := add(%s, i32 1)", i, i)
	g.line("goto %s", h)
	g.label(x)
}

func (g *progGen) stmts(n, depth int) {
	for range n {
		i := []string{"i", "i", "j"}[g.IntN(3)]
		switch k := g.IntN(17); {
		case k < 3:
			g.spawn(g.cell())
		case k < 6:
			g.join(g.cell())
		case k < 8:
			c := g.cell()
			g.spawn(c)
			g.mark()
			g.join(c)
		case k == 8:
			g.line("x := load plain %s", g.cell())
			g.line("store plain %s, x", g.cell())
		case k == 9:
			g.line([]string{"i := i32 0", "n := i32 1", "n := havoc", "p := t", "p := &h", "j := i",
				"store plain &q, t", "store plain &q, &hs", "yield", "yield", "yield"}[g.IntN(11)])
		case k == 10 && len(g.calls) > 0:
			g.line("call %s()", g.calls[g.IntN(len(g.calls))])
		case k == 11 && depth > 0:
			a, b, c := g.fresh(), g.fresh(), g.fresh()
			g.line("goto %s, %s", a, b)
			g.label(a)
			g.stmts(2, depth-1)
			g.line("goto %s", c)
			g.label(b)
			g.line("goto %s", c)
			g.label(c)
		case k < 14 && depth > 0: // the pattern: one loop spawns, one joins
			c := strings.ReplaceAll(g.cell(), "j", "i")
			g.loop("i", depth-1, func() { g.spawn(c) })
			g.mark()
			if g.IntN(4) == 0 {
				g.stmts(1, depth-1)
			}
			if g.IntN(3) == 0 {
				c = strings.ReplaceAll(g.cell(), "i,", "j,")
				g.loop("j", depth-1, func() { g.join(c) })
			} else {
				g.loop("i", depth-1, func() { g.join(c) })
			}
		case depth > 0:
			g.loop(i, depth-1, func() { g.stmts(1+g.IntN(2), depth-1) })
		}
		if g.IntN(2) == 0 {
			g.mark()
		}
	}
}

func (g *progGen) fn(name string) {
	fmt.Fprintf(&g.out, "func %s() void {\n  reg t, p, y: *u64\n  reg i, j, n, rc: i32\n  reg x: u64\n  reg ok: bool\ne%s:\n", name, name)
	g.line("t := alloc stack [8]u64, u64 1 name t")
	g.line("p := t")
	if name == "main" {
		g.line("store plain &q, &hs")
	}
	g.line("y := load plain &q")
	g.line("n := havoc")
	g.stmts(3, 2)
	g.line("return")
	fmt.Fprintln(&g.out, "}")
}

func (g *progGen) program() string {
	g.out.WriteString(strings.ReplaceAll(prelude, "hs: [4]u64", "hs: [8]u64\nglobal q: *u64"))
	g.calls = []string{"f1", "f2", "f1"}[:g.IntN(4)]
	g.fn("f1")
	g.calls = []string{"f1", "f2"}[:1+g.IntN(2)]
	g.fn("f2")
	g.calls = []string{"f1", "f2"}
	g.fn("main")
	return g.out.String()
}

// addr is an address of the concrete machine.
type addr struct {
	obj int
	off int64
}

// machine runs main on a random path; threads live until they are joined.
type machine struct {
	*rand.Rand
	t      *testing.T
	r      *Result
	p      *ir.Program
	mem    map[addr]any
	objs   int
	alive  map[int64]*ir.Entry
	next   int64
	fuel   int
	events int
	bad    string
}

type frame map[*ir.Reg]any

func (m *machine) eval(f frame, e ir.Expr) any {
	switch e := e.(type) {
	case ir.Const:
		return e.Val.Int64()
	case ir.Use:
		if v, ok := f[e.Reg]; ok {
			return v
		}
		return int64(0)
	case ir.GlobalAddr:
		return addr{obj: -1000*len(e.Global.Name) - int(e.Global.Name[0])}
	case ir.IndexAddr:
		a, ok := m.eval(f, e.Base).(addr)
		if !ok {
			return addr{}
		}
		a.off += e.Stride * m.eval(f, e.Idx).(int64)
		return a
	case ir.Cast:
		if ir.Equal(e.T, ir.Bool{}) {
			return m.eval(f, e.X).(int64) != 0
		}
		return m.eval(f, e.X)
	case ir.Binary:
		x, y := m.eval(f, e.X), m.eval(f, e.Y)
		switch e.Op {
		case "eq":
			return x == y
		case "ne":
			return x != y
		case "lt":
			return x.(int64) < y.(int64)
		}
		return x.(int64) + y.(int64)
	}
	return int64(0)
}

// see checks the answer for main at a mark.
func (m *machine) see(in ir.Instr) {
	for _, e := range m.alive {
		m.events++
		if ok, why := m.r.Parallel(m.p.EntryByName("main"), in, e, nil); !ok {
			m.bad = fmt.Sprintf("%s with %s alive, but: %s", in, e.Name, why)
		}
	}
}

func (m *machine) spawn(f frame, s *ir.Spawn) {
	b := m.p.EntryByName(s.Fn.(ir.FuncAddr).Func.Name)
	ok := s.OK == nil || m.IntN(3) > 0
	if s.OK != nil {
		f[s.OK] = ok
	}
	if !ok {
		return
	}
	for _, a := range m.alive {
		if may, why := m.r.Entries(a, b); !may {
			m.bad = fmt.Sprintf("%s is started with %s alive, but: %s", b.Name, a.Name, why)
		}
	}
	m.next++
	m.alive[m.next] = b
	if s.Dst != nil {
		f[s.Dst] = m.next
	}
	if s.HandleAddr != nil {
		if a, ok := m.eval(f, s.HandleAddr).(addr); ok {
			m.mem[a] = m.next
		}
	}
	m.see(s)
}

// step runs an instruction; false ends the run.
func (m *machine) step(f frame, in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Assign:
		f[in.Dst] = m.eval(f, in.X)
	case *ir.Havoc:
		f[in.Dst] = int64(m.IntN(5) - 1)
	case *ir.Assume:
		eq := in.Cond.(ir.Binary)
		rc := eq.X.(ir.Binary).X.(ir.Use).Reg
		if m.eval(f, eq.Y).(bool) {
			f[rc] = int64(0)
		} else if f[rc] == int64(0) {
			f[rc] = int64(-1 + 2*m.IntN(2))
		}
	case *ir.Alloc:
		m.objs++
		f[in.Dst] = addr{obj: m.objs}
	case *ir.Load:
		f[in.Dst] = m.mem[m.eval(f, in.Addr).(addr)]
		_, ptr := f[in.Dst].(addr)
		_, num := f[in.Dst].(int64)
		if isPtr := ir.IsPtr(in.Dst.Type); ptr != isPtr || num == isPtr {
			f[in.Dst] = int64(0)
			return !ir.IsPtr(in.Dst.Type)
		}
	case *ir.Store:
		if _, mark := in.Val.(ir.Const); mark {
			m.see(in)
		} else {
			m.mem[m.eval(f, in.Addr).(addr)] = m.eval(f, in.Val)
		}
	case *ir.Spawn:
		m.spawn(f, in)
	case *ir.Join:
		delete(m.alive, m.eval(f, in.Handle).(int64)) // joining what is no thread does nothing here
	case *ir.Call:
		return m.run(in.Callee.(ir.FuncAddr).Func)
	}
	return true
}

func (m *machine) run(fn *ir.Func) bool {
	f := frame{}
	b := fn.Blocks[0]
	for {
		for _, in := range b.Instrs {
			if m.fuel--; m.fuel < 0 || m.bad != "" || !m.step(f, in) {
				return false
			}
		}
		if m.fuel--; m.fuel < 0 {
			return false
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
			b = t.Targets[m.IntN(len(t.Targets))]
		case *ir.Branch:
			b = t.Else
			if m.eval(f, t.Cond).(bool) {
				b = t.Then
			}
		case *ir.Return:
			return true
		default:
			return false
		}
	}
}

// TestRandom runs random programs on random paths: what is alive there must be allowed by
// the analysis.
func TestRandom(t *testing.T) {
	events, refused := 0, 0
	for seed := range uint64(1500) {
		g := &progGen{Rand: rand.New(rand.NewPCG(seed, 11))}
		src := g.program()
		p, err := ir.Parse("r.wir", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if err := ir.Validate(p); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		r := Analyze(p, alias.Analyze(p, alias.Options{}))
		for range 30 {
			m := &machine{Rand: g.Rand, t: t, r: r, p: p, mem: map[addr]any{}, alive: map[int64]*ir.Entry{}, fuel: 300}
			m.run(p.FuncByName("main"))
			events += m.events
			if m.bad != "" {
				t.Fatalf("seed %d: %s\n%s", seed, m.bad, ir.FuncString(p.FuncByName("main")))
			}
		}
		for _, in := range marks(p) {
			if ok, _ := r.Parallel(p.EntryByName("main"), in, p.EntryByName("A"), nil); !ok {
				refused++
			}
		}
	}
	t.Logf("%d meetings seen, %d places shown safe", events, refused)
	if events < 1000 || refused < 1000 {
		t.Errorf("the test says little: %d meetings, %d safe places", events, refused)
	}
}
