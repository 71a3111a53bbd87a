package lockset

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/mhp"
	"whoop/diag"
	"whoop/internal/crash"
	"whoop/internal/late"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt"
	"whoop/smt/vcgen"
	"whoop/summaries"
)

// summary is what one entry's analysis yields: all a pair needs.
type summary struct {
	entry   *ir.Entry
	sites   []*site
	lost    map[*guard]bool     // tokens whose hand-over could not be proved
	doubted map[*guard]ir.Instr // locks with a release that is not proved to be by the holder
	// with Options.Discipline: a lock other than a semaphore may be misused
	misused  bool
	unknown  []ir.Assumption // why the entry is not fully understood
	counters diag.Counters
	seconds  float64
	// cut is why the entry was not analysed to the end; nil: it was. large: it has too
	// many instructions, or too many questions. whole: the sites are all there; sketched:
	// that is all there is.
	cut                    error
	large, whole, sketched bool
}

// Proof is what was found out about the entries of a program: reports are made from it.
type Proof struct {
	f       *facts
	l       *locks
	with    *partners
	sums    map[*ir.Entry]*summary
	opt     Options
	members *members
	late    error // why the accesses that may conflict are not known; nil for most
}

// Verify analyses every entry once and compares the summaries pair by pair. On
// cancellation of ctx it reports what is known, the rest as unknown.
func Verify(ctx context.Context, p *ir.Program, al *alias.Result, mh *mhp.Result, opt Options) (*diag.Report, error) {
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = late.Watch(context.WithTimeout(ctx, opt.Timeout))
		defer cancel()
	}
	start := time.Now()
	x, err := Prove(ctx, p, al, mh, opt)
	if err != nil {
		return nil, err
	}
	rep := x.Report(ctx, opt.Pairs)
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

// Prove analyses every entry once. On cancellation of ctx entries are left undecided.
func Prove(ctx context.Context, p *ir.Program, al *alias.Result, mh *mhp.Result,
	opt Options) (*Proof, error) {
	f, err := gather(ctx, p, al, opt.Apart, mh)
	if err != nil {
		return &Proof{f: &facts{p: p}, opt: opt, late: err}, nil
	}
	l := findLocks(ctx, f, opt.Uniprocessor, opt.LocksAlone)
	if opt.ProveLockUsage {
		l.operations()
	}
	within, cancel := mostOf(ctx, len(opt.Members) > 0)
	defer cancel()
	with := newPartners(f, l, opt.Pairs, opt.Open)
	with.late = ctx.Err
	sums, err := summarise(within, f, l, with, opt)
	if err != nil {
		return nil, err
	}
	return &Proof{f: f, l: l, with: with, sums: sums, members: newMembers(f, opt), opt: opt}, nil
}

// Report compares the entries of pairs, each as "a,b"; none: of all. They must be among
// those that the proof was asked for.
func (x *Proof) Report(ctx context.Context, of []string) *diag.Report {
	if x.late != nil {
		return undecidedIn(x.f.p, x.opt, fmt.Sprintf("the accesses that may conflict were not found in time: %v", outOfTime{x.late}))
	}
	opt := x.opt
	opt.Pairs = of
	rep := pairs(ctx, x.f, x.l, x.with, x.sums, x.members, opt)
	rep.Orders = x.f.lockOrders(ctx, x.members)
	return rep
}

// Whole are the pairs of the entries that the program has, as the last report has them:
// with Options.Members the report is about others. They are nil where none was compared.
func (x *Proof) Whole() []diag.Pair {
	if x.members == nil {
		return nil
	}
	return x.members.whole
}

// mostOf leaves a tenth of the time that is left to the comparison of summaries, a quarter
// where entries stand for many others.
func mostOf(ctx context.Context, members bool) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	part := time.Duration(10)
	if members {
		part = 4
	}
	return late.Watch(context.WithDeadline(ctx, end.Add(-time.Until(end)/part)))
}

// thirdOf is the context with a third of the time that is left.
func thirdOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return late.Watch(context.WithDeadline(ctx, end.Add(-time.Until(end)*2/3)))
}

