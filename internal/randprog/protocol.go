package randprog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A protoOp is a step of a thread of a random protocol: an instruction over the variables
// a, b, c, d, and where the thread goes on if what it found is not what it wants. %v and
// %k in it are a variable and numbers.
type protoOp struct {
	text string
	vars []string
	nums []int
	jump int // relative to this step; 0: there is no test
}

func op(text, vars string, jump int, nums ...int) protoOp {
	return protoOp{text: text, vars: strings.Fields(vars), nums: nums, jump: jump}
}

// protocols keep threads apart, or count what they do; @ is the own variable of each of
// two threads, ~ the other's.
var protocols = [][]protoOp{
	{op("xchg", "a", 0, 1), op("want eq", "", -1, 0), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "a", 0, 0)},
	{op("cas", "a", 0, 0, 1), op("want eq", "", -1, 0), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "a", 0, 0)},
	{op("begin", "", 0), op("load", "a", 0), op("store", "a", 0, 1), op("end", "", 0), op("want eq", "", -4, 0), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "a", 0, 0)},
	{op("add", "a", 0, 1), op("keep", "", 0), op("load", "b", 0), op("want kept", "", -1), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("add", "b", 0, 1)},
	{op("store", "@", 0, 1), op("store", "c", 0, -1), op("load", "~", 0), op("want ne", "", 2, 1), op("goto", "", 3), op("load", "c", 0), op("want ne", "", -4, -1), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "@", 0, 0)},
	{op("store", "@", 0, 1), op("load", "~", 0), op("want eq", "", 5, 0), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "@", 0, 0)},
	{op("lock", "", 0), op("load", "d", 0), op("assert eq", "", 0, 0), op("store", "d", 0, 1), op("store", "d", 0, 0), op("unlock", "", 0)},
	{op("load", "a", 0), op("want lt", "", 4, 3), op("keep", "", 0), op("caskept", "a", 0), op("want kept", "", -4), op("load", "a", 0), op("assert le", "", 0, 3)},
	{op("load", "a", 0), op("want eq", "", 8, 0), op("lock", "", 0), op("load", "a", 0), op("want eq", "", 4, 0), op("load", "b", 0), op("assert eq", "", 0, 0), op("store", "b", 0, 1), op("store", "a", 0, 1), op("unlock", "", 0), op("load", "b", 0), op("assert le", "", 0, 1)},
	{op("cas", "a", 0, 0, 1), op("want eq", "", 6, 0), op("load", "d", 0), op("assert eq", "", 0, 0), op("store", "d", 0, 5), op("store", "a", 0, 2), op("goto", "", 5), op("load", "a", 0), op("want eq", "", -1, 2), op("load", "d", 0), op("assert eq", "", 0, 5)},
	{op("load", "c", 0), op("want eq", "", -1, -2), op("store", "d", 0, 1), op("load", "d", 0), op("assert eq", "", 0, 1), op("store", "d", 0, 0), op("store", "c", 0, -1)},
}

// protocol is the text of a random program: a protocol with some changes.
type protocol struct {
	*rand.Rand
	b strings.Builder
}

// Protocol is the text of a random program: a protocol by which two threads keep apart,
// or count what they do, with some changes.
func Protocol(seed uint64) string {
	g := &protocol{Rand: rand.New(rand.NewPCG(seed, 0x70726f74))}
	ops := slices.Clone(protocols[g.IntN(len(protocols))])
	two := slices.Clone(ops)
	for range g.IntN(3) {
		ops = g.mutate(ops)
	}
	if g.IntN(2) == 0 {
		two = ops
	}
	fmt.Fprintf(&g.b, "program \"protocol %d\"\nglobal m: opaque(\"mutex\", 8)\n", seed)
	typ := []string{"i32", "u8", "i8", "u2"}[g.IntN(4)]
	if typ == "u2" {
		typ = "u8"
	}
	for _, v := range []string{"a", "b", "c", "d"} {
		fmt.Fprintf(&g.b, "global %s: %s\n", v, typ)
	}
	end := []string{"  return\n", "  goto s0\n", "  goto s0, over\nover:\n  return\n", "  stop exit\n"}[g.IntN(4)]
	g.thread("w0() void", ops, 0, typ, end)
	g.thread("w1() void", two, 1, typ, end)
	fmt.Fprint(&g.b, "func main() i32 {\n  reg h: u64\nentry:\n")
	counts := [][2]int{{1, 1}, {2, 0}, {1, 2}, {3, 0}, {2, 1}}[g.IntN(5)]
	for k, n := range counts {
		for range n {
			fmt.Fprintf(&g.b, "  h, _ := spawn w%d()\n", k)
		}
	}
	if g.IntN(4) == 0 {
		fmt.Fprint(&g.b, "  call w0()\n")
	}
	fmt.Fprint(&g.b, "  return i32 0\n}\nentry main kind \"main\"\n")
	for k, n := range counts {
		if n > 0 {
			fmt.Fprintf(&g.b, "entry w%d kind \"thread\" %sspawned\n", k, map[bool]string{true: "multi "}[n > 1])
		}
	}
	return g.b.String()
}

