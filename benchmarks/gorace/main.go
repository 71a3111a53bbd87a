// Command gorace runs the annotated Go programs under Go's race detector and holds what
// it shows against what the programs say of themselves (package benchmarks/expect) and
// against what whoop verify reports:
//
//	go run ./benchmarks/gorace -runs 100 benchmarks/golang
//
// Each argument is a directory; every directory below it with one Go file is a program. A
// program with func main is built with -race and run; a library is run by its
// driver_test.go, which go test -race -c builds, and left out if it has none. The
// detector sees two accesses only if both happen in a run and nothing orders them in it,
// so each program is run many times.
//
// With -stretch it runs copies of the programs in which statements are preceded by pauses
// (stretch.go): so the races of rare schedules show, and it can be seen that they are
// real.
//
// It prints a table in Markdown and exits with status 1 if the detector shows a line that
// is not annotated with RACE!, a race between two lines that verify does not report, or a
// race of a WaitGroup where verify reports none; with 2 if a program cannot be built or analysed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// options are the bounds of the runs.
type options struct {
	runs, jobs           int           // runs of each program, and how many of them at once
	limit, budget, prove time.Duration // of one run, of all runs of a program, of verify
	// how long the detector's runtime waits at the end for other goroutines
	linger  time.Duration
	stretch bool // run copies with pauses
}

func main() {
	var opt options
	flag.IntVar(&opt.runs, "runs", 100, "runs of each program")
	flag.IntVar(&opt.jobs, "jobs", 2, "runs at once")
	flag.DurationVar(&opt.limit, "limit", 3*time.Second, "a run is ended after this time")
	flag.DurationVar(&opt.budget, "budget", 2*time.Minute, "no further runs of a program after this time")
	flag.DurationVar(&opt.prove, "verify", 5*time.Minute, "time for verify (an entry point has a quarter of it)")
	flag.DurationVar(&opt.linger, "linger", 50*time.Millisecond, "time for other goroutines after main has returned (atexit_sleep_ms)")
	flag.BoolVar(&opt.stretch, "stretch", false, "run copies with pauses before the statements, and short timeouts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rows, err := run(ctx, flag.Args(), opt)
	write(os.Stdout, rows)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gorace:", err)
		os.Exit(2)
	}
	if complain(os.Stderr, rows) {
		os.Exit(1)
	}
}

// run compares the programs under the directories one by one; with an error come the rows
// that were done.
func run(ctx context.Context, dirs []string, opt options) ([]row, error) {
	progs, err := find(dirs)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "gorace")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	var rows []row
	for _, p := range progs {
		r, err := compare(ctx, p, work, opt)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", p.dir, err)
		}
		rows = append(rows, r)
		fmt.Fprintf(os.Stderr, "%s: %d of %d runs show a race\n", p.dir, r.seen.racy, r.seen.runs)
	}
	return rows, nil
}
