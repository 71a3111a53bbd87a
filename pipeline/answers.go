package pipeline

import (
	"fmt"
	"path/filepath"

	"whoop/internal/kept"
	"whoop/smt/z3"
	"whoop/summaries"
)

// answers are those that solvers give in this run, and gave in earlier ones: see
// summaries.Known. Even within a run, entries and tiers ask half of all questions again.
// The input says only in which file earlier ones are looked for.
type answers struct{ *kept.Answers }

// answers returns those for an input.
func (o Options) answers(path string) *answers {
	var store *kept.Store
	if !o.Keep || o.NoCache {
		return &answers{store.Answers("")}
	}
	self, ok := kept.Self()
	at, err := filepath.Abs(path)
	if ok && err == nil {
		store = kept.In("answers")
	}
	return &answers{store.Answers(fmt.Sprintf("%x %s %s %q %q", self, o.Solver, z3.Version(), at, o.More))}
}

// Dropped returns an answer.
func (a *answers) Dropped(k summaries.Key) ([]int, bool) { return a.Get(kept.Key(k)) }

// Note adds one.
func (a *answers) Note(k summaries.Key, dropped []int) { a.Put(kept.Key(k), dropped) }

// knowing are the answers as those who ask solvers want them, nil where all questions are to
// be written down.
func (o Options) knowing(a *answers) summaries.Known {
	if o.DumpSMT != "" {
		return nil
	}
	return a
}
