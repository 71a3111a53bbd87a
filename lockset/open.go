package lockset

import (
	"fmt"
	"reflect"

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
	// number are the entry points of pairs that are open, by name.
	number map[string]int
	// with are the entry points that an access of an entry may race with, and all those
	// that the whole of an entry may race with.
	with map[openAt]entrySet
	all  []entrySet
	// classes numbers the sets of these.
	classes map[string]int
	known   map[openAt]int
}

// openAt is an access of an entry point, by the entry's number.
type openAt struct {
	entry int
	in    ir.Instr
}

// NewOpen collects what pairs have left open. of says which instruction of their program
// one of the new program is a copy of; nil: it is the same program.
func NewOpen(pairs []diag.Pair, of map[ir.Instr]ir.Instr) *Open {
	o := &Open{of: of, number: map[string]int{}, with: map[openAt]entrySet{},
		classes: map[string]int{}, known: map[openAt]int{}}
	for _, p := range pairs {
		if p.Verdict == diag.RaceFree {
			continue
		}
		for _, name := range []string{p.First, p.Second} {
			if _, known := o.number[name]; !known {
				o.number[name] = len(o.number)
			}
		}
	}
	o.all = make([]entrySet, len(o.number))
	// the members of two entries have pairs of which the same accesses are open
	same := map[uintptr]*openPairs{}
	var lists []*openPairs
	for _, p := range pairs {
		if p.Verdict == diag.RaceFree {
			continue
		}
		a, b := o.number[p.First], o.number[p.Second]
		if p.AllMayRace {
			o.add(&o.all[a], b)
			o.add(&o.all[b], a)
		}
		if len(p.MayRace) == 0 {
			continue
		}
		k := reflect.ValueOf(p.MayRace).Pointer()
		x := same[k]
		if x == nil {
			x = &openPairs{ins: p.MayRace, with: map[int]entrySet{}}
			same[k], lists = x, append(lists, x)
		}
		for _, s := range [][2]int{{a, b}, {b, a}} {
			set := x.with[s[0]]
			o.add(&set, s[1])
			x.with[s[0]] = set
		}
	}
	for _, x := range lists {
		for in := range x.ins {
			for e, set := range x.with {
				k := openAt{e, in}
				old := o.with[k]
				if old == nil {
					old = make(entrySet, len(set))
					o.with[k] = old
				}
				old.addAll(set)
			}
		}
	}
	return o
}

// openPairs are pairs of which the same accesses are open: with whom, by entry.
type openPairs struct {
	ins  map[ir.Instr]bool
	with map[int]entrySet
}

func (o *Open) add(to *entrySet, i int) {
	if *to == nil {
		*to = make(entrySet, (len(o.number)+63)/64)
	}
	to.add(i)
}

// at is an access of an entry, as the pairs name it; false where no pair of the entry is
// open.
func (o *Open) at(e *ir.Entry, in ir.Instr) (openAt, bool) {
	if o.of != nil {
		in = o.of[in]
	}
	n, known := o.number[e.Name]
	return openAt{n, in}, known
}

// has reports whether an access of e is open in the pair of e and f.
func (o *Open) has(e *ir.Entry, in ir.Instr, f *ir.Entry) bool {
	if o == nil {
		return true
	}
	k, known := o.at(e, in)
	with, also := o.number[f.Name]
	if !known || !also {
		return false
	}
	all, some := o.all[k.entry], o.with[k]
	return all != nil && all.has(with) || some != nil && some.has(with)
}

// class is equal for accesses of an entry that are open in the same pairs.
func (o *Open) class(e *ir.Entry, in ir.Instr) int {
	if o == nil {
		return 0
	}
	k, open := o.at(e, in)
	if !open {
		return 0
	}
	n, ok := o.known[k]
	if !ok {
		text := fmt.Sprintf("%d %s", k.entry, setKey(o.with[k]))
		if n, ok = o.classes[text]; !ok {
			n = len(o.classes) + 1
			o.classes[text] = n
		}
		o.known[k] = n
	}
	return n
}
