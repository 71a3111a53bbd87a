package benchmarks

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// phases makes a random program whose threads write and read variables between waits at
// two barriers, in branches, loops and functions. As many threads as a barrier is made
// for may wait at it, or one more, or one less.
type phases struct {
	*rand.Rand
	b      strings.Builder
	line   int
	labels int
	vars   int
}

func (p *phases) put(format string, args ...any) {
	p.line++
	fmt.Fprintf(&p.b, "  %s @\"p.c\":%d\n", fmt.Sprintf(format, args...), p.line)
}

func (p *phases) label() string {
	p.labels++
	return fmt.Sprintf("L%d", p.labels)
}

func (p *phases) access() {
	v := fmt.Sprintf("&v%d", p.Intn(p.vars))
	if p.Intn(3) == 0 {
		p.put("x := load plain %s", v)
	} else {
		p.put("store plain %s, i32 1", v)
	}
}

func (p *phases) wait() { p.put("barrierwait &%s", []string{"b", "b", "b", "c"}[p.Intn(4)]) }

func (p *phases) statements(n, depth int, callees []string) {
	for range n {
		switch k := p.Intn(12); {
		case k < 4:
			p.access()
		case k < 8:
			p.wait()
		case k == 8 && len(callees) > 0:
			p.put("call %s()", callees[p.Intn(len(callees))])
		case k == 9 && depth > 0:
			a, b, c := p.label(), p.label(), p.label()
			p.put("goto %s, %s", a, b)
			fmt.Fprintf(&p.b, "%s:\n", a)
			p.statements(1+p.Intn(2), depth-1, callees)
			p.put("goto %s", c)
			fmt.Fprintf(&p.b, "%s:\n", b)
			if p.Intn(2) == 0 {
				p.statements(1+p.Intn(2), depth-1, callees)
			}
			p.put("goto %s", c)
			fmt.Fprintf(&p.b, "%s:\n", c)
		case k == 10 && depth > 0:
			h, b, x := p.label(), p.label(), p.label()
			p.put("goto %s", h)
			fmt.Fprintf(&p.b, "%s:\n", h)
			p.put("goto %s, %s", b, x)
			fmt.Fprintf(&p.b, "%s:\n", b)
			p.statements(2+p.Intn(3), depth-1, callees)
			p.put("goto %s", h)
			fmt.Fprintf(&p.b, "%s:\n", x)
		}
	}
}

func (p *phases) function(name, params string, n int, callees []string, first func()) {
	fmt.Fprintf(&p.b, "func %s(%s) void {\n  reg x, i: i32\ne_%s:\n", name, params, name)
	first()
	p.statements(n, 2, callees)
	p.put("return")
	p.b.WriteString("}\n")
}

func phasesProgram(seed int64) string {
	p := &phases{Rand: rand.New(rand.NewSource(seed)), vars: 2 + rand.New(rand.NewSource(seed)).Intn(3)}
	p.b.WriteString("global b: [32]u8\nglobal c: [32]u8\n")
	for i := range p.vars {
		fmt.Fprintf(&p.b, "global v%d: i32\n", i)
	}
	none := func() {}
	p.function("f", "", 1+p.Intn(3), nil, none)
	threads := 1 + p.Intn(2)
	loop := p.Intn(3) == 0
	p.function("w0", "arg: *void", 2+p.Intn(4), []string{"f"}, none)
	p.function("w1", "arg: *void", 2+p.Intn(4), []string{"f"}, none)
	p.function("main", "", 1+p.Intn(5), []string{"f"}, func() {
		size := 1 + threads
		if loop {
			size = 3
		}
		if p.Intn(4) == 0 {
			size += p.Intn(3) - 1
		}
		p.put("barrierinit &b, u32 %d", max(size, 1))
		p.put("barrierinit &c, u32 %d", max(size-p.Intn(2), 1))
		switch {
		case loop:
			p.put("i := i32 0")
			p.put("goto H")
			p.b.WriteString("H:\n")
			p.put("if lt(i, i32 2) then B else X")
			p.b.WriteString("B:\n")
			p.put("spawn w0(null *void)")
			p.put("i := add(i, i32 1)")
			p.put("goto H")
			p.b.WriteString("X:\n")
		default:
			for k := range threads {
				p.put("spawn w%d(null *void)", k)
			}
		}
	})
	p.b.WriteString("entry w0 kind \"thread\" multi spawned\nentry w1 kind \"thread\" multi spawned\nentry main kind \"main\"\n")
	return p.b.String()
}

// TestPhases: a race that some execution of a program with barriers shows is among the
// races that verify reports.
func TestPhases(t *testing.T) {
	everyRaceTold(t, phasesProgram)
}
