package boogie

import (
	"fmt"
	"math/big"
	"sort"
	"strings"

	"whoop/ir"
)

// features are what the program uses of the things that make the prelude larger.
type features struct {
	shared, recursive, atomics, pointerHandles, registers bool
}

func featuresOf(p *ir.Program) features {
	var f features
	for _, in := range p.Instrs() {
		f.see(in)
	}
	return f
}

func (f *features) see(in ir.Instr) {
	switch in := in.(type) {
	case *ir.Lock:
		f.shared = f.shared || in.Mode == ir.Shared
		f.recursive = f.recursive || in.Recursive
	case *ir.LockInit:
		f.recursive = f.recursive || in.Recursive
	case *ir.Unlock:
		f.shared = f.shared || in.Mode == ir.Shared
	case *ir.AtomicBegin:
		f.atomics = true
	case *ir.Register:
		f.registers = f.registers || in.Fn == nil
	case *ir.Spawn:
		f.pointerHandles = f.pointerHandles || in.Dst != nil && ir.IsPtr(in.Dst.Type) || in.HandleAddr != nil && ir.IsPtr(handleType(in))
	}
}

// bvOp is an operation on bit vectors.
type bvOp struct {
	op   string
	bits int
}

// stateVars are the global variables of the prelude: their types, and what holds at the
// start.
var stateVars = []struct{ name, typ, start string }{
	{"$owner", "[int]int", "(forall a: int :: $owner[a] == 0)"},
	{"$readers", "[int]int", "(forall a: int :: $readers[a] == 0)"},
	{"$depth", "[int]int", "(forall a: int :: $depth[a] == 0)"},
	{"$recursive", "[int]bool", "(forall a: int :: !$recursive[a])"},
	{"$waiting", "[int]int", "(forall t: int :: $waiting[t] == 0)"},
	{"$waiters", "[int]int", "(forall a: int :: $waiters[a] == 0)"},
	{"$count", "[int]int", "(forall a: int :: $count[a] == 0)"},
	{"$arrived", "[int]int", "(forall a: int :: $arrived[a] == 0)"},
	{"$phase", "[int]int", "(forall a: int :: $phase[a] == 0)"},
	{"$once", "[int]int", "(forall a: int :: $once[a] == 0)"},
	{"$threads", "int", "$threads == 1"},
	{"$done", "[int]bool", "(forall t: int :: !$done[t])"},
	{"$result", "[int]int", ""},
	{"$thread_of", "[int]int", "(forall a: int :: $thread_of[a] == 0)"},
	{"$watch", "int", "$watch == 0"},
	{"$watch_from", "int", ""},
	{"$watch_to", "int", ""},
	{"$watch_write", "bool", ""},
	{"$watch_atomic", "bool", ""},
	{"$registered", "bool", "!$registered"},
	{"$nesting", "[int]int", "(forall t: int :: $nesting[t] == 0)"},
}

// state says what the prelude's variables are at the start. Call it when all else is
// translated.
func (t *program) state() []string {
	t.closure()
	var out []string
	for _, v := range stateVars {
		if t.helpers[v.name] && v.start != "" {
			out = append(out, "assume "+v.start+";")
		}
	}
	return out
}

// closure adds what the needed helpers need.
func (t *program) closure() {
	if t.feat.atomics {
		t.use("$nesting")
	}
	texts := t.procedures()
	for changed := true; changed; {
		changed = false
		for _, h := range texts {
			if !t.helpers[h.name] {
				continue
			}
			for _, w := range words(h.text) {
				if !t.helpers[w] && w != h.name {
					t.helpers[w], changed = true, true
				}
			}
		}
	}
}

// words are the names in a text that begin with a dollar sign.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !(r == '$' || r == '_' || r == '.' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
}

