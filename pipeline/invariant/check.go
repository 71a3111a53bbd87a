package invariant

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"whoop/frontend/c"
	"whoop/ir"
	"whoop/prove/absint"
	"whoop/trace"
	"whoop/trace/witness"
)

// Limits bound a check; zero values are the defaults.
type Limits struct {
	// Executions is how many are run (100), Steps how many instructions in all (2
	// million). Seed is that of the first execution.
	Executions, Steps int
	Seed              uint64
	// NoProof: do not ask package absint.
	NoProof bool
}

// Result is what is known of one invariant.
type Result struct {
	Invariant witness.Invariant
	// Unusable says why nothing can be said of it; "" otherwise.
	Unusable string
	// Violated is an execution in which it does not hold, of the program with an
	// assertion at its place; nil: it was not found.
	Violated *trace.Execution
	// Proved: it holds in all executions, by abstract interpretation.
	Proved bool
	// Executions is how many were run, all but the last of which do not violate it where
	// Violated is set.
	Executions int

	at   c.Place
	text string // its expression, in C
}

// Holds reports whether nothing speaks against the invariant.
func (r *Result) Holds() bool { return r.Unusable == "" && r.Violated == nil }

// violated begins the names of the functions that are called where an invariant does not
// hold.
const violated = "__whoop_violated_"

// Check runs the program with assertions at the places of the invariants, by random
// schedules with random inputs, and asks for a proof. What is no expression over
// variables in scope is unusable, and so are places that the source does not have. An
// error means that the program cannot be run at all.
func Check(ctx context.Context, src Source, invs []witness.Invariant, lim Limits) ([]Result, error) {
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	places, err := c.Places(src.Path, text, src.Options.C)
	if err != nil {
		return nil, err
	}
	rs := make([]Result, len(invs))
	for i, inv := range invs {
		r := &rs[i]
		r.Invariant, r.text = inv, strings.TrimSpace(inv.Value)
		var ok bool
		if r.at, ok = place(places, inv); !ok {
			r.Unusable = "no such place: a loop's keyword, or the first character of a statement in a block"
		} else {
			r.Unusable = odd(r.text)
		}
	}
	p, err := asserted(src, text, rs)
	// an execution ends with the first violation: the others are looked for without it
	for found := true; found && err == nil; {
		var bad int
		if bad, err = run(ctx, p, rs, lim); bad >= 0 {
			if err = alone(ctx, src, text, &rs[bad], lim); err == nil {
				p, err = asserted(src, text, rs)
			}
		}
		found = bad >= 0
	}
	if err != nil {
		return nil, err
	}
	if !lim.NoProof {
		prove(ctx, p, rs)
	}
	return rs, nil
}

// alone looks for an execution that violates an invariant in the program with no other
// assertions: it is shorter.
func alone(ctx context.Context, src Source, text []byte, r *Result, lim Limits) error {
	one := []Result{*r}
	one[0].Violated = nil
	p, err := asserted(src, text, one)
	if err != nil {
		return err
	}
	if bad, err := run(ctx, p, one, lim); bad < 0 || err != nil {
		return err
	}
	*r = one[0]
	return nil
}

// place finds where an invariant belongs; without a column it is the line's first such
// place.
func place(places []c.Place, inv witness.Invariant) (c.Place, bool) {
	best, found := c.Place{}, false
	for _, p := range places {
		if p.Loop != inv.Loop || p.Pos.Line != inv.At.Line || inv.At.Column > 0 && p.Pos.Col != inv.At.Column {
			continue
		}
		if inv.At.File != "" && filepath.Base(inv.At.File) != filepath.Base(p.Pos.File) {
			continue
		}
		if !found || p.Pos.Col < best.Pos.Col {
			best, found = p, true
		}
	}
	return best, found
}

var (
	effects  = regexp.MustCompile(`\+\+|--|[^=!<>]=[^=]|<<=|>>=`)
	calls    = regexp.MustCompile(`([A-Za-z_]\w*|[)\]])\s*\(`)
	harmless = regexp.MustCompile(`^(sizeof|\)|\])`)
)

// odd says why a text is no expression without effects; "" where it may be one.
func odd(e string) string {
	if e == "" || strings.ContainsAny(e, ";{}\"'#\\\n") || strings.Contains(e, "//") || strings.Contains(e, "/*") {
		return "not an expression in C"
	}
	depth := 0
	for _, r := range e {
		if r == '(' {
			depth++
		} else if r == ')' {
			depth--
		}
		if depth < 0 {
			return "its parentheses do not match"
		}
	}
	if depth != 0 {
		return "its parentheses do not match"
	}
	if effects.MatchString(e) {
		return "it has effects"
	}
	for _, m := range calls.FindAllString(e, -1) {
		if !harmless.MatchString(m) {
			return "it calls a function"
		}
	}
	return ""
}

// asserted loads the program with an assertion for each invariant that can be used. Those
// that the front end rejects are marked.
func asserted(src Source, text []byte, rs []Result) (*ir.Program, error) {
	var base *c.Unit
	accepted := func(changed []byte) bool {
		u, err := c.Parse(src.Path, changed, src.Options.C)
		if err != nil || len(u.Degraded) == 0 {
			return err == nil
		}
		if base == nil {
			base, err = c.Parse(src.Path, text, src.Options.C)
		}
		return err == nil && len(u.Degraded) <= len(base.Degraded)
	}
	build := func(only int) []byte {
		var decls strings.Builder
		decls.WriteString("extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_error(void);\n")
		var ins []insertion
		for i, r := range rs {
			if !r.Holds() || only >= 0 && only != i {
				continue
			}
			fmt.Fprintf(&decls, "#line %d %q\nvoid %s%d(void) { __VERIFIER_error(); }\n", r.at.Pos.Line, src.Path, violated, i)
			ins = append(ins, insertion{r.at, fmt.Sprintf("__VERIFIER_atomic_begin(), ((%s) ? (void)0 : %s%d()), __VERIFIER_atomic_end()", r.text, violated, i)})
		}
		return instrument(src.Path, text, decls.String(), ins)
	}
	if !accepted(build(-1)) {
		for i := range rs {
			if rs[i].Holds() && !accepted(build(i)) {
				rs[i].Unusable = "not an expression over the variables in scope"
			}
		}
	}
	return src.load(build(-1))
}

// prove asks for the assertions' proofs, for what no execution speaks against. What
// absint does not follow is not proved.
func prove(ctx context.Context, p *ir.Program, rs []Result) {
	r, err := absint.Analyze(ctx, p, absint.Options{})
	if err != nil || len(r.MayLeave) > 0 {
		return
	}
	for i := range rs {
		if !rs[i].Holds() {
			continue
		}
		f := p.FuncByName(fmt.Sprintf("%s%d", violated, i))
		rs[i].Proved = f != nil
		for in := range r.MayFail {
			if f != nil && owns(f, in) {
				rs[i].Proved = false
			}
		}
	}
}

func owns(f *ir.Func, in ir.Instr) bool {
	for x := range f.Instrs() {
		if x == in {
			return true
		}
	}
	return false
}
