package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
)

// checkPair reports a --pairs value that names no pair of entry points.
func checkPair(ps []*ir.Program, w string) error {
	a, b, ok := strings.Cut(w, ",")
	if !ok {
		return fmt.Errorf("--pairs %q: want two entry points, as in a,b", w)
	}
	for _, n := range []string{a, b} {
		n := strings.TrimSpace(n)
		if !slices.ContainsFunc(ps, func(p *ir.Program) bool { return p.EntryByName(n) != nil }) {
			var names []string
			for _, p := range ps {
				for _, e := range p.Entries {
					names = append(names, e.Name)
				}
			}
			return fmt.Errorf("--pairs %q: no entry point %q; there are: %s", w, n, strings.Join(names, ", "))
		}
	}
	return nil
}
