package lockset

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/ir"
)

// maxRaces is how many races are reported for one group of accesses and one pair, fewer
// where a pair stands for many, allRaces for all; what comes after them helps nobody.
const (
	maxRaces        = 400
	maxMembersRaces = 40
	allRaces        = 20000
)

// manyCompared is how often groups of a pair are compared before those are left out that
// say nothing new.
const manyCompared = 100_000

// comparing is how long summaries may be compared when the time is up already: what is
// known is worth that.
const comparing = time.Second

// general are the assumptions behind every proof; docs/explanation/soundness.md gives the
// reasons.
var general = []ir.Assumption{
	{Kind: "memory-safety", Text: "pointers and array indices stay within their objects; freed memory is not used"},
	{Kind: "lock-discipline", Text: "a lock is released by the thread that holds it, and only when it is held; locks are initialised before use, and no part of one is written as memory"},
	{Kind: "memory-model", Text: "memory is sequentially consistent: who finds an object that was published sees what was written to it before"},
	{Kind: "address-stability", Text: "a heap object freed during a run of an entry point is not replaced by another at the same address within that run"},
}

// comparer compares summaries.
type comparer struct {
	f      *facts
	with   *partners
	l      *locks
	sums   map[*ir.Entry]*summary
	rep    *diag.Report
	racy   map[*alias.Region]bool
	cut    int               // races left out by maxRaces
	known  map[[2]int32]int  // the races reported, by their places
	paired map[racePair]bool // the pairs of entries noted for them
	access map[*site]*shownAccess
	// numbers of places and names of entries
	placeIDs map[racePlace]int32
	nameIDs  map[string]int32
	// pairNames are the names of pairs of entries, by the numbers of their names.
	pairNames map[[2]int32]string
	grouped   map[*summary]*grouping
	meetings  map[meetKey][]*group
	late      func() error      // why there is no more time for comparing; nil while there is
	may       map[ir.Instr]bool // of the pair: accesses not proved not to race
	members   *members
	among     map[amongKey]bool
	sets      map[string]int     // numbers of lists of regions
	lists     map[list]int       // the same by where they are
	commons   map[[2]int]*inBoth // of two such lists
	// pairs is how many were compared so far: see mayAll. answers are those of answerOf,
	// left those of calm by the numbers of lists of regions.
	pairs    int
	answers  map[[2]*ir.Entry]sideBySide
	left     map[int][]*alias.Region
	unseenBy map[*ir.Entry]*ir.Func // see unseen
	// doubted are the locks with a release that is not proved to be by the holder; leans
	// is such a release, of a lock that the pair's proof needs, nil where there is none.
	doubted map[*guard]ir.Instr
	leans   ir.Instr
	// compared is how many groups of the pair were compared with another one. settled are
	// the sets of members of which all pairs are racy: see saysNothingNew.
	compared int
	settled  map[[2]int]bool
	// firm: the pair has a race that more time does not exclude. locksAlone: see Options.
	firm, locksAlone bool
	where            whereabouts
}

