package invariant

import (
	"context"
	"strings"

	"whoop/trace/witness"
)

// Join makes one invariant of those at each place: what all of them say.
func Join(invs []witness.Invariant) []witness.Invariant {
	type key struct {
		loop bool
		at   witness.Location
	}
	parts, last := map[key][]string{}, map[key]int{}
	for i, v := range invs {
		k := key{v.Loop, v.At}
		parts[k] = append(parts[k], v.Value)
		last[k] = i
	}
	var out []witness.Invariant
	for i, v := range invs {
		k := key{v.Loop, v.At}
		if last[k] != i {
			continue
		}
		if len(parts[k]) > 1 {
			for j, e := range parts[k] {
				parts[k][j] = operand(e)
			}
		}
		v.Value = strings.Join(parts[k], " && ")
		out = append(out, v)
	}
	return out
}

// operand is an expression that may stand beside &&.
func operand(e string) string {
	if strings.Contains(e, "||") {
		return "(" + e + ")"
	}
	return e
}

// Held leaves out the invariants that executions violate, or that cannot be used, and
// returns what became of these.
func Held(ctx context.Context, src Source, invs []witness.Invariant, lim Limits) (held []witness.Invariant, bad []Result, err error) {
	rs, err := Check(ctx, src, invs, lim)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range rs {
		if r.Holds() {
			held = append(held, r.Invariant)
		} else {
			bad = append(bad, r)
		}
	}
	return held, bad, nil
}
