package lockset

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"whoop/diag"
	"whoop/ir"
	"whoop/seqz"
)

// Members. An entry of the program may stand for several that are alike (package crowd):
// its threads run one of them each. What is proved of a pair of such entries is proved of
// all pairs of their members. Where accesses of the two are left that may race, those of
// the members may race that may get to the functions which the accesses are in, as far as
// calls are known; the others have none of these accesses, so their pairs are proved.

// members are the entries that others stand for.
type members struct {
	f     *facts
	named []*ir.Entry
	of    map[*ir.Entry]map[*ir.Func]*ir.Entry
	// index numbers the named entries; runs are those that get to a function, by the
	// entry of the program.
	index map[*ir.Entry]int
	runs  map[*ir.Entry]map[*ir.Func]entrySet
	names map[string][]string
	// numbers are those of sets of members that get to groups, from 1 on.
	numbers map[string]int
	all     map[*ir.Entry]entrySet // see ran
	// strays are, for each named entry, a reason why nothing is proved of it.
	strays []string
	// whole are the pairs of the entries of the program, as the last report has them.
	whole []diag.Pair
	// found are the conflicts of the present pair.
	found map[conflictKey]found
}

// found is what is known of a conflict: why it is not known that it is a race, and whether
// it is one whatever more time would prove.
type found struct {
	undecided string
	firm      bool
}

// entrySet is a set of named entries, by their numbers.
type entrySet []uint64

func (s entrySet) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

func (s entrySet) numbers() []int {
	var out []int
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, i<<6+bits.TrailingZeros64(w))
		}
	}
	return out
}

func (s entrySet) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s entrySet) addAll(t entrySet) {
	for i, w := range t {
		s[i] |= w
	}
}

// conflictKey is two sets of named entries of which accesses may race.
type conflictKey struct{ first, second string }

func newMembers(f *facts, opt Options) *members {
	if len(opt.Members) == 0 {
		return nil
	}
	m := &members{f: f, named: opt.Named, of: opt.Members, index: map[*ir.Entry]int{},
		runs:  map[*ir.Entry]map[*ir.Func]entrySet{},
		names: map[string][]string{}, all: map[*ir.Entry]entrySet{}}
	for i, e := range m.named {
		m.index[e] = i
	}
	calls := map[*ir.Func][]*ir.Func{}
	for e, of := range m.of {
		runs := map[*ir.Func]entrySet{}
		m.runs[e] = runs
		for start, x := range of {
			work := []*ir.Func{start}
			for len(work) > 0 {
				fn := work[len(work)-1]
				work = work[:len(work)-1]
				s := runs[fn]
				if s == nil {
					s = m.none()
					runs[fn] = s
				}
				if s.has(m.index[x]) {
					continue
				}
				s.add(m.index[x])
				if _, known := calls[fn]; !known {
					calls[fn] = f.al.CalledBy(fn)
				}
				work = append(work, calls[fn]...)
			}
		}
	}
	m.findStrays()
	return m
}

// findStrays finds the members that get to accesses of unknown memory, or to something
// that is not understood.
func (m *members) findStrays() {
	m.strays = make([]string, len(m.named))
	why := map[*ir.Func]string{}
	for _, e := range m.f.p.Entries {
		for _, fn := range m.f.reach[e] {
			text, known := why[fn]
			if !known && (len(fn.Blocks) > 0 || fn == e.Func) {
				text = m.f.unclear(fn)
				why[fn] = text
			}
			if text == "" {
				continue
			}
			who := m.runs[e][fn]
			if who == nil {
				who = m.allOf(e)
			}
			for _, i := range who.numbers() {
				if m.strays[i] == "" {
					m.strays[i] = text
				}
			}
		}
	}
}

// unclear is a reason why nothing is proved of what runs a function; "" for most.
func (f *facts) unclear(fn *ir.Func) string {
	if as := seqz.NotUnderstood(fn, f.al); len(as) > 0 {
		return fmt.Sprintf("%s: %s", as[0].Pos, as[0].Text)
	}
	if u := f.stray(fn); u != nil {
		return strayText(u)
	}
	return ""
}