// pairs makes the report: a verdict for each pair that may overlap, and the races.
func pairs(ctx context.Context, f *facts, l *locks, with *partners, sums map[*ir.Entry]*summary,
	m *members, opt Options) *diag.Report {
	j := &comparer{f: f, with: with, l: l, sums: sums, locksAlone: opt.LocksAlone, rep: &diag.Report{Entries: f.p.Entries}, racy: map[*alias.Region]bool{}, known: map[[2]int32]int{}, paired: map[racePair]bool{},
		access: map[*site]*shownAccess{}, placeIDs: map[racePlace]int32{}, nameIDs: map[string]int32{}, pairNames: map[[2]int32]string{}, grouped: map[*summary]*grouping{}, meetings: map[meetKey][]*group{}, members: m, among: map[amongKey]bool{}, sets: map[string]int{}, lists: map[list]int{}, commons: map[[2]int]*inBoth{},
		answers: map[[2]*ir.Entry]sideBySide{}, left: map[int][]*alias.Region{},
		unseenBy: map[*ir.Entry]*ir.Func{}, where: whereabouts{f: f, cfgs: map[*ir.Func]*ir.CFG{}}}
	want, grace := wanted(opt.Pairs), time.Now().Add(comparing)
	j.late = func() error {
		if time.Now().Before(grace) {
			return nil
		}
		return ctx.Err()
	}
	if err := j.dropTokens(opt.ProveLockUsage); err != nil {
		return undecidedIn(f.p, opt, fmt.Sprintf("which locks are made anew was not found out in time: %v", outOfTime{err}))
	}
	var split []splitPair
	if m != nil {
		m.found = map[conflictKey]found{}
	}
	add := func(p diag.Pair, a, b *ir.Entry) {
		j.rep.Pairs = append(j.rep.Pairs, p)
		if j.members != nil {
			split = append(split, splitPair{p, a, b, j.members.found})
			j.members.found = map[conflictKey]found{}
		}
	}
	for _, e := range f.p.Entries {
		j.rep.Counters.Add(sums[e].counters)
	}
	all := m.inOrder(f.p.Entries)
	for done, p := range all {
		a, b := p[0], p[1]
		if opt.Progress != nil {
			opt.Progress(done+1, len(all), "pairs")
		}
		if m == nil && want != nil && !want[[2]string{a.Name, b.Name}] && !want[[2]string{b.Name, a.Name}] {
			continue
		}
		if ok, why := f.mh.Entries(a, b); !ok {
			j.rep.Excluded = append(j.rep.Excluded, ir.Exclusion{A: a.Name, B: b.Name, Reason: why})
			continue
		}
		if err := j.late(); err != nil {
			add(diag.Pair{First: a.Name, Second: b.Name, Verdict: diag.Unknown,
				AllMayRace: true, Cut: true, Reason: "not compared: " + outOfTime{err}.Error()}, a, b)
			continue
		}
		add(j.pair(sums[a], sums[b]), a, b)
	}
	if j.rep.Chosen = want != nil; !j.rep.Chosen {
		j.unseenThreads(add)
	}
	for _, a := range general {
		if a.Kind == "lock-discipline" && opt.ProveLockUsage {
			a.Text = "locks are initialised before use, and no part of one is written as memory"
		}
		j.rep.Assumptions = append(j.rep.Assumptions, a)
	}
	if opt.Uniprocessor {
		j.rep.Assumptions = append(j.rep.Assumptions, ir.Assumption{Kind: "uniprocessor", Text: "there is one processor, and handlers run with interrupts off: disabling interrupts excludes them"})
	}
	j.rep.Assumptions = append(j.rep.Assumptions, f.p.Assumptions...)
	j.rep.Assumptions = append(j.rep.Assumptions, f.al.Assumptions()...)
	j.rep.Assumptions = append(j.rep.Assumptions, j.sessionAssumptions()...)
	j.rep.Assumptions = append(j.rep.Assumptions, j.roundAssumptions()...)
	if j.rep.Cut = j.cut; j.cut > 0 {
		j.rep.Notes = append(j.rep.Notes, j.leftOut())
	}
	j.rep.Regions = diag.Regions{Total: f.shared, Racy: len(j.racy)}
	j.rep.Guards = j.guards()
	if j.members != nil {
		j.members.whole = slices.Clone(j.rep.Pairs)
		j.members.pairs(j.rep, split)
		if want != nil {
			onlyWanted(j.rep, opt.Pairs)
		}
	}
	if opt.Together != "" {
		undecide(j.rep, opt.Together)
	}
	j.rep.Finish()
	return j.rep
}

// undecide makes what may be a race unknown: it was not found out whether the places are
// the same.
func undecide(rep *diag.Report, why string) {
	for i := range rep.Pairs {
		if p := &rep.Pairs[i]; p.Verdict == diag.Racy {
			p.Verdict, p.Reason, p.Cut = diag.Unknown, why, true
		}
	}
	rep.Races, rep.Guards, rep.Cut, rep.Regions.Racy = nil, nil, 0, 0
}

// unseenThreads adds that it is not known what runs beside a main function that is
// compared with nothing, where it calls a function that is not understood: that one may
// start threads.
func (j *comparer) unseenThreads(add func(p diag.Pair, a, b *ir.Entry)) {
	for _, e := range j.f.p.Entries {
		f := j.unseen(e)
		if e.Kind != "main" || f == nil || slices.ContainsFunc(j.rep.Pairs, func(p diag.Pair) bool { return p.First == e.Name || p.Second == e.Name }) {
			continue
		}
		why := fmt.Sprintf("%s: %s is not understood, and may start threads: %s", f.Pos, f.Name, f.Unknown)
		add(diag.Pair{First: e.Name, Second: e.Name, Verdict: diag.Unknown, AllMayRace: true, Reason: why, MayRace: map[ir.Instr]bool{}}, e, e)
	}
}

