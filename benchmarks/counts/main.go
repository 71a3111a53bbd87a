// Command counts holds numbers of executions against those that other tools expect of
// their own tests:
//
//	go run ./benchmarks/counts -whoop bin/whoop -table benchmarks/counts/genmc.tsv DIRECTORY
//
// The directory is one of GenMC's tests (each with expected.sc.mo.in, args.sc.mo.in and
// variants) or of Nidhugg's (with reference.results.txt and C-tests). Each program is
// explored by optimal-dpor, under sequential consistency. What counts are executions that
// come to their end: those that stop at a false assumption are not among the numbers of
// these tools, and neither are deadlocks among GenMC's.
//
// The table has a line a program: what is expected, what was counted, and why not where
// nothing was. With -write it is written; without, the numbers must be those of the
// table. Exit status 1: some are not.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// options say how programs are explored.
type options struct {
	whoop   string
	headers string // a directory of headers that the tests include
	timeout time.Duration
	jobs    int
}

func main() {
	var opt options
	flag.StringVar(&opt.headers, "headers", "benchmarks/counts/include", "directory of headers")
	flag.StringVar(&opt.whoop, "whoop", "bin/whoop", "the program whoop")
	flag.DurationVar(&opt.timeout, "timeout", 20*time.Second, "time for a program")
	flag.IntVar(&opt.jobs, "jobs", 2, "programs at once")
	table := flag.String("table", "", "the table of the numbers that are known")
	write := flag.Bool("write", false, "write the table")
	flag.Parse()
	rows, err := count(flag.Args(), opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(2)
	}
	summary(os.Stdout, rows)
	switch {
	case *table == "":
	case *write:
		err = os.WriteFile(*table, encode(rows), 0o644)
	default:
		err = compare(*table, rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(1)
	}
}

// count explores the programs of the tests in the directories.
func count(dirs []string, opt options) ([]row, error) {
	var tests []test
	for _, dir := range dirs {
		ts, err := find(dir)
		if err != nil {
			return nil, err
		}
		tests = append(tests, ts...)
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("no tests with expected numbers in %v", dirs)
	}
	if abs, err := filepath.Abs(opt.whoop); err == nil {
		opt.whoop = abs
	}
	rows := make([]row, len(tests))
	next := make(chan int)
	var all sync.WaitGroup
	for range opt.jobs {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range next {
				rows[i] = explore(tests[i], opt)
			}
		}()
	}
	for i := range tests {
		next <- i
	}
	close(next)
	all.Wait()
	return rows, nil
}
