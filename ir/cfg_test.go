package ir

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// graph builds a function from lines "a: b c": block a goes to b or c.
func graph(text string) *Func {
	f := &Func{Name: "f", Result: Void{}}
	by := map[string]*Block{}
	get := func(n string) *Block {
		if by[n] == nil {
			by[n] = &Block{Name: n}
			f.Blocks = append(f.Blocks, by[n])
		}
		return by[n]
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, succs, _ := strings.Cut(strings.TrimSpace(line), ":")
		b := get(name)
		g := &Goto{}
		for _, s := range strings.Fields(succs) {
			g.Targets = append(g.Targets, get(s))
		}
		b.Term = g
		if len(g.Targets) == 0 {
			b.Term = &Return{}
		}
	}
	return f
}

func names(bs []*Block) string {
	var out []string
	for _, b := range bs {
		out = append(out, b.Name)
	}
	return strings.Join(out, " ")
}

func TestRPO(t *testing.T) {
	f := graph("a: b c\nb: d\nc: d\nd:\nu: d")
	if got := names(RPO(f)); got != "a b c d" {
		t.Errorf("RPO = %s", got)
	}
	if got := names(Preds(f)[f.Blocks[3]]); got != "b c u" {
		t.Errorf("Preds(d) = %s", got)
	}
	if RPO(&Func{}) != nil {
		t.Error("RPO of a function without a body")
	}
}

func TestLoops(t *testing.T) {
	for _, tc := range []struct{ name, graph, want string }{
		{"none", "a: b c\nb: d\nc: d\nd:", ""},
		{"self", "a: b\nb: b c\nc:", "b{b}b"},
		{"while", "a: h\nh: body x\nbody: h\nx:", "h{h body}body"},
		{"continue", "a: h\nh: b x\nb: h c\nc: h\nx:", "h{h b c}b c"},
		{"nested", "a: h\nh: i x\ni: j k\nj: i\nk: h\nx:", "h{h i j k}k; i{i j}j^h"},
		{"unreachable latch", "a: h\nh: x\nu: h\nx:", ""},
		{"irreducible", "a: b c\nb: c\nc: b x\nx:", ""},
	} {
		var got []string
		for _, l := range NewCFG(graph(tc.graph)).Loops() {
			s := fmt.Sprintf("%s{%s}%s", l.Head.Name, names(l.Blocks), names(l.Back))
			if l.Parent != nil {
				s += "^" + l.Parent.Head.Name
			}
			got = append(got, s)
		}
		if g := strings.Join(got, "; "); g != tc.want {
			t.Errorf("%s: loops %q, want %q", tc.name, g, tc.want)
		}
	}
}

func TestIrreducible(t *testing.T) {
	if n := len(NewCFG(graph("a: b c\nb: c\nc: b x\nx:")).Irreducible()); n != 1 {
		t.Errorf("%d irreducible edges, want 1", n)
	}
	if n := len(NewCFG(graph("a: h\nh: b x\nb: h\nx:")).Irreducible()); n != 0 {
		t.Errorf("%d irreducible edges in a while loop, want 0", n)
	}
}

// TestDominatorsAgainstDefinition compares with the definition: a dominates b iff
// removing a cuts b off.
func TestDominatorsAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(9)
		f := &Func{}
		for i := range n {
			f.Blocks = append(f.Blocks, &Block{Name: fmt.Sprint(i)})
		}
		for _, b := range f.Blocks {
			g := &Goto{}
			for range rng.IntN(3) {
				g.Targets = append(g.Targets, f.Blocks[rng.IntN(n)])
			}
			b.Term = g
		}
		c := NewCFG(f)
		reach := func(without *Block) []*Block {
			if without == f.Blocks[0] {
				return nil
			}
			seen := []*Block{f.Blocks[0]}
			for i := 0; i < len(seen); i++ {
				for _, s := range seen[i].Succs() {
					if s != without && !slices.Contains(seen, s) {
						seen = append(seen, s)
					}
				}
			}
			return seen
		}
		all := reach(nil)
		for _, a := range f.Blocks {
			for _, b := range f.Blocks {
				want := slices.Contains(all, a) && slices.Contains(all, b) && (a == b || !slices.Contains(reach(a), b))
				if c.Dominates(a, b) != want {
					t.Fatalf("Dominates(%s, %s) = %v", a.Name, b.Name, !want)
				}
			}
		}
	}
}
