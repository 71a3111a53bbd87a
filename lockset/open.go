package lockset

import (
	"fmt"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// Open is what another proof about the same program has left open: the accesses of which
// it did not prove, for a pair of entry points, that they race with nothing. The other
// ones need not be looked at again in that pair. Two accesses that may race are both open
// there, so a pair of which one is not open is proved.
//
// The programs may differ in which copies of functions they have, as package contexts
// makes them: an access of the one is open if that of the other is of which both are
// copies.
type Open struct {
	of map[ir.Instr]ir.Instr
	// with are the entry points, by name, that an access of an entry may race with, and
	// all those that the whole of an entry may race with.
	with map[openAt]map[string]bool
	all  map[string]map[string]bool
	// classes numbers the sets of these.
	classes map[string]int
	known   map[openAt]int
}

// openAt is an access of an entry point.
type openAt struct {
	entry string
	in    ir.Instr
}

// NewOpen collects what pairs have left open. of says which instruction of their program
// one of the new program is a copy of; nil: it is the same program.
func NewOpen(pairs []diag.Pair, of map[ir.Instr]ir.Instr) *Open {
	o := &Open{of: of, with: map[openAt]map[string]bool{}, all: map[string]map[string]bool{},
		classes: map[string]int{}, known: map[openAt]int{}}
	for _, p := range pairs {
		if p.Verdict == diag.RaceFree {
			continue
		}
		for _, x := range [][2]string{{p.First, p.Second}, {p.Second, p.First}} {
			if p.AllMayRace {
				add(o.all, x[0], x[1])
			}
			for in := range p.MayRace {
				add(o.with, openAt{x[0], in}, x[1])
			}
		}
	}
	return o
}

func add[K comparable](to map[K]map[string]bool, k K, name string) {
	if to[k] == nil {
		to[k] = map[string]bool{}
	}
	to[k][name] = true
}

// at is an access of an entry, as the pairs name it.
func (o *Open) at(e *ir.Entry, in ir.Instr) openAt {
	if o.of != nil {
		in = o.of[in]
	}
	return openAt{e.Name, in}
}

// has reports whether an access of e is open in the pair of e and f.
func (o *Open) has(e *ir.Entry, in ir.Instr, f *ir.Entry) bool {
	return o == nil || o.all[e.Name][f.Name] || o.with[o.at(e, in)][f.Name]
}

// class is equal for accesses of an entry that are open in the same pairs.
func (o *Open) class(e *ir.Entry, in ir.Instr) int {
	if o == nil {
		return 0
	}
	k := o.at(e, in)
	n, ok := o.known[k]
	if !ok {
		var names []string
		for name := range o.with[k] {
			names = append(names, name)
		}
		slices.Sort(names)
		text := fmt.Sprintf("%s\n%s", e.Name, strings.Join(names, "\n"))
		if n, ok = o.classes[text]; !ok {
			n = len(o.classes) + 1
			o.classes[text] = n
		}
		o.known[k] = n
	}
	return n
}
