// Package houdini finds the greatest set of candidate facts that is consistent: where all
// of them are assumed, each check keeps all that it looks at (Flanagan and Leino: Houdini,
// an annotation assistant for ESC/Java, FME 2001).
//
// In go the checks, by what they assume, and a function that lets one drop what it does
// not keep. Out comes nothing: the caller keeps the facts. The result does not depend on
// the order of the checks, but the time does.
//
//	err := houdini.Run(ctx, houdini.First, assumed, func(check int) (dropped []fact, err error) { … })
package houdini

import "context"

// Order says which check comes next, of those that may drop something.
type Order int

const (
	// First is the first one of all: for checks of which each is costly, those in front
	// of which the others rest on.
	First Order = iota
	// Rounds is the next one, from the first to the last again and again: for many cheap
	// checks, which should see what all others have dropped.
	Rounds
)

// Run looks at each check, and again whenever a fact that it assumes was dropped. An error
// ends it: facts that are left then need not hold.
func Run[Fact comparable](ctx context.Context, order Order, assumed [][]Fact,
	look func(check int) (dropped []Fact, err error)) error {
	by, dirty := map[Fact][]int{}, make([]bool, len(assumed))
	for i, fs := range assumed {
		dirty[i] = true
		for _, f := range fs {
			by[f] = append(by[f], i)
		}
	}
	for again := true; again; {
		again = false
		for i := 0; i < len(dirty); i++ {
			if !dirty[i] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			again, dirty[i] = true, false
			dropped, err := look(i)
			if err != nil {
				return err
			}
			next := i
			for _, f := range dropped {
				for _, j := range by[f] {
					dirty[j] = true
					next = min(next, j-1)
				}
			}
			if order == First {
				i = next
			}
		}
	}
	return nil
}
