package lockset

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
)

// group is the sites of one entry that are alike in all that decides a race but their
// places: the regions, the kind of access, what is held. Pairs compare groups; an entry
// with coarse accesses has thousands of sites in few groups.
type group struct {
	// sites are one for each place and class: what may be a race depends on nothing else.
	sites   []*site
	id      int // in the order of the entry's groups
	regions []*alias.Region
	set     int               // equal for groups with the same regions
	runs    string            // see members.runners; "": not asked for yet
	number  int               // see members.numberOf; 0: not asked for yet
	places  map[ir.Instr]bool // see judge.places
	given   int               // the last pair that all its accesses were given up for
}

// grouping is the groups of an entry, and by region.
type grouping struct {
	all []*group
	by  map[*alias.Region][]*group
}

// groups returns the groups of an entry's sites, without dead ones, in the order of their
// first sites.
func (j *comparer) groups(s *summary) []*group { return j.grouping(s).all }

func (j *comparer) grouping(s *summary) *grouping {
	if g := j.grouped[s]; g != nil {
		return g
	}
	out := &grouping{by: map[*alias.Region][]*group{}}
	known, seen := map[siteKind]*group{}, map[placeKey]bool{}
	for _, st := range s.sites {
		if st.dead {
			continue
		}
		k := j.kindOf(st)
		g := known[k]
		if g == nil {
			g = &group{id: len(out.all), regions: st.regions, set: k.set}
			known[k] = g
			out.all = append(out.all, g)
			for _, r := range g.regions {
				out.by[r] = append(out.by[r], g)
			}
		}
		if at := (placeKey{g, st.origin.Instr, st.pos(), st.class}); !seen[at] {
			seen[at] = true
			g.sites = append(g.sites, st)
		}
	}
	j.grouped[s] = out
	return out
}

// placeKey is a place of a group, of which an instruction may have several operands.
type placeKey struct {
	g     *group
	in    ir.Instr
	at    ir.Pos
	class int
}

// pos is where a site is in the source: the call, for code that has no place of its own.
func (s *site) pos() ir.Pos {
	at := s.origin.Instr.At()
	for i := len(s.origin.Calls) - 1; i >= 0 && at.Line == 0; i-- {
		at = s.origin.Calls[i].Call
	}
	return at
}

// siteKind is equal for sites of an entry that belong to one group.
type siteKind struct {
	set                              int
	use, ends, write, unseen, atomic bool
	undecided, locks                 string
}

// kindOf is the kind of a site.
func (j *comparer) kindOf(s *site) siteKind {
	var locks []string
	for fn, m := range s.held {
		locks = append(locks, fmt.Sprintf("%d%s", fn.id, m))
	}
	sort.Strings(locks)
	return siteKind{j.setOf(s.regions), s.acc.Use, s.acc.Ends, s.acc.Write, s.acc.Unseen,
		s.acc.Order.Atomic(), s.undecided, strings.Join(locks, " ")}
}

// regionsKey is equal for equal lists of regions.
func regionsKey(rs []*alias.Region) string {
	var b []byte
	for _, r := range rs {
		b = binary.AppendUvarint(b, uint64(r.ID))
	}
	return string(b)
}

// setOf numbers a list of regions.
func (j *comparer) setOf(rs []*alias.Region) int {
	at := listOf(rs)
	if n, known := j.lists[at]; known {
		return n
	}
	n := j.newSet(rs)
	j.lists[at] = n
	return n
}

// newSet is setOf for a list that was not asked for yet; there may be equal ones.
func (j *comparer) newSet(rs []*alias.Region) int {
	k := regionsKey(rs)
	n, known := j.sets[k]
	if !known {
		n = len(j.sets)
		j.sets[k] = n
	}
	return n
}

// meetKey asks which groups of an entry share one of a list of regions.
type meetKey struct {
	set  int
	with *summary
}

// meeting lists the groups of an entry that share a region with g. Coarse accesses have
// thousands of regions, and few lists of them.
func (j *comparer) meeting(g *group, s *summary) []*group {
	by := j.grouping(s).by
	if len(g.regions) == 1 {
		return by[g.regions[0]]
	}
	k := meetKey{g.set, s}
	out, ok := j.meetings[k]
	if !ok {
		out = meet(g, by)
		j.meetings[k] = out
	}
	return out
}

