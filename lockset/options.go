package lockset

import (
	"time"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt"
	"whoop/summaries"
)

// Options of a run.
type Options struct {
	// Apart says which accesses are never to the same place; nil if that is not known.
	Apart *alias.Disjoint
	// Together, where not "", says why Apart is not known though it could be: then what
	// is not proved to be race-free is undecided.
	Together string
	// Open says which accesses are not proved yet, pair by pair; nil: none are.
	Open *Open
	// Members are the entries that one of the program stands for, by the functions that
	// they run in it: what is proved of it is said of each of them. Others stand for
	// themselves. Named are the entries of the report, in their order.
	Members map[*ir.Entry]map[*ir.Func]*ir.Entry
	Named   []*ir.Entry
	// LocksAlone leaves out all theories but that of locks: what tokens are handed over
	// for is to be proved wherever that happens, which is most of the work.
	LocksAlone bool
	// Joint analyses entries that are alike together, which costs precision.
	Joint bool
	// Jobs is how many entries are analysed at once; 0 means 1.
	Jobs int
	// EntryTimeout bounds the analysis of one entry, Timeout the whole run; 0 means none.
	EntryTimeout, Timeout time.Duration
	// Pairs restricts the pairs, each as "a,b"; empty means all.
	Pairs []string
	// DumpSMT is a directory for the solver's queries and answers, as SMT-LIB; "" means
	// none.
	DumpSMT string
	// Solvers makes the environment of the solvers for one entry.
	Solvers func() smt.Solvers
	// Known, where not nil, has answers of earlier runs, and takes those of this one.
	Known summaries.Known
	// MaxSize is how many instructions an entry may have after unfolding; larger ones are
	// undecided. 0 means 60000, and four times as many where little is to be proved.
	MaxSize int
	// Uniprocessor: there is one processor, so that disabling interrupts excludes their
	// handlers. An assumption.
	Uniprocessor bool
	// Layouts: the program may tell where its variables and functions lie.
	Layouts bool
	// Discipline: that locks are released by their holders, and not made anew or written
	// over while they are used, is proved instead of assumed.
	ProveLockUsage bool
	// Progress, where not nil, is told how many "entry points", and then "pairs", are done. It may be called from
	// several goroutines.
	Progress func(done, total int, what string)
}
