package pipeline

import (
	"context"
	"sync"
	"time"

	"whoop/diag"
	"whoop/internal/live"
	"whoop/ir"
)

// runAll checks all pairs, several at once. Where time is limited, one pair that takes
// all of it would leave the others without an answer: each pair gets a share of the time
// that is left, and those that needed more get what the others have not used.
func runAll(ctx context.Context, p *ir.Program, jobs []job, opt BMCOptions, rep *diag.BoundedReport) error {
	rep.Runs = make([]diag.Run, len(jobs))
	errs := make([]error, len(jobs))
	board := live.On(ctx)
	if len(jobs) > 1 {
		board.Engine("formulas, pair by pair", "")
	}
	done := 0
	turn := func(of []int, shares int) (again []int) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		next := 0
		for range max(opt.Jobs, 1) {
			wg.Go(func() {
				for {
					mu.Lock()
					if next == len(of) {
						mu.Unlock()
						return
					}
					i, left := of[next], len(of)-next
					next++
					mu.Unlock()
					own, cancel := share(ctx, left, max(opt.Jobs, 1), shares)
					run, err := guarded(&jobs[i], func() (diag.Run, error) { return runJob(own, p, &jobs[i], opt) })
					late := own.Err() != nil && ctx.Err() == nil
					cancel()
					mu.Lock()
					if errs[i] = err; better(&run, &rep.Runs[i]) {
						rep.Runs[i] = run
					}
					if late {
						again = append(again, i)
					} else if done++; len(jobs) > 1 {
						board.Part("pairs", done, len(jobs))
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		return again
	}
	all := make([]int, len(jobs))
	for i := range all {
		all[i] = i
	}
	turn(turn(all, fairShares), 1)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fairShares is how many even shares of the time that is left a pair may use at first,
// and leastShare how much that is at least.
const (
	fairShares = 4
	leastShare = time.Second
)

// share is a context for one of so many pairs: so many even shares of the time that is
// left, and at most half of it where others have to wait.
func share(ctx context.Context, left, jobs, shares int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || left <= jobs {
		return context.WithCancel(ctx)
	}
	rest := time.Until(end)
	return context.WithTimeoutCause(ctx, max(leastShare, min(rest/2, rest*time.Duration(jobs*shares)/time.Duration(left))), &TimeUp{})
}

// better reports whether a pair's new result says at least as much as the one before.
func better(now, before *diag.Run) bool {
	if before.Threads == nil || now.Reason == "" {
		return true
	}
	return before.Reason != "" && len(now.Bugs) >= len(before.Bugs) && now.CSB >= before.CSB
}
