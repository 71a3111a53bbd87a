package entry

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"go.yaml.in/yaml/v3"

	"whoop/ir"
)

// Write prints an ep.yaml that says what p says about entry points: applied to the
// program before inference, it yields the same entries and exclusions.
func Write(w io.Writer, p *ir.Program) error {
	no := false
	c := Config{Version: 1, Infer: &no}
	for _, e := range p.Entries {
		x := Entry{Func: e.Func.Name, Kind: e.Kind, Multi: truth(e.Multi)}
		if e.Name != e.Func.Name {
			x.Name = e.Name
		}
		for _, b := range []struct {
			to **bool
			on bool
		}{{&x.Spawned, e.Spawned}, {&x.Init, e.Init}, {&x.Exit, e.Exit}} {
			if b.on {
				*b.to = truth(true)
			}
		}
		if len(e.Holds) > 0 {
			h := slices.Clone(e.Holds)
			x.Holds = &h
		}
		if len(e.Private) > 0 {
			v := slices.Clone(e.Private)
			x.Private = &v
		}
		c.Entries = append(c.Entries, x)
	}
	for _, x := range p.Exclusions {
		c.Serial = append(c.Serial, Serial{A: x.A, B: x.B, Reason: x.Reason})
	}
	sort.SliceStable(c.Serial, func(i, j int) bool {
		a, b := c.Serial[i], c.Serial[j]
		return a.A < b.A || a.A == b.A && a.B < b.B
	})
	if _, err := fmt.Fprintf(w, "# Entry points of %s. Edit, and give the file with --entry-points; see docs/reference/entry-points.md.\n", p.Name); err != nil {
		return err
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(c); err != nil {
		return fmt.Errorf("entry points: %w", err)
	}
	return enc.Close()
}

func truth(b bool) *bool { return &b }
