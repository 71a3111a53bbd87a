package invariant

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"whoop/frontend/c"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/prove/absint"
	"whoop/trace/witness"
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
	maxVars   = 800
	maxListed = 6 // values that are written one by one
)

// probe begins the names of the functions that are given the variables.
const probe = "__whoop_probe_"

// Find looks for what holds at loops, behind locks, before assertions, and at the starts
// of functions and of loops' bodies: intervals and sets of values of single variables, as
// far as package absint knows them. An error says why nothing is known.
func Find(ctx context.Context, src Source) ([]witness.Invariant, error) {
	return find(ctx, src, func(p c.Place) bool { return p.Why != "" })
}

// find looks at those places that are wanted.
func find(ctx context.Context, src Source, wanted func(c.Place) bool) ([]witness.Invariant, error) {
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	places, err := c.Places(src.Path, text, src.Options.C)
	if err != nil {
		return nil, err
	}
	places = slices.DeleteFunc(places, func(p c.Place) bool { return !wanted(p) || p.Do && p.Body == 0 })
	places = places[:min(len(places), maxPlaces)]
	var ins []insertion
	var decls strings.Builder
	n := 0
	for i := range places {
		p := &places[i]
		p.Vars = p.Vars[:min(len(p.Vars), maxVars-min(n, maxVars))]
		n += len(p.Vars)
		var args, params []string
		for k, v := range p.Vars {
			params = append(params, fmt.Sprintf("%s __whoop_v%d", parameter(v), k))
			args = append(args, v.Expr)
		}
		if len(args) > 0 {
			name := fmt.Sprint(probe, i)
			fmt.Fprintf(&decls, "void %s(%s) { }\n", name, strings.Join(params, ", "))
			call := name + "(" + strings.Join(args, ", ") + ")"
			ins = append(ins, insertion{*p, call})
			// what holds before the body, too: tools differ in where the head of the loop
			// is
			if p.Do {
				ins = append(ins, insertion{c.Place{Offset: p.Body}, call})
			}
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

// values sorts what the probes were given by place; places that nothing gets to are
// missing.
func values(r *absint.Result) map[int][]absint.Value {
	out := map[int][]absint.Value{}
	for f, vs := range r.Params {
		if i, err := strconv.Atoi(strings.TrimPrefix(f.Name, probe)); err == nil {
			out[i] = vs
		}
	}
	return out
}

// invariants writes down what is known: a place that nothing gets to has the invariant 0.
func invariants(places []c.Place, vals map[int][]absint.Value) []witness.Invariant {
	var out []witness.Invariant
	for i, p := range places {
		at := witness.Invariant{Loop: p.Loop, At: witness.Location{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Col, Function: p.Func}}
		vs, reached := vals[i]
		if !reached && len(p.Vars) > 0 {
			at.Value = "0"
			out = append(out, at)
		}
		for k, x := range vs {
			if at.Value = expression(p.Vars[k], x); at.Value != "" {
				out = append(out, at)
			}
		}
	}
	return out
}
