package witness

import (
	"regexp"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// leaked is the kind of a bug, and the tag of the assertions: memory that is not freed at
// the end.
const leaked = "memcleanup"

// properties maps kinds of bugs to what is specified: SV-COMP's properties where there is
// one, and ours in the same manner. The first of several kinds with one formula is what a
// witness for it is read as.
var properties = [...]struct {
	formula string
	kinds   []string
}{
	{"G ! call(reach_error())", []string{"reach_error"}},
	{"G assert", []string{"assert"}},
	{"G ! data-race", []string{"race"}},
	{"G ! double-lock", []string{string(interp.ErrDoubleLock)}},
	{"G ! deadlock", []string{"deadlock", string(interp.ErrDoubleLock)}},
	{"G ! overflow", []string{"overflow"}},
	{"G valid-deref", []string{string(interp.ErrNull), string(interp.ErrBadPointer), string(interp.ErrBounds), string(interp.ErrReadOnly), string(interp.ErrUseAfterFree)}},
	{"G valid-free", []string{string(interp.ErrFree), string(interp.ErrDoubleFree)}},
	{"G ! unlock-not-held", []string{string(interp.ErrUnlock)}},
	{"G valid-memcleanup", []string{leaked}},
	{"G valid-memtrack", []string{leaked}},
	{"G ! division-by-zero", []string{string(interp.ErrDivZero)}},
}

// Specification is the property that a kind of bug (see trace.Bug) violates, in SV-COMP's
// notation; "" where there is none.
func Specification(kind string) string {
	for _, p := range properties {
		for _, k := range p.kinds {
			if k == kind {
				return "CHECK( init(main()), LTL(" + p.formula + ") )"
			}
		}
	}
	return ""
}

var spaces = regexp.MustCompile(`\s+`)

// kinds are those of the bugs that violate a specification; nil where it is not known.
func kinds(spec string) []string {
	flat := spaces.ReplaceAllString(spec, "")
	var out []string
	for _, p := range properties {
		if strings.Contains(flat, "LTL("+spaces.ReplaceAllString(p.formula, "")+")") {
			out = append(out, p.kinds...)
		}
	}
	if strings.Contains(flat, "LTL(G!call(") && len(out) == 0 {
		out = []string{"reach_error"} // older witnesses name __VERIFIER_error or the like
	}
	return out
}

// asserts reports whether a program has an assertion with a tag.
func asserts(p *ir.Program, tag string) bool {
	for _, in := range p.Instrs() {
		if a, ok := in.(*ir.Assert); ok && a.Tag == tag {
			return true
		}
	}
	return false
}
