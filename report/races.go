package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// raceGroup is the races on one field: one thing to look at. The first of them is shown,
// the most telling one; of the others, where they are.
type raceGroup struct {
	field string
	races []diag.Race
	guard diag.Guard // Held is 0 where there is none
	rank  int
}

// groupRaces gathers races by their fields, the most telling first: in the groups, and
// among them. Those come first of which it is known that both sides have the same object,
// and where a lock is held at half of the places at least. Before all of these come races
// that executions show, then memory that is freed while another one may use it; last,
// what only users write who set a module's parameters.
func groupRaces(r *diag.Report) []raceGroup {
	entries := map[string]*ir.Entry{}
	for _, e := range r.Entries {
		entries[e.Name] = e
	}
	guards := map[string]diag.Guard{}
	for _, g := range r.Guards {
		guards[g.Field] = g
	}
	var out []raceGroup
	of, at := programOf(r), map[string][]int{}
	for _, x := range r.Races {
		f := fieldOf(x)
		k := slices.IndexFunc(at[f], func(i int) bool { return out[i].shares(x, of) })
		if k < 0 {
			k = len(at[f])
			at[f] = append(at[f], len(out))
			out = append(out, raceGroup{field: f, guard: guards[f]})
		}
		g := &out[at[f][k]]
		g.races = append(g.races, x)
	}
	for i := range out {
		g := &out[i]
		slices.SortStableFunc(g.races, func(a, b diag.Race) int {
			return cmp.Or(weight(b, entries)-weight(a, entries), tells(b)-tells(a))
		})
		g.rank = tells(g.races[0])
		if g.guard.Held*2 >= g.guard.Places && g.guard.Held > 0 {
			g.rank += 20
		}
		if g.races[0].Same {
			g.rank += 100
		}
		g.rank += weight(g.races[0], entries)
	}
	slices.SortStableFunc(out, func(a, b raceGroup) int { return b.rank - a.rank })
	return out
}

// shares reports whether a race on a field of the same name is on that of the group: of
// several programs, two may have a variable of one name, in files of their own.
func (g *raceGroup) shares(x diag.Race, of map[string]int) bool {
	y := g.races[0]
	return len(of) == 0 || of[x.First.Entry] == of[y.First.Entry] ||
		x.First.Pos.File == y.First.Pos.File || x.Second.Pos.File == y.Second.Pos.File
}

// weight says how grave a race is before all else: memory that is freed, or a module that
// ends, first where a device is removed, then where one could not be set up; what is in
// headers later; parameters of a module last.
func weight(x diag.Race, entries map[string]*ir.Entry) int {
	n := 0
	if x.Confirmed != nil {
		n += 20000
	}
	headers := true
	for _, a := range []diag.Access{x.First, x.Second} {
		e := entries[a.Entry]
		headers = headers && strings.HasSuffix(a.Pos.File, ".h")
		switch {
		case a.Kind == "free" || x.Region == ir.ModuleCode && writes(a):
			n += 2000
			if e != nil && !e.Init {
				n += 500
			}
		case e != nil && e.Kind == ir.ParameterKind:
			n -= 5000
		}
	}
	if headers {
		n -= 200
	}
	return n
}

// fieldOf is what a race is on, for those who look at it.
func fieldOf(x diag.Race) string {
	if x.Field != "" {
		return x.Field
	}
	return x.Region
}

// kindOf is the kind of a race; reports that were made elsewhere may not say it.
func kindOf(x diag.Race) string {
	if x.Kind == "" {
		return diag.DataRace
	}
	return x.Kind
}

// tells is how much a race says: most, if a place without a lock writes what another one
// has a lock for; less, if both have none, where each may have an object of its own, and
// where one has to go far to get to them.
func tells(x diag.Race) int {
	n := 0
	if x.Same {
		n += 20
	}
	a, b := x.First, x.Second
	if len(b.Locks) < len(a.Locks) {
		a, b = b, a
	}
	switch {
	case len(a.Locks) == 0 && len(b.Locks) > 0 && writes(b):
		n += 40
	case len(a.Locks) == 0 && len(b.Locks) > 0:
		n += 30
	case len(a.Locks) == 0:
		n += 10
	default:
		n += 20
	}
	if writes(a) && writes(b) {
		n += 4
	}
	return n - 3*min(max(len(a.Calls), len(b.Calls)), 9)
}