// unseen is a function that the entry may run without its body being known, nil where
// there is none.
func (j *comparer) unseen(e *ir.Entry) *ir.Func {
	f, known := j.unseenBy[e]
	if !known {
		f = j.f.unseen(e)
		j.unseenBy[e] = f
	}
	return f
}

func (f *facts) unseen(e *ir.Entry) *ir.Func {
	if e.Func.Unknown != "" {
		return e.Func
	}
	for _, fn := range f.reach[e] {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, x := range ir.Operands(in) {
					if g, ok := x.(ir.FuncAddr); ok && g.Func.Unknown != "" {
						return g.Func
					}
				}
			}
		}
	}
	return nil
}

// dropTokens takes back the tokens of which some hand-over is not proved, and the
// semaphores of which some post, with discipline the locks of which some release, is not
// by the holder; an entry that was not analysed may hand over or post any.
func (j *comparer) dropTokens(discipline bool) error {
	lost, all := map[*guard]bool{}, false
	good := discipline
	if discipline {
		var err error
		if lost, good, err = j.l.remade(j.late); err != nil {
			return err
		}
	} else {
		anew, err := j.l.madeAnew(j.late)
		if err != nil {
			return err
		}
		told := map[ir.Instr]bool{}
		for _, fn := range j.l.list {
			m, ok := anew[fn]
			if !ok {
				continue
			}
			lost[fn] = true
			if !told[m.in] { // one lock may be known by several lock functions
				told[m.in] = true
				j.rep.Notes = append(j.rep.Notes, m.explain(j.f.title(fn.name)))
			}
		}
	}
	j.doubted = map[*guard]ir.Instr{}
	for _, e := range j.f.p.Entries {
		s := j.sums[e]
		for fn, in := range s.doubted {
			if j.doubted[fn] == nil {
				j.doubted[fn] = in
			}
		}
		all, good = all || s.sketched || len(s.unknown) > 0, good && !s.misused
		for fn := range s.lost {
			lost[fn] = true
		}
	}
	var void []*guard
	for _, fn := range j.l.list {
		if t, ok := fn.theory.(voider); ok && t.void(j, fn, lost) {
			void = append(void, fn)
		}
	}
	for _, fn := range void {
		lost[fn] = true
	}
	j.rep.Disciplined = good && !all
	short := j.cutShort()
	for _, s := range j.sums {
		for _, st := range s.sites {
			for fn := range st.held {
				if lost[fn] || all && (fn.theory.traits().everywhere || discipline && isLock(fn)) {
					delete(st.held, fn)
					if st.undecided == "" {
						st.undecided = short
					}
				}
			}
		}
	}
	return nil
}

// cutShort says why it was not found out whether some entry hands over what it owes; ""
// where each was analysed to the end.
func (j *comparer) cutShort() string {
	for _, e := range j.f.p.Entries {
		if s := j.sums[e]; s.cut != nil && !j.locksAlone {
			return fmt.Sprintf("%s was not analysed to the end: %v", e.Name, s.cut)
		}
	}
	return ""
}

func wanted(ps []string) map[[2]string]bool {
	if len(ps) == 0 {
		return nil
	}
	out := map[[2]string]bool{}
	for _, p := range ps {
		a, b, _ := diag.CutPair(p)
		out[[2]string{a, b}] = true
	}
	return out
}