func (m *members) none() entrySet { return make(entrySet, (len(m.named)+63)/64) }

// ran are the members of an entry that get to a site.
func (m *members) ran(s *site) entrySet {
	out := m.runs[s.entry][s.origin.Func]
	if m.of[s.entry] != nil && out != nil {
		return out
	}
	if m.all[s.entry] == nil {
		m.all[s.entry] = m.allOf(s.entry)
	}
	return m.all[s.entry]
}

// allOf are the members of an entry.
func (m *members) allOf(e *ir.Entry) entrySet {
	out := m.none()
	if m.of[e] == nil {
		out.add(m.index[m.self(e)])
	}
	for _, x := range m.of[e] {
		out.add(m.index[x])
	}
	return out
}

// self is the entry of the report that an entry without members is.
func (m *members) self(e *ir.Entry) *ir.Entry {
	i := slices.IndexFunc(m.named, func(x *ir.Entry) bool { return x.Name == e.Name })
	return m.named[i]
}

// list names the entries of a set.
func (m *members) list(s entrySet) []string {
	k := setKey(s)
	if out := m.names[k]; out != nil {
		return out
	}
	var out []string
	for i, e := range m.named {
		if s.has(i) {
			out = append(out, e.Name)
		}
	}
	m.names[k] = out
	return out
}

func setKey(s entrySet) string {
	out := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for range 8 {
			out = append(out, byte(w))
			w >>= 8
		}
	}
	return string(out)
}

func setOf(k string) entrySet {
	out := make(entrySet, len(k)/8)
	for i := range len(k) {
		out[i/8] |= uint64(k[i]) << (8 * (i % 8))
	}
	return out
}

// inOrder are the pairs of entries in the order in which they are compared: those first
// that stand for most, as time may be up before the end.
func (m *members) inOrder(es []*ir.Entry) [][2]*ir.Entry {
	out := make([][2]*ir.Entry, 0, len(es)*(len(es)+1)/2)
	for i, a := range es {
		for _, b := range es[i:] {
			out = append(out, [2]*ir.Entry{a, b})
		}
	}
	if m == nil {
		return out
	}
	weight := func(p [2]*ir.Entry) int { return max(len(m.of[p[0]]), 1) * max(len(m.of[p[1]]), 1) }
	slices.SortStableFunc(out, func(p, q [2]*ir.Entry) int { return weight(q) - weight(p) })
	return out
}

// conflict notes that accesses of two groups may race, or why that is not known.
func (m *members) conflict(g, h *group, undecided string, firm bool) {
	if m == nil {
		return
	}
	k := conflictKey{m.runners(g), m.runners(h)}
	old, known := m.found[k]
	if !known || old.undecided != "" {
		old.undecided = undecided
	}
	old.firm = old.firm || firm && undecided == ""
	m.found[k] = old
}

// runners are the members that get to the sites of a group.
func (m *members) runners(g *group) string {
	if g.runs == "" {
		out := m.none()
		for _, s := range g.sites {
			out.addAll(m.ran(s))
		}
		g.runs = setKey(out)
	}
	return g.runs
}

// numberOf numbers the set of members that get to the sites of a group.
func (m *members) numberOf(g *group) int {
	if g.number == 0 {
		k := m.runners(g)
		if m.numbers == nil {
			m.numbers = map[string]int{}
		}
		if m.numbers[k] == 0 {
			m.numbers[k] = len(m.numbers) + 1
		}
		g.number = m.numbers[k]
	}
	return g.number
}

