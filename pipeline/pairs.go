package pipeline

import (
	"fmt"
	"strings"

	"whoop/ir"
)

// checkPair reports a --pairs value that names no pair of entry points.
func checkPair(p *ir.Program, w string) error {
	a, b, ok := strings.Cut(w, ",")
	if !ok {
		return fmt.Errorf("--pairs %q: want two entry points, as in a,b", w)
	}
	for _, n := range []string{a, b} {
		if p.EntryByName(strings.TrimSpace(n)) == nil {
			var names []string
			for _, e := range p.Entries {
				names = append(names, e.Name)
			}
			return fmt.Errorf("--pairs %q: no entry point %q; there are: %s", w, strings.TrimSpace(n), strings.Join(names, ", "))
		}
	}
	return nil
}