// writes reports whether an access is not just a read.
func writes(a diag.Access) bool {
	return !strings.HasSuffix(a.Kind, "read") && !slices.Contains([]ir.Operation{ir.OpSend, ir.OpAdd, ir.OpReuse}, ir.Operation(a.Kind))
}

// rest prints what there is of a group but its first race.
func (t *text) rest(g raceGroup) {
	if !g.races[0].Same {
		t.printf("  it is not known that both have the same object\n")
	}
	if pairs, n := g.pairs(); n > 1 {
		t.printf("  also: %s\n", t.someOf(pairs[1:], n-1, "; ", maxAlsoPairs, "more pairs of entry points"))
	}
	if g.guard.Held > 0 && g.guard.Held < g.guard.Places {
		t.printf("  %s is held at %d of %s\n", plainField(g.guard.Lock), g.guard.Held, plural(g.guard.Places, "place"))
	}
	reads, changes := g.places()
	if len(g.races) > 1 {
		t.printf("  %s on it\n", plural(len(g.races)-1, "more race"))
	}
	if len(changes) > 0 {
		t.printf("    writes at %s\n", t.places(changes))
	}
	if len(reads) > 0 {
		t.printf("    reads at %s\n", t.places(reads))
	}
}

// pairs lists the pairs of entry points that have races of the group, that of the first
// race first, the first maxPairList of them; n is how many there are.
func (g *raceGroup) pairs() (list []string, n int) {
	l := listPairs(g.races)
	return l.list, l.count()
}

// places lists the places of the group's races but those of the first.
func (g *raceGroup) places() (reads, changes []ir.Pos) {
	seen := map[ir.Pos]bool{g.races[0].First.Pos: true, g.races[0].Second.Pos: true}
	for _, x := range g.races[1:] {
		for _, a := range []diag.Access{x.First, x.Second} {
			switch {
			case seen[a.Pos]:
			case writes(a):
				changes = append(changes, a.Pos)
			default:
				reads = append(reads, a.Pos)
			}
			seen[a.Pos] = true
		}
	}
	slices.SortFunc(reads, ir.Pos.Compare)
	slices.SortFunc(changes, ir.Pos.Compare)
	return reads, changes
}

// How many places, and further pairs of entry points, of a group are listed by default.
const (
	maxListed    = 6
	maxAlsoPairs = 2
)

// some joins a list, cut after some where not everything is asked for.
func (t *text) some(list []string, sep string, some int, more string) string {
	return t.someOf(list, len(list), sep, some, more)
}

// someOf is some for a list that has the first of all.
func (t *text) someOf(list []string, all int, sep string, some int, more string) string {
	if n := all - some; !t.opt.All && n > 1 {
		return fmt.Sprintf("%s%sand %d %s", strings.Join(list[:some], sep), sep, n, more)
	}
	return strings.Join(list, sep)
}

// places lists positions, the file said once where it does not change.
func (t *text) places(ps []ir.Pos) string {
	var out []string
	file := ""
	for _, p := range ps {
		if p.File != file || p.Line == 0 {
			out = append(out, p.String())
			file = p.File
		} else {
			out = append(out, fmt.Sprintf("%d:%d", p.Line, p.Col))
		}
	}
	return t.some(out, ", ", maxListed, "more places")
}

// short is a group in one line.
func (t *text) short(n int, g raceGroup) {
	x := g.races[0]
	t.printf("race %d on %s: %s at %s, %s at %s", n, plainField(g.field), x.First.Kind, x.First.Pos, x.Second.Kind, x.Second.Pos)
	var more []string
	if k := len(g.races) - 1; k > 0 {
		more = append(more, plural(k, "more race"))
	}
	if _, k := g.pairs(); k > 1 {
		more = append(more, plural(k, "pair")+" of entry points")
	}
	if len(more) > 0 {
		t.printf(" (%s)", strings.Join(more, ", "))
	}
	t.printf("\n")
}
