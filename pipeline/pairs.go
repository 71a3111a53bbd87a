package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// shownNames is how many entry points a message lists.
const shownNames = 40

// checkPair reports a --pairs value that names no pair of entry points.
func checkPair(ps []*ir.Program, w string) error {
	a, b, ok := diag.CutPair(w)
	if !ok {
		return fmt.Errorf("--pairs %q: want two entry points, as in a,b", w)
	}
	for _, n := range []string{a, b} {
		if !slices.ContainsFunc(ps, func(p *ir.Program) bool { return p.EntryByName(n) != nil }) {
			var names []string
			for _, p := range ps {
				for _, e := range p.Entries {
					names = append(names, e.Name)
				}
			}
			more := ""
			if len(names) > shownNames {
				more = fmt.Sprintf(", and %d more (\"whoop verify --all\" names all)", len(names)-shownNames)
				names = names[:shownNames]
			}
			return fmt.Errorf("--pairs %q: no entry point %q; there are: %s%s", w, n, strings.Join(names, ", "), more)
		}
	}
	return nil
}
