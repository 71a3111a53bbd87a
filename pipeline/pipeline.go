package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"whoop/diag"
	"whoop/frontend/c"
	"whoop/frontend/golang"
	"whoop/frontend/golang/program"
	"whoop/internal/live"
	"whoop/ir"
	"whoop/lockset"
	"whoop/report/accept"
	"whoop/summaries"
)

// Values of Options.OpenCalls.
const (
	OpenConfined = string(golang.OpenConfined)
	OpenAny      = string(golang.OpenAny)
)

// Options of a run; zero values are the defaults.
type Options struct {
	C c.Options
	// More are further inputs, of the language of the first: files of the same C program,
	// or Go packages.
	More []string
	// Tags are Go's build tags, separated by commas.
	Tags string
	// Tests: Go's programs are the tests of the packages (verify, emit and entry-points).
	Tests bool
	// Leaks asserts that the program has freed its memory at the end; see package
	// memcleanup.
	Leaks bool
	// Models are further model files; each says what language it is for.
	Models []string
	// OpenCalls says what functions of users, and methods of types that are not seen, are
	// taken to do (Go only): OpenConfined, which is what "" means, or OpenAny.
	OpenCalls string
	// NoCache keeps nothing between runs of what is found out about other modules (Go
	// only).
	NoCache bool
	// Keep keeps answers between runs, and uses those that there are; not with NoCache.
	Keep bool
	// Root, where not "", is the function of a Go program that is run; the program is
	// then lowered exactly, for bmc.
	Root string
	// Rooted is the source of a program of which Root is run; nil: it is read. With it
	// several roots of one program take one reading.
	Rooted *program.Source
	// EntryPoints is an ep.yaml that says or corrects the entry points; "" means none.
	EntryPoints string
	// Jobs is how many entry points are analysed at once.
	Jobs int
	// QueryTimeout bounds one solver query (default 30 s), Timeout the whole run.
	QueryTimeout, Timeout time.Duration
	// MaxSize is how many instructions an entry may have after unfolding its calls (0:
	// 60000, and more where little is to be proved).
	MaxSize int
	// Uniprocessor: one processor, so that disabling interrupts excludes their handlers.
	Uniprocessor bool
	// Discipline: that locks are used well is proved instead of assumed; see package
	// lockset.
	ProveLockUsage bool
	// Pairs restricts the pairs, each "a,b".
	Pairs []string
	// DumpSMT is a directory for SMT-LIB scripts.
	DumpSMT string
	// Solver is one of Solvers; "" means the first.
	Solver string
	// Warnings looks for misuse of locks (Go only); StrictWarnings lets the warnings
	// count for the exit status.
	Warnings, StrictWarnings bool
	// Sources: of any preprocessed file, also one with a main function, places are those of
	// the files that it was made of.
	Sources bool
	// Comments follows whoop:ignore comments; Baseline is a file of what is known, "" for
	// none.
	Comments bool
	Baseline string
	Progress func(done, total int, what string)
	// tiers: also a small program is proved in tiers.
	tiers bool
	// known are the answers of earlier runs; nil: none are kept.
	known summaries.Known
}

// Verify proves or refutes, pair by pair, that the entry points of the input cannot race.
func Verify(ctx context.Context, path string, opt Options) (*diag.Report, error) {
	start := time.Now()
	var base *accept.Baseline
	if opt.Baseline != "" {
		var err error
		if base, err = accept.ReadBaseline(opt.Baseline); err != nil {
			return nil, err
		}
	}
	ctx, cancel := working(ctx, opt.Timeout)
	defer cancel()
	live.On(ctx).Engine("reading "+opt.name(path), "")
	ps, found, err := loadUnits(ctx, path, opt)
	var unread *Late
	if errors.As(err, &unread) {
		return named(unreadInput(unread), opt.name(path), start), nil
	}
	var late lateError
	if errors.As(err, &late) {
		rep := lockset.Undecided(late.program, fmt.Sprintf("the entry points were not all found in time: %v", err))
		return named(rep, opt.name(path), start), nil
	}
	if err != nil {
		return nil, err
	}
	for _, w := range opt.Pairs {
		if err := checkPair(ps, w); err != nil {
			return nil, err
		}
	}
	if opt.DumpSMT != "" {
		if err := os.MkdirAll(opt.DumpSMT, 0o777); err != nil {
			return nil, err
		}
	}
	known := opt.answers(path)
	opt.known = opt.knowing(known)
	rep, err := proveUnits(ctx, ps, opt)
	if err != nil {
		return nil, err
	}
	known.Save(ctx.Err() == nil)
	rep.StrictWarnings = opt.StrictWarnings
	rep.AddFindings(found...)
	whole := len(opt.Pairs) == 0 && ctx.Err() == nil
	if opt.Comments {
		accept.Comments(accept.Files(ps...)).Apply(rep, whole)
	}
	if base != nil {
		base.Apply(rep, whole)
	}
	for _, f := range append([]string{path}, opt.More...) {
		readMarkers(f, ps[0], opt.Sources).apply(rep)
	}
	return named(rep, opt.name(path), start), nil
}

// named enters in a report what was run on what, and how long.
func named(rep *diag.Report, path string, start time.Time) *diag.Report {
	rep.Tool, rep.Command, rep.Input, rep.Seconds = "whoop", "verify", path, time.Since(start).Seconds()
	return rep
}

// Prove is Verify for a program that is loaded already. What the report says of
// instructions is about those of p.
func Prove(ctx context.Context, p *ir.Program, opt Options) (*diag.Report, error) {
	ctx, cancel := limited(ctx, opt.Timeout)
	defer cancel()
	seen := looked(p)
	if len(p.Entries) == 0 { // a library
		rep := &diag.Report{Disciplined: true}
		rep.Look(seen)
		return rep, nil
	}
	p, from := ir.WithoutAwaits(p)
	rep, err := proveTiers(ctx, p, opt)
	if rep == nil {
		return nil, err
	}
	seen.Unseen = append(seen.Unseen, rep.Looked.Unseen...)
	rep.Look(seen)
	if from != nil {
		renamed(rep, from)
	}
	return rep, err
}

// renamed makes a report that is about instructions one about those that they are copies
// of.
func renamed(rep *diag.Report, of map[ir.Instr]ir.Instr) {
	known := map[uintptr]map[ir.Instr]bool{} // many pairs have one set
	for i := range rep.Pairs {
		p := &rep.Pairs[i]
		at := reflect.ValueOf(p.MayRace).Pointer()
		back := known[at]
		if back == nil {
			back = map[ir.Instr]bool{}
			for in := range p.MayRace {
				if from := of[in]; from != nil {
					back[from] = true
				}
			}
			known[at] = back
		}
		p.MayRace = back
	}
}
