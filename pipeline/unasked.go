package pipeline

import (
	"fmt"
	"slices"
	"time"

	"whoop/diag"
	"whoop/ir"
)

// initRuns are the pairs with an entry that loads a module or probes a device: bmc runs
// it to its end before others, so that what it does once others may run is not looked at
// beside them. Where verify does not prove that they cannot race, the answer is not that
// there is no bug.
func initRuns(p *ir.Program, facts *diag.Report, rep *diag.BoundedReport) []diag.Run {
	if facts == nil || mainOf(p) != nil || !slices.Contains(rep.Properties, "race") {
		return nil
	}
	var out []diag.Run
	for _, pr := range facts.Pairs {
		a, b := p.EntryByName(pr.First), p.EntryByName(pr.Second)
		if a == nil || b == nil || a.Spawned || b.Spawned || !a.Init && !b.Init || pr.Verdict == diag.RaceFree {
			continue
		}
		if !a.Init {
			a, b = b, a
		}
		said := "verify reports a race"
		if pr.Verdict == diag.Unknown {
			said = "verify does not know that they cannot race"
		}
		text := fmt.Sprintf("%s runs to its end before %s here: what it does once %s may run is not looked at, and %s", a.Name, b.Name, b.Name, said)
		out = append(out, diag.Run{Threads: []string{pr.First, pr.Second}, Skipped: true, CSB: -1, Assumptions: []ir.Assumption{{Kind: "init", Pos: a.Pos, Text: text}}})
	}
	return out
}

// notTwice is the run of a pair whose roots each have a file for themselves, where no
// execution opens two.
func notTwice(j *job, took time.Duration) diag.Run {
	text := fmt.Sprintf("%s returns 0 once, and in no execution twice: the files of the two are not open at the same time", j.opens.Name)
	return diag.Run{Threads: j.names, Skipped: true, CSB: -1, Proved: j.proved, Seconds: took.Seconds(),
		Assumptions: []ir.Assumption{{Kind: "same-object", Pos: j.opens.Pos, Text: text}}}
}

// seqReader is what is left out where readers of sequence locks are not proved not to
// race: they hold the lock shared, and writers wait for them.
func seqReader(p *ir.Program, j *job, rep *diag.BoundedReport) []ir.Assumption {
	if j.proved || !slices.Contains(rep.Properties, "race") {
		return nil
	}
	for _, in := range p.Instrs() {
		if l, ok := in.(*ir.Lock); ok && l.Class == "seq" && l.Mode == ir.Shared {
			return []ir.Assumption{{Kind: "seq-reader", Pos: l.Pos,
				Text: "a reader of a sequence lock and its writers are taken to exclude each other: what the reader writes meanwhile is not looked at beside them"}}
		}
	}
	return nil
}
