package randgo

import (
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestText: programs parse, and the explorations of a seed are the same each time.
func TestText(t *testing.T) {
	for seed := range uint64(300) {
		p := Generate(seed)
		text := p.Text(Layout{})
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		p.Explore(Budget{Runs: 100, Steps: 300, Seed: seed})
	}
}

// TestIdioms: the idioms without changes are correct.
func TestIdioms(t *testing.T) {
	for seed := range uint64(6) {
		m := &maker{r: rand.New(rand.NewPCG(seed, 3)), p: &Program{}}
		for i := range m.idioms() {
			m := &maker{r: rand.New(rand.NewPCG(seed, 3)), p: &Program{}}
			m.p.Run = m.idioms()[i]()
			text := m.p.Text(Layout{})
			if o := m.p.Explore(Budget{Runs: 1000, Steps: 300, Seed: seed}); len(o.Found)+len(o.Panics) > 0 {
				t.Errorf("idiom %d, seed %d: %v %v\n%s", i, seed, o.Found, o.Panics, text)
			}
		}
	}
}

// TestConflicts: what the model shows of small programs.
func TestConflicts(t *testing.T) {
	for _, tc := range []struct {
		name string
		run  []*Stmt
		want []string
	}{
		{"data", []*Stmt{st(Go, "", st(Inc, "x")), st(Inc, "x")}, []string{DataRace}},
		{"ordered", []*Stmt{st(Inc, "x"), st(Go, "", st(Inc, "x"))}, nil},
		{"received", []*Stmt{st(Go, "", st(Inc, "x"), st(Send, "c")), st(Recv, "c"), st(Inc, "x")}, nil},
		{"rendezvous", []*Stmt{st(Go, "", st(Inc, "x"), st(Recv, "c")), st(Send, "c"), st(Inc, "x")}, nil},
		{"buffered", []*Stmt{st(Go, "", st(Inc, "x"), st(Recv, "b")), st(Send, "b"), st(Inc, "x")}, []string{DataRace}},
		{"send", []*Stmt{st(Go, "", st(Send, "b")), st(Close, "b")}, []string{SendClose}},
		{"close", []*Stmt{st(Go, "", st(Close, "b")), st(Close, "b")}, []string{CloseClose}},
		{"one after the other", []*Stmt{st(Close, "b"), st(Close, "b")}, nil},
		{"add", []*Stmt{st(Go, "", add("g", 1), st(Done, "g")), st(Wait, "g")}, []string{AddWait}},
		{"counted", []*Stmt{add("g", 1), st(Go, "", add("g", 1), st(Done, "g"), st(Done, "g")), st(Wait, "g")}, nil},
		{"reuse", []*Stmt{add("g", 1), st(Go, "", st(Wait, "g")), st(Go, "", st(Done, "g")), st(Wait, "g"), add("g", 1), st(Read, "x")},
			[]string{AddWait, Reuse}},
	} {
		p := &Program{Run: tc.run, Objects: []*Object{{Name: "x", Kind: Int}, {Name: "c", Kind: Chan}, {Name: "b", Kind: Chan, Cap: 1},
			{Name: "g", Kind: Group}}}
		p.Text(Layout{})
		o, kinds := p.Explore(Budget{Runs: 10000, Steps: 100}), map[string]bool{}
		for c := range o.Found {
			kinds[c.Kind] = true
		}
		if got := slices.Sorted(maps.Keys(kinds)); !slices.Equal(got, tc.want) || !o.All {
			t.Errorf("%s: %v, want %v; all executions: %v", tc.name, got, tc.want, o.All)
		}
	}
}