// mutate changes, swaps, leaves out, doubles a step, or adds one of another protocol.
func (g *protocol) mutate(ops []protoOp) []protoOp {
	i := g.IntN(len(ops))
	switch g.IntN(8) {
	case 0:
		return slices.Delete(slices.Clone(ops), i, i+1)
	case 1:
		out := slices.Clone(ops)
		j := min(i+1, len(ops)-1)
		out[i], out[j] = out[j], out[i]
		return out
	case 2, 3:
		out := slices.Clone(ops)
		if len(out[i].nums) > 0 {
			out[i].nums = slices.Clone(out[i].nums)
			out[i].nums[g.IntN(len(out[i].nums))] = g.IntN(3)
		}
		return out
	case 4:
		out := slices.Clone(ops)
		if len(out[i].vars) > 0 {
			out[i].vars = []string{[]string{"a", "b", "c", "d", "@", "~"}[g.IntN(6)]}
		}
		return out
	case 5:
		q := protocols[g.IntN(len(protocols))]
		return slices.Insert(slices.Clone(ops), i, q[g.IntN(len(q))])
	case 6:
		out := slices.Clone(ops)
		if out[i].jump != 0 {
			out[i].jump += g.IntN(3) - 1
		}
		return out
	}
	return slices.Insert(slices.Clone(ops), i, ops[g.IntN(len(ops))])
}

// thread writes a function.
func (g *protocol) thread(head string, ops []protoOp, me int, typ, end string) {
	fmt.Fprintf(&g.b, "func %s {\n  reg r, k: %s\n  reg t, n: i32\nentry:\n  r := %s 0\n  k := %s 0\n  goto s0\n", head, typ, typ, typ)
	for i, o := range ops {
		fmt.Fprintf(&g.b, "s%d:\n", i)
		v := ""
		if len(o.vars) > 0 {
			v = map[string]string{"@": []string{"a", "b"}[me], "~": []string{"b", "a"}[me]}[o.vars[0]]
			if v == "" {
				v = o.vars[0]
			}
		}
		num := func(k int) string {
			n := 0
			if k < len(o.nums) {
				n = o.nums[k]
			}
			if n < 0 { // the other thread, or this
				n = map[int]int{-1: 1 - me, -2: me}[n]
			}
			return fmt.Sprintf("%s %d", typ, n)
		}
		next, to := fmt.Sprintf("s%d", i+1), fmt.Sprintf("s%d", min(max(i+o.jump, 0), len(ops)))
		line := func(format string, args ...any) {
			fmt.Fprintf(&g.b, "  "+format+" @\"p.c\":%d\n", append(args, 100*(me+1)+i)...)
		}
		kind, cmp, _ := strings.Cut(o.text, " ")
		switch kind {
		case "load":
			line("r := load seq_cst &%s", v)
		case "store":
			line("store seq_cst &%s, %s", v, num(0))
		case "xchg", "add":
			line("r := rmw %s seq_cst &%s, %s", kind, v, num(0))
		case "cas":
			line("r, _ := cmpxchg seq_cst &%s, %s, %s", v, num(0), num(1))
		case "caskept":
			line("r, _ := cmpxchg seq_cst &%s, k, add(k, %s 1)", v, typ)
		case "keep":
			line("k := r")
		case "begin":
			line("atomic_begin")
		case "end":
			line("atomic_end")
		case "lock", "unlock":
			line("%s exclusive mutex &m", kind)
		case "assert":
			line("assert %s(r, %s) tag assert", cmp, num(0))
		case "goto":
			next = to
		case "want":
			c := fmt.Sprintf("%s(r, %s)", cmp, num(0))
			if cmp == "kept" {
				c = "eq(r, k)"
			}
			fmt.Fprintf(&g.b, "  if %s then %s else %s\n", c, next, to)
			continue
		}
		fmt.Fprintf(&g.b, "  goto %s\n", next)
	}
	fmt.Fprintf(&g.b, "s%d:\n%s}\n", len(ops), end)
}
