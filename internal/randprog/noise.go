package randprog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// noise is the text of a random program of small threads: any steps in any order, with
// jumps to anywhere. Few of its assertions hold, but what is believed of its threads
// must.
type noise struct {
	*rand.Rand
	b        strings.Builder
	typ      string
	wide     string // a type that values are widened to
	vars     []string
	section  bool // steps may be in atomic sections
	helper   bool // main starts a thread that starts others
	twoLocks bool
}

// Noise is the text of a random program of small threads without any sense; see noise.
func Noise(seed uint64) string {
	g := &noise{Rand: rand.New(rand.NewPCG(seed, 0x6e6f697365)), vars: []string{"&a", "&b", "&c"}}
	g.typ = []string{"i32", "u8", "i8", "i16"}[g.IntN(4)]
	g.wide = map[string]string{"i32": "i64", "u8": "i32", "i8": "i32", "i16": "i64"}[g.typ]
	g.section, g.helper, g.twoLocks = g.IntN(2) == 0, g.IntN(4) == 0, g.IntN(2) == 0
	fmt.Fprintf(&g.b, "program \"noise %d\"\nglobal m: opaque(\"mutex\", 8)\nglobal l: opaque(\"mutex\", 8)\n", seed)
	for _, v := range g.vars {
		init := ""
		if g.IntN(3) > 0 {
			init = fmt.Sprintf(" = { 0 = %s %d }", g.typ, g.IntN(3))
		}
		fmt.Fprintf(&g.b, "global %s: %s%s\n", v[1:], g.typ, init)
	}
	kinds := 1 + g.IntN(2)
	for k := range kinds {
		g.thread(fmt.Sprintf("w%d() void", k), 2+g.IntN(6), k == 1 && g.helper, "  return\n")
	}
	fmt.Fprint(&g.b, "func main() i32 {\n  reg h: u64\nentry:\n")
	many := map[int]int{}
	for k := range kinds {
		many[k] = 1 + g.IntN(3)
		for range many[k] {
			fmt.Fprintf(&g.b, "  h, _ := spawn w%d()\n", k)
		}
	}
	fmt.Fprint(&g.b, "  return i32 0\n}\nentry main kind \"main\"\n")
	for k := range kinds {
		multi := ""
		if many[k] > 1 || k == 0 && kinds == 2 && g.helper {
			multi = "multi "
		}
		fmt.Fprintf(&g.b, "entry w%d kind \"thread\" %sspawned\n", k, multi)
	}
	return g.b.String()
}

func (g *noise) num() string { return fmt.Sprintf("%s %d", g.typ, g.IntN(4)) }

func (g *noise) addr() string {
	if g.IntN(6) == 0 {
		return "p"
	}
	return g.vars[g.IntN(len(g.vars))]
}

// value is a value that a thread writes or compares with.
func (g *noise) value() string {
	switch g.IntN(6) {
	case 0:
		return "r"
	case 1:
		return "k"
	case 2:
		return fmt.Sprintf("%s(r, %s)", []string{"add", "sub", "and", "or", "xor"}[g.IntN(5)], g.num())
	case 3:
		return fmt.Sprintf("cast(%s, cast(%s, %s))", g.typ, g.wide, []string{"r", "k"}[g.IntN(2)])
	}
	return g.num()
}

func (g *noise) cond() string {
	c := fmt.Sprintf("%s(%s, %s)", []string{"eq", "ne", "lt", "le", "gt", "ge"}[g.IntN(6)], []string{"r", "k"}[g.IntN(2)], g.value())
	if g.IntN(5) == 0 {
		c = fmt.Sprintf("lt(cast(%s, r), cast(%s, %s))", g.wide, g.wide, g.value())
	}
	return c
}