// split says of each pair of members what was found of a pair of entries.
func (m *members) split(p diag.Pair, a, b *ir.Entry, add func(first, second int, p diag.Pair)) {
	racy, firm, open, why := m.square(), m.square(), m.square(), ""
	for k, x := range m.found {
		to := racy
		if x.undecided != "" {
			to = open
			if why == "" || x.undecided < why {
				why = x.undecided
			}
		}
		first, second := setOf(k.first), setOf(k.second)
		if x.firm {
			firm.product(first, second)
			firm.product(second, first)
		}
		to.product(first, second)
		to.product(second, first)
	}
	in, with := m.allOf(a), m.allOf(b)
	others := with.numbers()
	for _, first := range in.numbers() {
		for _, second := range others {
			if first > second && in.has(second) && with.has(first) {
				continue // it comes the other way round
			}
			i, n := min(first, second), max(first, second)
			q := p
			q.First, q.Second = m.named[i].Name, m.named[n].Name
			stray := cmp.Or(m.strays[i], m.strays[n])
			if stray != "" {
				q.Doubt, q.AllMayRace = stray, true
			}
			switch {
			case racy.has(i, n):
				q.Verdict, q.Reason, q.Firm = diag.Racy, "", firm.has(i, n)
			case stray != "":
				q.Verdict, q.Reason = diag.Unknown, stray
			case p.AllMayRace && p.Doubt+p.Reason != "":
				q.Verdict, q.Reason = diag.Unknown, cmp.Or(p.Doubt, p.Reason)
			case open.has(i, n):
				q.Verdict, q.Reason, q.Doubt = diag.Unknown, why, why
			default:
				q.Verdict, q.Reason, q.Doubt, q.MayRace = diag.RaceFree, "", "", nil
			}
			add(i, n, q)
		}
	}
}

// square is a relation of named entries.
type square []entrySet

func (m *members) square() square { return make(square, len(m.named)) }

func (q square) has(i, n int) bool { return q[i] != nil && q[i].has(n) }

// product adds all pairs of an entry of the one set with one of the other.
func (q square) product(first, second entrySet) {
	for i := range q {
		if first.has(i) {
			if q[i] == nil {
				q[i] = make(entrySet, len(second))
			}
			q[i].addAll(second)
		}
	}
}

// pairs replaces the pairs of a report by those of the members.
func (m *members) pairs(rep *diag.Report, found []splitPair) {
	size := len(m.named)
	// those of an entry with itself and later ones are in a row; no name: there is none
	all := make([]diag.Pair, size*(size+1)/2)
	row := func(i int) []diag.Pair { return all[i*size-i*(i-1)/2:][:size-i] }
	for _, x := range found {
		m.found = x.conflicts
		m.split(x.pair, x.a, x.b, func(i, n int, p diag.Pair) { row(i)[n-i] = p })
	}
	excluded := rep.Excluded
	rep.Pairs, rep.Excluded, rep.Entries = nil, nil, m.named
	why := map[[2]int]string{}
	byName := map[string]*ir.Entry{}
	for _, e := range m.f.p.Entries {
		byName[e.Name] = e
	}
	for _, x := range excluded {
		m.found = nil
		m.split(diag.Pair{}, byName[x.A], byName[x.B], func(i, n int, _ diag.Pair) {
			why[[2]int{i, n}] = x.Reason
		})
	}
	for i, a := range m.named {
		for n, b := range m.named[i:] {
			if row(i)[n].First != "" {
				continue
			}
			if reason, ok := why[[2]int{i, i + n}]; ok {
				rep.Excluded = append(rep.Excluded, ir.Exclusion{A: a.Name, B: b.Name, Reason: reason})
			}
		}
	}
	rep.Pairs = slices.DeleteFunc(all, func(p diag.Pair) bool { return p.First == "" })
}

// splitPair is a pair of entries with the conflicts of its members.
type splitPair struct {
	pair      diag.Pair
	a, b      *ir.Entry
	conflicts map[conflictKey]found
}

// runner is the member that runs a site, with the calls that lead there from it; the entry
// itself where it stands for no others.
func (m *members) runner(s *site) (*ir.Entry, []seqz.Frame) {
	calls := s.origin.Calls
	if m != nil && len(calls) > 0 {
		if e := m.of[s.entry][calls[0].Func]; e != nil {
			return e, calls[1:]
		}
	}
	return s.entry, calls
}

