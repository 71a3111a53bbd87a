package invariant

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"whoop/absint"
	"whoop/frontend/c"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/witness"
)

// Source is a C program in one file.
type Source struct {
	Path    string
	Options pipeline.Options
}

// text reads the file; it is an error where the program is not one C file.
func (s Source) text() ([]byte, error) {
	if !strings.HasSuffix(s.Path, ".c") && !strings.HasSuffix(s.Path, ".i") {
		return nil, fmt.Errorf("%s: invariants are of programs in one C file", s.Path)
	}
	return os.ReadFile(s.Path)
}

// load reads a text in place of the file.
func (s Source) load(text []byte) (*ir.Program, error) {
	o := s.Options
	o.C.Text = text
	return pipeline.Load(s.Path, o)
}

// Bounds of what is looked for.
const (
	maxPlaces = 80
	maxProbes = 600
	maxListed = 6 // values that are written one by one
)

// probe begins the names of the functions that are given the variables.
const probe = "__whoop_probe_"

// Find looks for what holds at loops, behind locks, before assertions, and at the starts of functions and of loops' bodies: intervals and sets of
// values of single variables, as far as package absint knows them. An error says why nothing is known.
func Find(ctx context.Context, src Source) ([]witness.Invariant, error) {
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	places, err := c.Places(src.Path, text, src.Options.C)
	if err != nil {
		return nil, err
	}
	places = slices.DeleteFunc(places, func(p c.Place) bool { return p.Why == "" })
	places = places[:min(len(places), maxPlaces)]
	var ins []insertion
	var decls strings.Builder
	n := 0
	for i := range places {
		p := &places[i]
		var calls []string
		for k, v := range p.Vars {
			if n++; n > maxProbes {
				p.Vars = p.Vars[:k]
				break
			}
			name := fmt.Sprintf("%s%d_%d", probe, i, k)
			fmt.Fprintf(&decls, "void %s(%s __whoop_v) { }\n", name, parameter(v))
			calls = append(calls, name+"("+v.Expr+")")
		}
		if len(calls) > 0 {
			ins = append(ins, insertion{*p, strings.Join(calls, ", ")})
		}
	}
	if len(ins) == 0 {
		return nil, nil
	}
	p, err := src.load(instrument(src.Path, text, decls.String(), ins))
	if err != nil {
		return nil, fmt.Errorf("with calls at the places of invariants: %w", err)
	}
	r, err := absint.Analyze(ctx, p, absint.Options{Observe: func(f *ir.Func) bool { return strings.HasPrefix(f.Name, probe) }})
	if err != nil {
		return nil, err
	}
	return invariants(places, values(r)), nil
}

// parameter is the type that a probe takes a variable as.
func parameter(v c.Var) string {
	switch {
	case v.Pointer:
		return "const volatile void *"
	case v.Int.Bits >= 64 && !v.Int.Signed:
		return "unsigned long long"
	}
	return "long long"
}

// values sorts what the probes were given by place and variable.
func values(r *absint.Result) map[[2]int]absint.Value {
	out := map[[2]int]absint.Value{}
	for f, vs := range r.Params {
		a, b, _ := strings.Cut(strings.TrimPrefix(f.Name, probe), "_")
		i, err1 := strconv.Atoi(a)
		k, err2 := strconv.Atoi(b)
		if err1 == nil && err2 == nil && len(vs) == 1 {
			out[[2]int{i, k}] = vs[0]
		}
	}
	return out
}

// invariants writes down what is known: a place that nothing gets to has the invariant 0.
func invariants(places []c.Place, vals map[[2]int]absint.Value) []witness.Invariant {
	var out []witness.Invariant
	for i, p := range places {
		at := witness.Invariant{Loop: p.Loop, At: witness.Location{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Col, Function: p.Func}}
		reached := len(p.Vars) == 0
		for k := range p.Vars {
			v, ok := vals[[2]int{i, k}]
			reached = reached || ok && !v.Empty()
		}
		if !reached {
			at.Value = "0"
			out = append(out, at)
			continue
		}
		for k, v := range p.Vars {
			if x, ok := vals[[2]int{i, k}]; ok {
				if at.Value = expression(v, x); at.Value != "" {
					out = append(out, at)
				}
			}
		}
	}
	return out
}