func meet(g *group, by map[*alias.Region][]*group) []*group {
	seen := map[*group]bool{}
	var out []*group
	for _, r := range g.regions {
		for _, h := range by[r] {
			if !seen[h] {
				seen[h] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// saysNothingNew reports whether it is known that the members that get to two groups race
// with each other, and on which memory: thousands of groups of hundreds of members are
// millions of comparisons that say that again.
func (j *comparer) saysNothingNew(g, h *group) bool {
	if j.members == nil || !j.settled[j.whose(g, h)] {
		return false
	}
	c := j.commons[[2]int{g.set, h.set}]
	return c != nil && c.marked || len(j.calm(g)) == 0 || len(j.calm(h)) == 0
}

// whose numbers the sets of members that get to two groups.
func (j *comparer) whose(g, h *group) [2]int {
	a, b := j.members.numberOf(g), j.members.numberOf(h)
	return [2]int{min(a, b), max(a, b)}
}

// compare looks for sites of two groups that nothing orders: how many, or why it is not
// known.
func (j *comparer) compare(g, h *group) (races int, undecided string) {
	if !j.overlap(g, h) {
		return 0, ""
	}
	firm := false
	defer func() {
		if j.firm = j.firm || firm; races > 0 && undecided == "" && j.members != nil {
			j.settled[j.whose(g, h)] = true
		}
		if races > 0 || undecided != "" {
			j.members.conflict(g, h, undecided, firm)
		}
	}()
	most, shared := j.most(), (*alias.Region)(nil)
	surely := j.surely(g, h)
	marked := make([]bool, len(h.sites)) // those that are in j.may
	for _, s := range g.sites {
		class, meet, first := -1, false, true
		for i, t := range h.sites {
			if t.class != class {
				class, meet = t.class, j.with.together(s.class, t.class, false)
			}
			if !meet || elsewhere(*s.acc, *t.acc) {
				continue
			}
			if first {
				j.may[s.origin.Instr], first = true, false
			}
			if !marked[i] {
				j.may[t.origin.Instr], marked[i] = true, true
			}
			if (s.undecided != "" || t.undecided != "") && !(j.locksAlone && j.bare(s, t)) {
				j.mayAll(g, h)
				return races, "the solver did not decide which locks are held: " + cmp.Or(s.undecided, t.undecided)
			}
			if !surely(s, t) {
				j.mayAll(g, h)
				return races, j.guess(s.entry, t.entry)
			}
			firm = firm || j.f.p.TypeSafe && j.bare(s, t)
			races++
			if races == 1 {
				j.markRacy(g, h)
				shared = j.common(g, h).first
			}
			if races > most || j.members != nil && len(j.rep.Races) >= allRaces {
				j.cut++
				j.mayAll(g, h)
				return races, ""
			}
			j.race(shared, s, t)
		}
	}
	return races, ""
}

// bare reports whether no lock can be held at one of two sites, whatever is proved.
func (j *comparer) bare(s, t *site) bool {
	u := j.f.unlocked()
	return !u.mayHold(s.origin.Func, s.origin.Instr) || !u.mayHold(t.origin.Func, t.origin.Instr)
}

// surely tells whether sites of two groups may run in parallel whatever functions that are
// not understood do: where the places do not matter, that is asked once.
func (j *comparer) surely(g, h *group) func(s, t *site) bool {
	if first, second := g.sites[0].entry, h.sites[0].entry; j.anywhere(first, second) {
		yes := j.answerOf(first, second).surely
		return func(*site, *site) bool { return yes }
	}
	return func(s, t *site) bool {
		return j.f.mh.Surely(s.entry, s.origin.Instr, t.entry, t.origin.Instr)
	}
}

// anywhere reports whether the places in two entries do not matter for what runs in
// parallel.
func (j *comparer) anywhere(a, b *ir.Entry) bool {
	return j.f.mh.Anywhere(a) && j.f.mh.Anywhere(b)
}

// sideBySide is whether two entries run in parallel, wherever they are, and whether they do
// so whatever functions that are not understood do.
type sideBySide struct{ may, surely bool }

// answerOf asks once for two entries in which places do not matter.
func (j *comparer) answerOf(a, b *ir.Entry) sideBySide {
	k := [2]*ir.Entry{a, b}
	out, known := j.answers[k]
	if !known {
		out.may, _ = j.f.mh.Parallel(a, nil, b, nil)
		out.surely = j.f.mh.Surely(a, nil, b, nil)
		j.answers[k] = out
	}
	return out
}

// guess says why two entries may overlap of which nothing that was seen says that they
// do.
func (j *comparer) guess(a, b *ir.Entry) string {
	for _, e := range slices.Concat([]*ir.Entry{a, b}, j.f.p.Entries) {
		if f := j.unseen(e); f != nil {
			return fmt.Sprintf("%s: %s is not understood, and may start threads: %s", f.Pos, f.Title(), f.Unknown)
		}
	}
	return fmt.Sprintf("%s and %s overlap only if a function that is not known starts threads", a.Name, b.Name)
}

// elsewhere reports whether two accesses are at fixed addresses, of different bytes of
// one variable: two[0] and two[1].
func elsewhere(a, b alias.Access) bool {
	if a.Addr == nil || b.Addr == nil || a.Size <= 0 || b.Size <= 0 {
		return false
	}
	g, i, ok := constAddr(a.Addr)
	h, k, ok2 := constAddr(b.Addr)
	return ok && ok2 && g == h && (i+a.Size <= k || k+b.Size <= i)
}

// overlap reports whether any two sites of two groups may run in parallel.
func (j *comparer) overlap(g, h *group) bool {
	if first, second := g.sites[0].entry, h.sites[0].entry; j.anywhere(first, second) {
		return j.answerOf(first, second).may
	}
	for s := range j.places(g) {
		for t := range j.places(h) {
			if ok, _ := j.f.mh.Parallel(g.sites[0].entry, s, h.sites[0].entry, t); ok {
				return true
			}
		}
	}
	return false
}

// places are instructions that stand for those of a group where it matters what runs in
// parallel.
func (j *comparer) places(g *group) map[ir.Instr]bool {
	if g.places == nil {
		g.places = map[ir.Instr]bool{}
		for _, s := range g.sites {
			g.places[j.f.mh.Place(s.entry, s.origin.Instr)] = true
		}
	}
	return g.places
}

// mayAll gives up on all accesses of two groups.
func (j *comparer) mayAll(gs ...*group) {
	for _, g := range gs {
		if g.given == j.pairs {
			continue
		}
		g.given = j.pairs
		for _, s := range g.sites {
			j.may[s.origin.Instr] = true
		}
	}
}

// inBoth is what two lists of regions have in common.
type inBoth struct {
	first *alias.Region
	// outside: all of it are objects of types that the program does not know.
	outside bool
	marked  bool // see markRacy
}

// common looks at each two lists once: groups have few of them.
func (j *comparer) common(g, h *group) *inBoth {
	k := [2]int{g.set, h.set}
	c := j.commons[k]
	if c != nil {
		return c
	}
	c = &inBoth{outside: true}
	j.commons[k] = c
	eachCommon(g.regions, h.regions, func(r *alias.Region) bool {
		if c.first == nil {
			c.first = r
		}
		c.outside = !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool {
			return o.Kind != alias.KindExtern || !ir.Equal(o.Type, ir.Void{})
		})
		return c.outside
	})
	return c
}

// markRacy notes the regions that two groups share. Of lists with thousands of regions
// those are gone through that are not noted yet.
func (j *comparer) markRacy(g, h *group) {
	c := j.common(g, h)
	if c.marked {
		return
	}
	c.marked = true
	eachCommon(j.calm(g), j.calm(h), func(r *alias.Region) bool {
		j.racy[r] = true
		return true
	})
}

// calm are the regions of a group on which no race was found yet.
func (j *comparer) calm(g *group) []*alias.Region {
	old, known := j.left[g.set]
	if !known {
		old = g.regions
	}
	if known && len(old) == 0 {
		return nil
	}
	var out []*alias.Region
	for _, r := range old {
		if !j.racy[r] {
			out = append(out, r)
		}
	}
	j.left[g.set] = out
	return out
}

// eachCommon goes through the regions of both lists, which are ordered by ID, as long as
// do says so.
func eachCommon(a, b []*alias.Region, do func(*alias.Region) bool) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			if !do(a[i]) {
				return
			}
			i, k = i+1, k+1
		case a[i].ID < b[k].ID:
			i++
		default:
			k++
		}
	}
}