// summarise analyses the entries, opt.Jobs groups of them at a time.
func summarise(ctx context.Context, f *facts, l *locks, with *partners, opt Options) (map[*ir.Entry]*summary, error) {
	jobs := make(chan []*ir.Entry)
	var mu sync.Mutex
	var wg sync.WaitGroup
	out, done := map[*ir.Entry]*summary{}, 0
	var first error
	for i := 0; i < max(opt.Jobs, 1); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for es := range jobs {
				sums, err := summariseGuarded(ctx, f, l, with, es, opt)
				mu.Lock()
				if err != nil && first == nil {
					first = fmt.Errorf("entry point %s: %w", es[0].Name, err)
				}
				maps.Copy(out, sums)
				done += len(es)
				if opt.Progress != nil {
					opt.Progress(done, len(f.p.Entries), "entry points")
				}
				mu.Unlock()
			}
		}()
	}
	groups := f.groups(l, opt)
	if opt.Jobs > 1 && opt.Joint {
		f.largestFirst(groups)
	}
	for _, es := range groups {
		jobs <- es
	}
	close(jobs)
	wg.Wait()
	return out, first
}

// largestFirst moves the group that reaches the most instructions to the front: it takes
// the longest, and all others are done beside it.
func (f *facts) largestFirst(groups [][]*ir.Entry) {
	at, most := 0, 0
	for i, es := range groups {
		in, n := map[*ir.Func]bool{}, 0
		for _, e := range es {
			for _, fn := range f.reach[e] {
				if !in[fn] {
					in[fn] = true
					n += length(fn)
				}
			}
		}
		if n > most {
			at, most = i, n
		}
	}
	if at > 0 {
		largest := groups[at]
		copy(groups[1:at+1], groups[:at])
		groups[0] = largest
	}
}

// groups are the entries that are analysed together.
func (f *facts) groups(l *locks, opt Options) [][]*ir.Entry {
	if opt.Joint {
		return f.together(l, len(opt.Members) > 0)
	}
	var out [][]*ir.Entry
	for _, e := range f.p.Entries {
		out = append(out, []*ir.Entry{e})
	}
	return out
}

// summariseGuarded is summariseGroup, with an error where an invariant of ours does not
// hold.
func summariseGuarded(ctx context.Context, f *facts, l *locks, with *partners, es []*ir.Entry,
	opt Options) (s map[*ir.Entry]*summary, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = crash.Error(x)
		}
	}()
	return summariseGroup(ctx, f, l, with, es, opt)
}

// summariseGroup analyses entries together, in two halves where they are too large.
func summariseGroup(ctx context.Context, f *facts, l *locks, with *partners, es []*ir.Entry,
	opt Options) (map[*ir.Entry]*summary, error) {
	start := time.Now()
	if err := ctx.Err(); err != nil { // to unfold the calls of hundreds of entries takes long
		out := map[*ir.Entry]*summary{}
		for _, e := range es {
			out[e] = f.sketch(e, with, err)
		}
		return out, nil
	}
	x := &instrumenter{f: f, l: l, partners: with, entries: es, entry: es[0], late: ctx.Err,
		locksAlone: opt.LocksAlone, discipline: opt.ProveLockUsage, layouts: opt.Layouts,
		seq: seqz.Unfold(es, f.al, f.unfolding(es))}
	sum, err := x.summarise(ctx, opt)
	if err != nil {
		return nil, err
	}
	if sum.large && len(es) > 1 {
		out, err := summariseGroup(ctx, f, l, with, es[:len(es)/2], opt)
		if err != nil {
			return nil, err
		}
		more, err := summariseGroup(ctx, f, l, with, es[len(es)/2:], opt)
		maps.Copy(out, more)
		return out, err
	}
	sum.seconds = time.Since(start).Seconds()
	return x.perEntry(sum), nil
}

