package ir

import (
	"slices"
	"strings"
)

// Kinds of entry points are named from the general to the special
// ("file_operations.open"): what registers or unregisters a kind does so for all that
// begin with it, and "" stands for all. Handlers of one kind that belong to different
// places in the program's data have these in their kinds ("work[card.reset]").

// SeveralObjects begins the names of what registrations make known that may run more than
// once, each time for another object: they are taken back one by one (Register.Object).
const SeveralObjects = "several objects"

// AtPlace is the kind of the handlers of some kind that belong to a place.
func AtPlace(kind, place string) string { return kind + "[" + place + "]" }

// WithoutPlace is a kind without a place in the program's data.
func WithoutPlace(kind string) string {
	kind, _, _ = strings.Cut(kind, "[")
	return kind
}

// Stops lists the kinds that an Unregister ends: those that count in a module's exit
// function only ("exit:K"; files of the module are closed by then, and nobody opens one)
// where it is executed by that one. none tells that these are no kinds at all, as opposed
// to all kinds.
func (i *Unregister) Stops(exit bool) (kinds []string, none bool) {
	for _, k := range i.Kinds {
		rest, only := strings.CutPrefix(k, "exit:")
		if !only || exit {
			kinds = append(kinds, rest)
		}
	}
	return kinds, len(kinds) == 0 && len(i.Kinds) > 0
}

// Kinds are the kinds of entry points that a program registers, and those of their parts
// that it unregisters: whether an entry is registered is told by the most special of
// these that covers it.
type Kinds []string

// KindsOf looks through a program for the Registers that are not of one handler, and for
// the Unregisters.
func KindsOf(p *Program) Kinds {
	var ks Kinds
	add := func(k string) {
		if !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	each := func(do func(in Instr)) {
		for _, in := range p.Instrs() {
			do(in)
		}
	}
	each(func(in Instr) {
		if r, ok := in.(*Register); ok && r.Fn == nil {
			if len(r.Kinds) == 0 {
				add("")
			}
			for _, k := range r.Kinds {
				add(k)
			}
		}
	})
	registered := slices.Clone(ks)
	each(func(in Instr) {
		if u, ok := in.(*Unregister); ok {
			stops, _ := u.Stops(true)
			for _, k := range stops {
				if _, ok := registered.Of(k); ok {
					add(k)
				}
			}
		}
	})
	slices.Sort(ks)
	return ks
}

// Of is the most special kind that covers an entry's; false where nothing registers that.
func (ks Kinds) Of(kind string) (string, bool) {
	best, found := "", false
	for _, k := range ks {
		if strings.HasPrefix(kind, k) && (!found || len(k) > len(best)) {
			best, found = k, true
		}
	}
	return best, found
}

// In lists the kinds that some of those given (none: all) cover.
func (ks Kinds) In(given []string) []string {
	var out []string
	for _, k := range ks {
		if Covers(given, k) {
			out = append(out, k)
		}
	}
	return out
}

// Covers reports whether kinds (none: all) cover an entry's.
func Covers(kinds []string, kind string) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(kind, k) })
}