// pair compares the accesses of two entries, region by region.
func (j *comparer) pair(a, b *summary) diag.Pair {
	p := diag.Pair{First: a.entry.Name, Second: b.entry.Name, Verdict: diag.RaceFree, MayRace: map[ir.Instr]bool{}}
	j.may, j.leans, j.firm, j.compared = p.MayRace, nil, false, 0
	j.settled = map[[2]int]bool{}
	j.pairs++
	p.Cut = a.cut != nil || b.cut != nil
	p.Seconds = a.seconds
	if a != b {
		p.Seconds += b.seconds
	}
	if why := j.doubt(a, b); why != "" {
		p.Verdict, p.Reason, p.AllMayRace = diag.Unknown, why, true
	}
	p.Doubt = p.Reason
	n, undecided := 0, ""
	for _, g := range j.groups(a) {
		if err := j.late(); err != nil {
			p.Doubt, p.AllMayRace, p.Cut = "not compared to the end: "+err.Error(), true, true
			break
		}
		for _, h := range j.meeting(g, b) {
			if a == b && h.id < g.id && j.members != nil {
				continue // compared the other way round
			}
			if !g.sites[0].acc.Conflict(*h.sites[0].acc) || j.outsiders(g, h) {
				continue
			}
			if j.compared++; j.compared > manyCompared && j.saysNothingNew(g, h) {
				j.mayAll(g, h)
				continue
			}
			yes, doubted := j.protected(g.sites[0], h.sites[0])
			if doubted != nil {
				j.lean(g, h, doubted)
			}
			if yes || doubted != nil {
				continue
			}
			k, why := j.compare(g, h)
			n += k
			if undecided == "" {
				undecided = why
			}
		}
	}
	if undecided != "" && p.Doubt == "" {
		p.Doubt = undecided
	}
	if j.leans != nil {
		p.AllMayRace = true
		if p.Doubt == "" {
			p.Doubt = fmt.Sprintf("%s: the lock that is released here is not shown to be held by who releases it: others may hold it", j.leans.At())
		}
	}
	switch {
	case n > 0 && j.l.cut != nil && !j.firm: // more time might find a lock
		p.Verdict, p.Cut = diag.Unknown, true
		p.Reason = "who owns which objects was not found out in time: " + outOfTime{j.l.cut}.Error()
		p.Doubt = p.Reason
	case n > 0:
		p.Verdict, p.Reason, p.Firm = diag.Racy, "", j.firm
	case p.Doubt != "":
		p.Verdict, p.Reason = diag.Unknown, p.Doubt
	}
	return p
}

// doubt gives the reason why a pair cannot be proved whatever the locksets say; "" for
// most.
func (j *comparer) doubt(a, b *summary) string {
	for _, s := range []*summary{a, b} {
		for _, a := range s.unknown {
			if j.members == nil || a.Kind != "not-understood" { // see members.split
				return fmt.Sprintf("%s: %s", a.Pos, a.Text)
			}
		}
		if j.members != nil {
			continue
		}
		for _, fn := range j.f.reach[s.entry] {
			if u := j.f.stray(fn); u != nil {
				return strayText(u)
			}
		}
	}
	return ""
}

func strayText(u ir.Instr) string {
	return fmt.Sprintf("%s: access through a pointer of unknown origin", u.At())
}

// stray returns an access in a function that may touch memory the points-to analysis has
// no object for.
func (f *facts) stray(fn *ir.Func) ir.Instr {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, a := range f.acc[in] {
				if (a.Unknown || len(a.Regions) == 0) && !f.fresh[in] && !a.Fresh && !a.Null && !ir.IsNull(a.Addr) {
					return in
				}
			}
		}
	}
	return nil
}

// protected reports whether a common lock is held at both, exclusively at one of them at
// least. doubted: there are only such as have this release, which is not proved to be by
// the holder.
func (j *comparer) protected(s, t *site) (yes bool, doubted ir.Instr) {
	if j.quiet(s, t) || j.quiet(t, s) {
		return true, nil
	}
	for fn, m := range s.held {
		k := t.held[fn]
		if k == "" || m != ir.Exclusive && k != ir.Exclusive {
			continue
		}
		if lk, ok := theoryOf[*lock](fn); ok && lk.retry && (m == ir.Shared && s.acc.Write || k == ir.Shared && t.acc.Write) {
			continue
		}
		in := j.doubted[fn]
		if in == nil {
			return true, nil
		}
		if doubted == nil || in.At().Less(doubted.At()) {
			doubted = in
		}
	}
	for _, h := range s.entry.Holds { // all along, where the program does nothing to it
		if slices.Contains(t.entry.Holds, h) && j.l.kernelLock(h) == nil {
			return true, nil
		}
	}
	return false, doubted
}

// lean notes that it rests on a lock with a doubted release that the accesses of two
// groups are apart, where nothing else keeps them apart.
func (j *comparer) lean(g, h *group, release ir.Instr) {
	if j.leans != nil && !release.At().Less(j.leans.At()) || !j.overlap(g, h) {
		return
	}
	for _, s := range g.sites {
		if slices.ContainsFunc(h.sites, func(t *site) bool { return j.with.together(s.class, t.class, false) && !elsewhere(*s.acc, *t.acc) }) {
			j.leans = release
			return
		}
	}
}

// outsiders reports whether two groups are accesses of code not seen to objects of types
// that the program does not know. In type-safe programs, to order these is that code's
// own affair.
func (j *comparer) outsiders(g, h *group) bool {
	if !j.f.p.TypeSafe || !g.sites[0].acc.Unseen || !h.sites[0].acc.Unseen {
		return false
	}
	return j.common(g, h).outside
}