// step is an instruction.
func (g *noise) step(spawns bool) string {
	pick := []string{"load", "load", "load", "store", "store", "store", "rmw", "cas", "cas", "keep", "set", "assert", "assume", "lock", "unlock", "copy", "choose", "havoc", "lockrec"}
	if g.section {
		pick = append(pick, "begin", "end", "begin", "end")
	}
	if spawns {
		pick = append(pick, "spawn")
	}
	mutex := "&m"
	if g.twoLocks && g.IntN(3) == 0 {
		mutex = "&l"
	}
	switch pick[g.IntN(len(pick))] {
	case "load":
		return fmt.Sprintf("%s := load seq_cst %s", []string{"r", "k"}[g.IntN(2)], g.addr())
	case "store":
		return fmt.Sprintf("store seq_cst %s, %s", g.addr(), g.value())
	case "rmw":
		return fmt.Sprintf("%s := rmw %s seq_cst %s, %s", []string{"r", "k"}[g.IntN(2)], []string{"add", "sub", "xchg", "and", "or", "xor"}[g.IntN(6)], g.addr(), g.value())
	case "cas":
		weak := ""
		if g.IntN(3) == 0 {
			weak = " weak"
		}
		return fmt.Sprintf("r, ok := cmpxchg seq_cst %s, %s, %s%s", g.addr(), g.value(), g.value(), weak)
	case "keep":
		return "k := r"
	case "set":
		return fmt.Sprintf("%s := %s", []string{"r", "k"}[g.IntN(2)], g.value())
	case "assert":
		return fmt.Sprintf("assert %s tag assert", g.cond())
	case "assume":
		return "assume " + g.cond()
	case "lock":
		return fmt.Sprintf("lock exclusive mutex %s\n  %s\n  unlock exclusive mutex %s", mutex, g.step(spawns), mutex)
	case "lockrec":
		return fmt.Sprintf("lock exclusive mutex %s recursive\n  %s\n  unlock exclusive mutex %s", mutex, g.step(spawns), mutex)
	case "unlock": // mostly of a lock that is not held
		if g.IntN(8) == 0 {
			return "unlock exclusive mutex " + mutex
		}
		return fmt.Sprintf("r := load seq_cst %s", g.addr())
	case "copy":
		return fmt.Sprintf("memcopy plain %s, %s, u64 %d", g.vars[g.IntN(3)], g.vars[g.IntN(3)], map[string]int{"i32": 4, "u8": 1, "i8": 1, "i16": 2}[g.typ])
	case "choose":
		v := slices.Clone(g.vars)
		g.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		return fmt.Sprintf("p := select(%s, %s, %s)", g.cond(), v[0], v[1])
	case "havoc":
		return "r := havoc"
	case "begin":
		return "atomic_begin"
	case "end":
		return "atomic_end"
	}
	return "h, _ := spawn w0()"
}

// thread writes a function of some blocks.
func (g *noise) thread(head string, blocks int, spawns bool, end string) {
	fmt.Fprintf(&g.b, "func %s {\n  reg r, k: %s\n  reg ok: bool\n  reg h: u64\n  reg p: *%s\nentry:\n  r := %s\n  k := %s\n  ok := false\n  p := &a\n  goto s0\n", head, g.typ, g.typ, g.num(), g.num())
	for i := range blocks {
		fmt.Fprintf(&g.b, "s%d:\n", i)
		for n := range g.IntN(4) {
			fmt.Fprintf(&g.b, "  %s @\"n.c\":%d\n", g.step(spawns), 10*i+n+1)
		}
		to := func() string { return fmt.Sprintf("s%d", g.IntN(blocks+1)) }
		next := fmt.Sprintf("s%d", i+1)
		switch g.IntN(6) {
		case 0:
			fmt.Fprintf(&g.b, "  if %s then %s else %s\n", g.cond(), next, to())
		case 1:
			fmt.Fprintf(&g.b, "  if ok then %s else %s\n", next, to())
		case 2:
			fmt.Fprintf(&g.b, "  goto %s, %s\n", next, to())
		default:
			fmt.Fprintf(&g.b, "  goto %s\n", next)
		}
	}
	fmt.Fprintf(&g.b, "s%d:\n%s}\n", blocks, end)
}