// defaultMaxSize is what Houdini gets through in about a minute, where much is asked. Of
// an entry with at most fewClaims candidates, hardMaxSize instructions are not too many:
// the main function of a large program, of which little happens beside other threads.
const (
	defaultMaxSize = 60000
	hardMaxSize    = 240000
	fewClaims      = 4000
)

// crowdMaxSize and crowdMaxClaims are the same for entries that stand for many others: they
// are analysed once.
const (
	crowdMaxSize   = 1_000_000
	crowdMaxClaims = 400_000
)

// maxDead is how many instructions an entry may have for the question which of its
// accesses are reached at all, which is then most of the work. Precision only.
const maxDead = 6000

// maxClaims bounds the candidates of an entry: more take minutes.
const maxClaims = 40000

// inlinedTotal is how many instructions the procedures of an entry of a Go program may
// have together before less is inlined. What is called through interfaces multiplies
// there, and calls lose little: functions have copies for their callers already.
const inlinedTotal = 8000

// initTotal is the same for initialisations, which run one function after the other: what
// these do to locks is seldom of use to each other.
const initTotal = 1000

func (f *facts) unfolding(es []*ir.Entry) seqz.Options {
	switch {
	case len(es) > 1:
		return seqz.Options{MaxTotal: jointInlined}
	case f.p.TypeSafe && es[0].Init:
		return seqz.Options{MaxTotal: initTotal}
	case f.p.TypeSafe:
		return seqz.Options{MaxTotal: inlinedTotal}
	}
	return seqz.Options{}
}

// tooLarge says why an entry is not analysed: coarse function pointers and deep recursion
// can unfold a driver of a few thousand lines into more than the solver can take. nil for
// most.
func tooLarge(seq *seqz.Seq, limit int) error {
	n := sizeOf(seq)
	if n <= limit {
		return nil
	}
	return fmt.Errorf("%d instructions after unfolding its calls are more than the limit of %d (--max-size)", n, limit)
}

// sizeOf is the number of instructions of an entry's procedures.
func sizeOf(seq *seqz.Seq) int {
	n := 0
	for _, p := range seq.Procs {
		for _, b := range p.Body.Blocks {
			n += len(b.Instrs)
		}
	}
	return n
}

// cutShort says that an analysis was cut short: what the sites hold is not known.
func (s *summary) cutShort(why error) *summary {
	why = outOfTime{why}
	s.cut = why
	for _, st := range s.sites {
		st.undecided = why.Error()
	}
	return s
}

// unproved says that an analysis was cut short when all its sites were known: where locks
// are asked for it is not known whether they are held; at the others nothing is.
func (x *instrumenter) unproved(sum *summary, why error) *summary {
	why = outOfTime{why}
	sum.cut, sum.whole = why, true
	for _, c := range x.claims {
		for _, st := range c.sites {
			st.undecided = why.Error()
		}
	}
	x.findLost(sum, nil)
	return sum
}

// tooMany is cutShort where less at a time would not be.
func (s *summary) tooMany(why error) *summary {
	s.large = true
	return s.cutShort(why)
}