// racePlace is one side of a race, racePair a race and the entries that it is between, by
// the numbers of their names.
type racePlace struct {
	at   ir.Pos
	kind string
}

type racePair struct {
	race          int
	first, second int32
}

// shownAccess is an access as reports have it, with the numbers of its place and of its
// entry's name: thousands of sites of hundreds of entries are compared with each other.
type shownAccess struct {
	diag.Access
	place, entry int32
}

// idOf numbers what is asked for.
func idOf[K comparable](in map[K]int32, k K) int32 {
	n, known := in[k]
	if !known {
		n = int32(len(in))
		in[k] = n
	}
	return n
}

// race records a race on a region once for a pair of places, with the pairs of entries.
func (j *comparer) race(r *alias.Region, s, t *site) {
	a, b := j.accessOf(s), j.accessOf(t)
	if b.Pos.Less(a.Pos) || (a.Pos == b.Pos && (b.Entry < a.Entry || (b.Entry == a.Entry && b.Kind < a.Kind))) {
		a, b = b, a
	}
	key := [2]int32{a.place, b.place}
	i, old := j.known[key]
	if !old {
		i = len(j.rep.Races)
	}
	pair := racePair{i, a.entry, b.entry}
	defer j.alike(i, s, t)
	if j.paired[pair] {
		return
	}
	if old {
		j.paired[pair] = true
		j.rep.Races[i].Pairs = append(j.rep.Races[i].Pairs, j.nameOf(a, b))
		return
	}
	if len(j.rep.Races) >= allRaces {
		j.cut++
		return
	}
	j.known[key], j.paired[pair] = i, true
	_, why := j.f.mh.Parallel(s.entry, s.origin.Instr, t.entry, t.origin.Instr)
	if why == "" {
		first, _ := j.members.runner(s)
		second, _ := j.members.runner(t)
		why = overlap(first, second)
		if endsMemory(s.origin.Instr, r) {
			why = j.f.outlives(first, second, why)
		} else if endsMemory(t.origin.Instr, r) {
			why = j.f.outlives(second, first, why)
		}
	}
	j.rep.Races = append(j.rep.Races, diag.Race{Kind: diag.RaceKind(ir.OperationOf(s.origin.Instr), ir.OperationOf(t.origin.Instr)), Region: j.f.title(r.Name), Field: j.f.title(r.Field), First: a.Access, Second: b.Access, Why: why, Same: len(r.Objects) == 1 && r.Objects[0].Single})
}

// nameOf is the name of a pair of entries, once for all races that it has.
func (j *comparer) nameOf(a, b *shownAccess) string {
	k := [2]int32{a.entry, b.entry}
	name, known := j.pairNames[k]
	if !known {
		name = a.Entry + "," + b.Entry
		j.pairNames[k] = name
	}
	return name
}

// amongKey is a race with sets of entries that have it.
type amongKey struct {
	race int
	of   conflictKey
}

// alike notes that all members that get to two sites have the race.
func (j *comparer) alike(race int, s, t *site) {
	if j.members == nil || race >= len(j.rep.Races) {
		return
	}
	x := &j.rep.Races[race]
	a, b := j.members.ran(s), j.members.ran(t)
	if j.accessOf(s).Pos != x.First.Pos {
		a, b = b, a
	}
	k := amongKey{race, conflictKey{setKey(a), setKey(b)}}
	if j.among[k] {
		return
	}
	j.among[k] = true
	first, second := j.members.list(a), j.members.list(b)
	if len(first)*len(second) > 1 {
		x.Among = append(x.Among, diag.Among{First: first, Second: second})
	}
}

// most is how many races are reported for one group of accesses and one pair.
func (j *comparer) most() int {
	if j.members != nil {
		return maxMembersRaces
	}
	return maxRaces
}

// leftOut says that races are left out. Of pairs that stand for many it gives no number:
// later tiers may prove some of these.
func (j *comparer) leftOut() string {
	if j.members != nil {
		return fmt.Sprintf("there are more races that are left out: at most %d are shown, and %d for a region and entry points that are proved together", allRaces, j.most())
	}
	return fmt.Sprintf("at least %d more races are left out: at most %d are shown, and %d for a region and a pair", j.cut, allRaces, j.most())
}