// nameOf names a member of an entry that gets to a function.
func (m *members) nameOf(e *ir.Entry, fn *ir.Func) string {
	if m == nil || m.runs[e][fn] == nil {
		return e.Name
	}
	return m.list(m.runs[e][fn])[0]
}

// Only is what a report says about some pairs, each as "a,b".
func Only(rep *diag.Report, of []string) *diag.Report {
	out := *rep
	out.Pairs, out.Excluded = slices.Clone(rep.Pairs), slices.Clone(rep.Excluded)
	out.Looked = diag.Looked{}
	onlyWanted(&out, of)
	return &out
}

// onlyWanted leaves in a report what is about some pairs.
func onlyWanted(rep *diag.Report, of []string) {
	want := newPairSet(of)
	rep.Pairs = slices.DeleteFunc(rep.Pairs, func(p diag.Pair) bool {
		return !want.has(p.First, p.Second)
	})
	rep.Excluded = slices.DeleteFunc(rep.Excluded, func(x ir.Exclusion) bool {
		return !want.has(x.A, x.B)
	})
	var races []diag.Race
	for _, x := range rep.Races {
		var among []diag.Among
		for _, a := range x.Among {
			among = append(among, want.restrict(a)...)
		}
		var ps []string
		for _, p := range x.Pairs {
			if a, b, _ := diag.CutPair(p); want.has(a, b) {
				ps = append(ps, p)
			}
		}
		x.Among, x.Pairs = among, ps
		if !want.has(x.First.Entry, x.Second.Entry) {
			first, second := "", ""
			switch {
			case len(ps) > 0:
				first, second, _ = diag.CutPair(ps[0])
			case len(among) > 0:
				first, second = among[0].First[0], among[0].Second[0]
			default:
				continue
			}
			runBy(&x.First, first)
			runBy(&x.Second, second)
		}
		races = append(races, x)
	}
	rep.Races = races
}

// runBy makes another entry the one of an access; by which calls it gets there is not said.
func runBy(a *diag.Access, entry string) {
	if a.Entry != entry {
		a.Entry, a.Calls = entry, nil
	}
}

// pairSet is pairs of entries, whichever comes first in them.
type pairSet struct {
	number map[string]int
	with   []entrySet
}

func newPairSet(of []string) *pairSet {
	s := &pairSet{number: map[string]int{}}
	ends := make([][2]int, len(of))
	for i, p := range of {
		a, b, _ := diag.CutPair(p)
		for k, name := range []string{a, b} {
			if _, known := s.number[name]; !known {
				s.number[name] = len(s.number)
			}
			ends[i][k] = s.number[name]
		}
	}
	for range s.number {
		s.with = append(s.with, s.none())
	}
	for _, x := range ends {
		s.with[x[0]].add(x[1])
		s.with[x[1]].add(x[0])
	}
	return s
}

func (s *pairSet) none() entrySet { return make(entrySet, (len(s.number)+63)/64) }

func (s *pairSet) has(a, b string) bool {
	i, known := s.number[a]
	k, also := s.number[b]
	return known && also && s.with[i].has(k)
}

// restrict divides pairs into those that are in the set.
func (s *pairSet) restrict(m diag.Among) []diag.Among {
	second := s.none()
	for _, b := range m.Second {
		if k, known := s.number[b]; known {
			second.add(k)
		}
	}
	var out []diag.Among
	at := map[string]int{}
	for _, a := range m.First {
		i, known := s.number[a]
		if !known {
			continue
		}
		both, some := s.none(), false
		for w := range both {
			both[w] = second[w] & s.with[i][w]
			some = some || both[w] != 0
		}
		if !some {
			continue
		}
		n, seen := at[setKey(both)]
		if !seen {
			n = len(out)
			at[setKey(both)] = n
			with := slices.DeleteFunc(slices.Clone(m.Second), func(b string) bool {
				k, known := s.number[b]
				return !known || !both.has(k)
			})
			out = append(out, diag.Among{Second: with})
		}
		out[n].First = append(out[n].First, a)
	}
	return out
}