// summarise proves what holds at the sites of the entries.
func (x *instrumenter) summarise(ctx context.Context, opt Options) (*summary, error) {
	sum := &summary{entry: x.entry}
	if opt.EntryTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = late.Watch(context.WithTimeout(ctx, opt.EntryTimeout))
		defer cancel()
	}
	if ctx.Err() != nil {
		return sum.cutShort(ctx.Err()), nil
	}
	x.late = ctx.Err
	sum.counters.Inlined = x.seq.Inlined
	limit, few := cmp.Or(opt.MaxSize, hardMaxSize), defaultMaxSize
	if len(opt.Members) > 0 { // all there is, once
		limit, few = crowdMaxSize, crowdMaxSize
	}
	if err := tooLarge(x.seq, limit); err != nil {
		return sum.tooMany(err), nil
	}
	x.askDead, x.limit = sizeOf(x.seq) <= maxDead, maxClaims
	var large error
	if len(opt.Members) > 0 {
		x.limit = crowdMaxClaims
	}
	if opt.MaxSize == 0 {
		if large = tooLarge(x.seq, few); large != nil {
			x.limit = fewClaims
		}
	}
	parts := x.run()
	switch {
	case ctx.Err() != nil:
		return sum.cutShort(ctx.Err()), nil
	case x.n > x.limit && large != nil:
		return sum.tooMany(large), nil
	case x.n > x.limit:
		return sum.tooMany(fmt.Errorf("there are more questions which lock is held where than the limit of %d", x.limit)), nil
	}
	sum.sites = x.sites
	idle, all := x.idleGuesses()
	if all {
		x.findLost(sum, nil)
		return sum, nil
	}
	procs, err := conditions(ctx, parts)
	if ctx.Err() != nil {
		return x.unproved(sum, ctx.Err()), nil
	}
	if err != nil {
		return nil, err
	}
	sum.counters.Candidates = x.n
	for _, p := range procs {
		sum.counters.Obligations += len(p.VC.Obligations)
	}
	idle = append(idle, x.useless(procs)...)
	solvers := opt.Solvers()
	defer solvers.Close()
	res, err := summaries.Houdini(ctx, procs, x.n,
		summaries.Options{Solvers: solvers, Drop: idle, Dump: dumper(opt.DumpSMT, x.entry),
			Known: opt.Known})
	if err != nil {
		if ctx.Err() != nil {
			return x.unproved(sum, ctx.Err()), nil
		}
		return nil, err
	}
	sum.counters.Queries, sum.counters.Dropped = res.Queries, res.Dropped
	x.record(res)
	x.findLost(sum, res.Holds)
	return sum, nil
}

// conditions generates the verification condition of each procedure.
func conditions(ctx context.Context, parts []*instrumented) ([]*summaries.Proc, error) {
	var out []*summaries.Proc
	for _, part := range parts {
		if len(part.proc.Body.Blocks) == 0 || part.statesNothing() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := smt.NewBuilder()
		vc, err := vcgen.Generate(b, part.proc.Body, part.opts)
		if err != nil {
			return nil, err
		}
		out = append(out, &summaries.Proc{Name: part.proc.Source.Name, B: b, VC: vc})
	}
	return out, nil
}

// statesNothing reports whether there is nothing to prove in a procedure: what its loops
// keep then helps nobody.
func (p *instrumented) statesNothing() bool {
	o := &p.opts
	if len(o.Post)+len(o.Keeps)+len(o.Asserts) > 0 {
		return false
	}
	for _, cs := range o.Invariants {
		if len(cs) > 0 {
			return false
		}
	}
	for _, s := range o.Calls {
		if len(s.Pre) > 0 {
			return false
		}
	}
	return true
}

// record stores what was proved in the sites.
func (x *instrumenter) record(res *summaries.Result) {
	for id, sites := range x.dead {
		if res.Holds[id] {
			for _, s := range sites {
				s.dead = true
			}
		}
	}
	for id := 0; id < x.n; id++ {
		if c, ok := x.claims[id]; ok {
			for _, s := range c.sites {
				s.record(c, res.Holds[id], res.Undecided[id])
			}
		}
	}
}

// record stores the outcome of one claim.
func (s *site) record(c *claim, holds bool, undecided string) {
	if holds && s.held == nil {
		s.held = map[*guard]ir.Mode{}
	}
	switch {
	case undecided != "":
		s.undecided = undecided
	case !holds:
	case c.mode == 0:
		s.held[c.fn] = ir.Exclusive
	case s.held[c.fn] == "":
		s.held[c.fn] = ir.Shared
	}
}

// dumper writes SMT-LIB scripts into dir.
func dumper(dir string, e *ir.Entry) func(name, script string) error {
	if dir == "" {
		return nil
	}
	return func(name, script string) error {
		file := filepath.Join(dir, fileName(e.Name)+"."+fileName(name)+".smt2")
		if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
			return fmt.Errorf("dump: %w", err)
		}
		return nil
	}
}

func fileName(s string) string {
	out := []byte(s)
	for i, c := range out {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			out[i] = '_'
		}
	}
	return string(out)
}