// title is the name of a region or lock in reports: the members that the lowering gives
// to objects of Go are not the program's.
func (f *facts) title(name string) string {
	if f.p.TypeSafe {
		name, _, _ = strings.Cut(name, ".__")
	}
	return name
}

// shown is the name of a guard for people: that of the lock's field where there is one,
// so that guards that are found in several ways but stand for one lock have one name.
func (f *facts) shown(fn *guard) string {
	k, ok := theoryOf[*lock](fn)
	name := fn.name
	if ok && len(k.regions) > 0 && k.regions[0].Field != "" &&
		!slices.ContainsFunc(k.regions, func(r *alias.Region) bool { return r.Field != k.regions[0].Field }) {
		name = plainName(k.regions[0].Field)
	}
	if ok && k.bits == 0 {
		name = outerLock(name)
	}
	return strings.TrimPrefix(f.title(name), "struct ")
}

// insideLock matches the members of the kernel's locks that their operations are on: a
// reader knows the lock by its own name.
var insideLock = regexp.MustCompile(`(\.rlock)?(\.raw_lock)?(\.(val|owner|count|cnts)\.counter)?$`)

// outerLock is the name of a lock without the members inside it.
func outerLock(name string) string {
	if at := insideLock.FindStringIndex(name); at != nil && at[0] > 0 {
		return name[:at[0]]
	}
	return name
}

func overlap(a, b *ir.Entry) string {
	if a == b {
		return fmt.Sprintf("several instances of %s (%s) may run at the same time", a.Name, a.Kind)
	}
	return fmt.Sprintf("nothing orders %s (%s) and %s (%s)", a.Name, a.Kind, b.Name, b.Kind)
}

func (j *comparer) accessOf(s *site) *shownAccess {
	if a := j.access[s]; a != nil {
		return a
	}
	e, calls := j.members.runner(s)
	a := diag.Access{Kind: kind(s), Entry: e.Name, Function: s.origin.Func.Title(), Pos: s.pos(), Order: s.acc.Order, Locks: j.locksAt(s)}
	for i, c := range calls {
		// the entry point itself, called by a function that only does that
		if i == 0 && c.Call == e.Pos && c.Func.Title() == e.Name {
			continue
		}
		a.Calls = append(a.Calls, diag.Frame{Function: c.Func.Title(), Pos: c.Call})
	}
	a.Steps = j.where.steps(s, e, calls, heldLocks(s))
	if len(a.Locks) == 0 {
		a.Unrelated = j.where.otherLock(s, calls)
	}
	x := &shownAccess{a, idOf(j.placeIDs, racePlace{a.Pos, a.Kind}), idOf(j.nameIDs, a.Entry)}
	j.access[s] = x
	return x
}

// locksAt names the locks that are held at a site, sorted.
func (j *comparer) locksAt(s *site) []string {
	var out []string
	for fn, m := range s.held {
		if fn.theory.traits().hidden {
			continue
		}
		n := j.f.shown(fn)
		if m == ir.Shared {
			n += " (shared)"
		}
		out = append(out, n)
	}
	for _, h := range s.entry.Holds {
		if j.l.kernelLock(h) == nil {
			out = append(out, h)
		}
	}
	sort.Strings(out)
	return compact(out)
}

// heldLocks are the locks of the program that are held at a site, by their names.
func heldLocks(s *site) []*guard {
	var out []*guard
	for fn := range s.held {
		if k, ok := theoryOf[*lock](fn); ok && k.pointer == nil && !fn.theory.traits().hidden {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *guard) int { return strings.Compare(a.name, b.name) })
	return out
}

// compact drops repeated names: one lock may be known by several lock functions.
func compact(ss []string) []string {
	var out []string
	for i, s := range ss {
		if i == 0 || s != ss[i-1] {
			out = append(out, s)
		}
	}
	return out
}

func kind(s *site) string {
	k := "read"
	if s.acc.Write {
		k = "write"
	}
	switch s.origin.Instr.(type) {
	case *ir.Free:
		k = "free"
	case *ir.LockInit:
		return "destroy"
	case *ir.Lock:
		return "lock"
	case *ir.CondWait, *ir.SemWait, *ir.BarrierWait:
		return "wait"
	case *ir.CondSignal, *ir.SemPost:
		return "wake"
	case *ir.RMW, *ir.CmpXchg:
		k = "update"
	}
	if s.acc.Order.Atomic() {
		k = "atomic " + k
	}
	if op := ir.OperationOf(s.origin.Instr); op != "" {
		k = string(op)
	}
	return k
}
