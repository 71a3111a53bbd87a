package ir

import "slices"

// ArgSource says where the caller of an entry takes an argument from: parameter Param is
// the address of the struct of type S that holds the address of the entry's function Off
// bytes from its beginning (a work item's handler gets the work item).
type ArgSource struct {
	Param int
	S     *Struct
	Off   int64
}

// SameArgument says that parameter Param of an entry is what the entry named Of got as
// its parameter OfParam, or lies Off bytes inside of that object: a file that is read was
// opened. Of's call has returned, and returned 0 where it returns an integer and is no
// init entry.
type SameArgument struct {
	Param   int
	Of      string
	OfParam int
	Off     int64
}

// From says that parameter Param of a root is parameter OfParam of the init run number
// Init, or lies Off bytes inside of that object.
type From struct {
	Param, Init, OfParam int
	Off                  int64
}

// Passed resolves Entry.SameArgument for init runs, of which each takes place when those
// before it have ended, and for roots, which start after them: one list for each. They
// share the first run of the entry that they name, but for parameters that are private to
// one of them, which has a run of its own: in the order of the roots, and then of the
// init runs, which take one that lies before them. Where there is none, nothing is known.
func Passed(inits, roots []*Entry) (before, at [][]From) {
	runs := map[string][]int{}
	for i, e := range inits {
		if e != nil {
			runs[e.Name] = append(runs[e.Name], i)
		}
	}
	own := map[string]int{} // runs that are taken
	for _, n := range Openers(roots) {
		if n.Shared {
			own[n.Name] = 1
		}
	}
	from := func(e *Entry, end int) []From {
		var out []From
		taken := map[string]int{}
		for _, x := range e.Same {
			rs, k := runs[x.Of], 0
			if len(rs) > 0 && e.alone(x) && !inits[rs[0]].Init {
				if _, ok := taken[x.Of]; !ok {
					taken[x.Of] = own[x.Of]
					own[x.Of]++
				}
				k = taken[x.Of]
			}
			if k < len(rs) && rs[k] < end {
				out = append(out, From{Param: x.Param, Init: rs[k], OfParam: x.OfParam, Off: x.Off})
			}
		}
		return out
	}
	before, at = make([][]From, len(inits)), make([][]From, len(roots))
	for i, e := range roots {
		if e != nil {
			at[i] = from(e, len(inits))
		}
	}
	for i, e := range inits {
		if e != nil && !e.Init {
			before[i] = from(e, i)
		}
	}
	return before, at
}

// alone reports whether an entry that gets an object by x has a run of the entry it comes
// from for itself.
func (e *Entry) alone(x SameArgument) bool {
	return slices.ContainsFunc(e.Same, func(y SameArgument) bool { return y.Of == x.Of && slices.Contains(e.Private, y.Param) })
}

// Closes reports whether an entry has what another one opened for itself, and is the last
// to get it.
func (e *Entry) Closes() bool {
	return slices.ContainsFunc(e.Same, func(x SameArgument) bool { return slices.Contains(e.Private, x.Param) })
}

// Opener is an entry that roots get objects from: how many of them have one for
// themselves, and whether others share one.
type Opener struct {
	Name   string
	Own    int
	Shared bool
}

// Openers lists the entries that roots get objects from, in the order in which they are
// named.
func Openers(roots []*Entry) []Opener {
	var out []Opener
	for _, e := range roots {
		if e == nil {
			continue
		}
		seen := map[string]bool{}
		for _, x := range e.Same {
			if seen[x.Of] {
				continue
			}
			seen[x.Of] = true
			i := slices.IndexFunc(out, func(o Opener) bool { return o.Name == x.Of })
			if i < 0 {
				i = len(out)
				out = append(out, Opener{Name: x.Of})
			}
			if e.alone(x) {
				out[i].Own++
			} else {
				out[i].Shared = true
			}
		}
	}
	return out
}

// Optional tells of entries that are run before roots start whether they may be left out:
// those that are neither init entries nor there because roots get something from them.
func Optional(init, roots []*Entry) []bool {
	needed := map[string]int{}
	for _, o := range Openers(roots) {
		needed[o.Name] = o.Own
		if o.Shared {
			needed[o.Name]++
		}
	}
	out := make([]bool, len(init))
	for i, e := range init {
		if e == nil || e.Init {
			continue
		}
		out[i] = needed[e.Name] <= 0
		needed[e.Name]--
	}
	return out
}

// Bound is what Registrations.Before lists where a handler may have been registered.
func Bound(f *Func) string { return "calls " + f.Name }
