package benchmarks

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"whoop/ir"
	"whoop/pipeline"
)

// runs makes a random type-safe program: threads make nodes, link them with each other,
// put some where others find them, set flags in them, start further threads with them,
// and look at what they find, all in functions that they share.
type runs struct {
	*rand.Rand
	b    strings.Builder
	line int
}

func (r *runs) put(format string, args ...any) {
	r.line++
	fmt.Fprintf(&r.b, "  %s @\"r.go\":%d\n", fmt.Sprintf(format, args...), r.line)
}

var nodeVars = []string{"a", "b", "c"}

// statement is one statement of a function whose nodes are a, b and c; n counts labels.
func (r *runs) statement(n int, callees []string) {
	x, y := nodeVars[r.Intn(3)], nodeVars[r.Intn(3)]
	g := []string{"g0", "g1", "g2"}[r.Intn(3)]
	notNull := func(p string) { r.put("assume ne(%s, null *struct(\"node\"))", p) }
	switch r.Intn(13) {
	case 0, 1:
		r.put("%s := alloc heap struct(\"node\"), i64 1 zero", x)
	case 2:
		r.put("store plain field(%s, node, next), %s", x, y)
	case 3:
		r.put("d := load plain field(%s, node, next)", x)
		r.put("if ne(d, null *struct(\"node\")) then t%d else n%d", n, n)
		fmt.Fprintf(&r.b, "t%d:\n", n)
		r.put("%s := d", x)
		r.put("goto n%d", n)
		fmt.Fprintf(&r.b, "n%d:\n", n)
	case 4:
		r.put("store plain field(%s, node, v), i64 %d", x, r.Intn(3))
	case 5:
		r.put("v := load plain field(%s, node, v)", x)
	case 6:
		r.put("lock exclusive mutex &m")
		r.put("store plain &%s, %s", g, x)
		r.put("unlock exclusive mutex &m")
	case 7:
		r.put("lock exclusive mutex &m")
		r.put("d := load plain &%s", g)
		r.put("unlock exclusive mutex &m")
		r.put("if ne(d, null *struct(\"node\")) then t%d else n%d", n, n)
		fmt.Fprintf(&r.b, "t%d:\n", n)
		r.put("%s := d", x)
		r.put("goto n%d", n)
		fmt.Fprintf(&r.b, "n%d:\n", n)
	case 8:
		r.put("store plain field(%s, node, flag), u8 %d", x, r.Intn(2))
	case 9, 10:
		r.put("f := load plain field(%s, node, flag)", x)
		r.put("if cast(bool, f) then t%d else n%d", n, n)
		fmt.Fprintf(&r.b, "t%d:\n", n)
		r.put("store plain field(%s, node, w), i64 1", y)
		r.put("store plain &count, i64 1")
		r.put("goto n%d", n)
		fmt.Fprintf(&r.b, "n%d:\n", n)
	case 11:
		if len(callees) > 0 {
			r.put("%s := call %s(%s, u8 %d)", x, callees[r.Intn(len(callees))], y, r.Intn(2))
			notNull(x)
		}
	case 12:
		r.put("memcopy plain %s, %s, u64 32 elem struct(\"node\")", x, y)
	}
}

func (r *runs) function(name, result string, start func(), size int, callees []string, end string) {
	fmt.Fprintf(&r.b, "func %s %s {\n  reg a, b, c, d: *struct(\"node\")\n  reg f: u8\n  reg v: i64\nentry:\n", name, result)
	for _, x := range nodeVars {
		r.put("%s := alloc heap struct(\"node\"), i64 1 zero", x)
	}
	start()
	for i := range size {
		r.statement(i, callees)
	}
	r.put("%s", end)
	r.b.WriteString("}\n")
}

func runsProgram(seed int64) string {
	r := &runs{Rand: rand.New(rand.NewSource(seed))}
	r.b.WriteString("program \"runs\" typesafe\nstruct node size 32 { v: i64 @0; w: i64 @8; next: *struct(\"node\") @16; flag: u8 @24 }\n" +
		"global m: u32\nglobal g0: *struct(\"node\")\nglobal g1: *struct(\"node\")\nglobal g2: *struct(\"node\")\nglobal count: i64\n")
	flags := func() { r.put("store plain field(a, node, flag), set") }
	r.function(`h0(p: *struct("node"), set: u8)`, `*struct("node")`, func() { flags(); r.put("b := p") }, 1+r.Intn(3), nil, "return b")
	r.function(`h1(p: *struct("node"), set: u8)`, `*struct("node")`, func() { r.put("c := p"); flags() }, 1+r.Intn(3), []string{"h0"}, "return a")
	calls := []string{"h0", "h1"}
	r.function(`w0(p: *struct("node"))`, "void", func() { r.put("a := p") }, 3+r.Intn(4), calls, "return")
	r.function(`w1(p: *struct("node"))`, "void", func() {
		if r.Intn(2) == 0 {
			r.put("_, _ := spawn w0(b)")
		}
	}, 3+r.Intn(4), calls, "return")
	r.function("main()", "void", func() {
		r.put("_, _ := spawn w1(a)")
		r.put("_, _ := spawn %s(%s)", []string{"w0", "w1"}[r.Intn(2)], []string{"a", "b"}[r.Intn(2)])
	}, 2+r.Intn(4), calls, "return")
	r.b.WriteString("entry w0 kind \"thread\" multi spawned\nentry w1 kind \"thread\" multi spawned\nentry main kind \"main\"\n")
	return r.b.String()
}

// TestOwnRuns: a race that some execution of a random type-safe program shows is among
// the races that verify reports: what a run makes is told from what others make only
// where nobody finds it.
func TestOwnRuns(t *testing.T) {
	everyRaceTold(t, runsProgram)
}

// everyRaceTold runs random programs: the races that their executions show must be among
// those that verify reports.
func everyRaceTold(t *testing.T, make func(seed int64) string) {
	t.Helper()
	racy, apart := 0, 0
	for k := range *programs {
		n := *seed + int64(k)
		src := make(n)
		p, err := ir.Parse("r.wir", []byte(src))
		if err == nil {
			err = ir.Validate(p)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", n, err, src)
		}
		rep, err := pipeline.Prove(context.Background(), p, pipeline.Options{Jobs: 2})
		if err != nil {
			t.Fatalf("seed %d: %v", n, err)
		}
		told := map[[2]int]bool{}
		for _, x := range rep.Races {
			a, b := x.First.Pos.Line, x.Second.Pos.Line
			told[[2]int{min(a, b), max(a, b)}] = true
		}
		seen := concrete(t, p, 60)
		for at, text := range seen {
			if !told[at] && rep.Verdict != "unknown" {
				t.Errorf("seed %d: an execution shows a race that is not reported: %s\n%s", n, text, src)
			}
		}
		if len(seen) > 0 {
			racy++
		}
		if rep.Regions.Total > rep.Regions.Racy {
			apart++
		}
	}
	t.Logf("seeds %d to %d: %d programs race when run, %d have regions without races", *seed, *seed+int64(*programs)-1, racy, apart)
}
