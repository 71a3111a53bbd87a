package boogie

import (
	"fmt"
	"strconv"
	"strings"

	"whoop/ir"
)

// window is the distance of two objects in the address space: no object is longer.
const window = int64(1) << 32

// keywords are the words of Boogie that are no identifiers.
const keywords = ` assert assume async axiom bool break call const else ensures exists extends false finally forall free
 function goto havoc if implementation int int2real invariant is_int lambda modifies old par procedure real real2int
 requires return returns rmode then true type unique var where while yield div mod complete then uncovered `

// clean makes an identifier of a name.
func clean(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '.' && i > 0, c >= '0' && c <= '9' && i > 0:
			b.WriteByte(c)
		default:
			b.WriteByte('_')
		}
	}
	out := b.String()
	if out == "" {
		return "_"
	}
	if strings.Contains(strings.ReplaceAll(keywords, "\n", " "), " "+out+" ") || bitVector(out) {
		out += "_"
	}
	return out
}

// bitVector reports whether s reads as a bit-vector type: bv32.
func bitVector(s string) bool {
	d, ok := strings.CutPrefix(s, "bv")
	_, err := strconv.Atoi(d)
	return ok && err == nil
}

// namer hands out identifiers of one name space.
type namer map[string]bool

func (n namer) fresh(s string) string {
	c := clean(s)
	for k := 2; n[c]; k++ {
		c = fmt.Sprintf("%s.%d", clean(s), k)
	}
	n[c] = true
	return c
}

// comment makes a text fit into the rest of a line.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// attribute makes a text fit into a string of Boogie.
func attribute(s string) string {
	return `"` + strings.NewReplacer(`"`, "'", `\`, "/").Replace(comment(s)) + `"`
}

// nameAll names functions, globals and ghosts. The name main is the harness's.
func (t *program) nameAll() {
	procs, globals, ghosts := namer{"main": true}, namer{}, namer{}
	for _, f := range t.ir.Funcs {
		if f.Name == "main" {
			t.name[f] = procs.fresh("main.body")
		} else {
			t.name[f] = procs.fresh(f.Name)
		}
		t.addr[f] = "$fn." + t.name[f]
	}
	for _, g := range t.ir.Globals {
		if g.ThreadLocal {
			t.tls[g] = len(t.tls)
			continue
		}
		t.addr[g] = "$g." + globals.fresh(g.Name)
	}
	for _, g := range t.ir.Ghosts {
		t.ghosts[g] = "$ghost." + ghosts.fresh(g.Name)
	}
	for i, h := range t.pseudoLocks() {
		t.addr[h] = fmt.Sprintf("$held.%d", i)
	}
}

// boogieType is the type of registers of an IR type.
func boogieType(t ir.Type) string {
	if _, ok := t.(ir.Bool); ok {
		return "bool"
	}
	return "int"
}

// bare takes off the parentheses around a whole expression.
func bare(s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return s
		}
	}
	return s[1 : len(s)-1]
}