// prelude declares what the translation uses.
func (t *program) prelude() string {
	var b strings.Builder
	for _, v := range stateVars {
		if t.helpers[v.name] {
			fmt.Fprintf(&b, "var %s: %s;\n", v.name, v.typ)
		}
	}
	b.WriteString("\nprocedure corral_atomic_begin();\nprocedure corral_atomic_end();\n\n")
	t.bitVectors(&b)
	for _, k := range sorted(t.sizes) {
		b.WriteString(sizedText(k))
	}
	for _, h := range t.procedures() {
		if t.helpers[h.name] {
			b.WriteString(h.text + "\n")
		}
	}
	return b.String()
}

// bitVectors declares operations on integers by way of bit vectors.
func (t *program) bitVectors(b *strings.Builder) {
	var ops []bvOp
	widths := map[int]bool{}
	for o := range t.bv {
		ops = append(ops, o)
	}
	sort.Slice(ops, func(i, j int) bool {
		return ops[i].bits < ops[j].bits || ops[i].bits == ops[j].bits && ops[i].op < ops[j].op
	})
	for _, o := range ops {
		n := o.bits
		if !widths[n] {
			widths[n] = true
			fmt.Fprintf(b, "function {:bvbuiltin \"(_ int2bv %d)\"} $to_bv.%d(x: int) returns (bv%d);\n", n, n, n)
			fmt.Fprintf(b, "function {:bvbuiltin \"bv2int\"} $from_bv.%d(x: bv%d) returns (int);\n", n, n)
		}
		fmt.Fprintf(b, "function {:bvbuiltin \"bv%s\"} $bv%s.%d(x: bv%d, y: bv%d) returns (bv%d);\n", o.op, o.op, n, n, n, n)
		fmt.Fprintf(b, "function {:inline} $%s.%d(x: int, y: int) returns (int) { $from_bv.%d($bv%s.%d($to_bv.%d(x), $to_bv.%d(y))) }\n",
			o.op, n, n, o.op, n, n, n)
	}
	if t.helpers["$div"] || t.helpers["$rem"] {
		b.WriteString("// Division that truncates towards zero.\n")
		b.WriteString("function {:inline} $div(x: int, y: int) returns (int) { if x >= 0 then (if y > 0 then x div y else 0 - (x div (0 - y)))" +
			" else (if y > 0 then 0 - ((0 - x) div y) else (0 - x) div (0 - y)) }\n")
	}
	if t.helpers["$rem"] {
		b.WriteString("function {:inline} $rem(x: int, y: int) returns (int) { x - y * $div(x, y) }\n")
	}
	b.WriteString("\n")
}

// sizedText is an operation on values of several bytes, the low one first: $load4,
// $store4, $bytes4.
func sizedText(name string) string {
	op := strings.TrimRight(name, "0123456789")
	var n int
	fmt.Sscan(name[len(op):], &n)
	var parts []string
	store := ""
	for k := 0; k < n; k++ {
		cell, m := bare(at("a", int64(k))), new(big.Int).Lsh(one, uint(8*k)).String()
		switch op {
		case "$bytes":
			parts = append(parts, fmt.Sprintf("0 <= M[%s] && M[%s] <= 255", cell, cell))
		case "$load":
			parts = append(parts, times(val{s: "M[" + cell + "]"}, val{s: m}).s)
		default:
			store += fmt.Sprintf("[%s := %s mod 256]", cell, map[bool]string{true: "v", false: "(v div " + m + ")"}[k == 0])
		}
	}
	switch op {
	case "$bytes":
		return fmt.Sprintf("function {:inline} %s(M: [int]int, a: int) returns (bool) { %s }\n", name, strings.Join(parts, " && "))
	case "$load":
		return fmt.Sprintf("function {:inline} %s(M: [int]int, a: int) returns (int) { %s }\n", name, strings.Join(parts, " + "))
	}
	return fmt.Sprintf("function {:inline} %s(M: [int]int, a: int, v: int) returns ([int]int) { M%s }\n", name, store)
}
