package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pair is two lines of a program with conflicting accesses, the smaller first; 0 stands
// for code elsewhere.
type pair struct{ a, b int }

func newPair(a, b int) pair { return pair{min(a, b), max(a, b)} }

// sightings is what the detector showed in the runs of a program.
type sightings struct {
	runs, racy int          // runs, and those in which a race showed
	cut        int          // runs that were ended at the limit
	crashed    int          // runs that a panic or a fatal error of Go's runtime ended
	groups     int          // runs in which an operation of a WaitGroup raced
	pairs      map[pair]int // in how many runs each pair showed
}

// lines are the program's lines of the pairs.
func (s sightings) lines() map[int]bool { return linesOf(s.pairs) }

// linesOf collects the lines of pairs.
func linesOf[V any](pairs map[pair]V) map[int]bool {
	out := map[int]bool{}
	for p := range pairs {
		for _, l := range []int{p.a, p.b} {
			if l > 0 {
				out[l] = true
			}
		}
	}
	return out
}

// watch runs the executable as often as the options say, some runs at once.
func (p program) watch(ctx context.Context, exe string, opt options) (sightings, error) {
	s := sightings{pairs: map[pair]int{}}
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	started, end := 0, time.Now().Add(opt.budget)
	next := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if started >= opt.runs || failed != nil || ctx.Err() != nil || time.Now().After(end) {
			return false
		}
		started++
		return true
	}
	for range max(opt.jobs, 1) {
		wg.Go(func() {
			for next() {
				r, err := p.once(ctx, exe, opt)
				mu.Lock()
				s.add(r)
				if err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return s, failed
}

// outcome is one run.
type outcome struct {
	pairs                map[pair]bool
	cut, crashed, groups bool
}

func (s *sightings) add(r outcome) {
	s.runs++
	if len(r.pairs) > 0 {
		s.racy++
	}
	if r.cut {
		s.cut++
	}
	if r.crashed {
		s.crashed++
	}
	if r.groups {
		s.groups++
	}
	for x := range r.pairs {
		s.pairs[x]++
	}
}

// once runs the executable in the program's directory, for at most the limit.
func (p program) once(ctx context.Context, exe string, opt options) (outcome, error) {
	run, stop := context.WithTimeout(ctx, opt.limit)
	defer stop()
	cmd := exec.CommandContext(run, exe)
	var text bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = p.dir, &text, time.Second
	if p.library {
		cmd.Stdout = &text // go test reports there what the detector did
	}
	cmd.Env = append(os.Environ(), fmt.Sprintf("GORACE=history_size=7 atexit_sleep_ms=%d", opt.linger.Milliseconds()))
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited && run.Err() == nil {
		return outcome{}, err
	}
	out := text.String()
	crashed := strings.Contains(out, "\npanic: ") || strings.HasPrefix(out, "panic: ") || strings.Contains(out, "fatal error: ")
	return outcome{pairs: p.races(out), cut: run.Err() != nil, crashed: crashed, groups: groupRace.MatchString(out)}, nil
}

// access and frame are lines of the detector's reports: the head of an access, and the
// place of a call.
var (
	access = regexp.MustCompile(`(?i)^(previous )?(atomic )?(read|write) at 0x[0-9a-f]+ by `)
	frame  = regexp.MustCompile(`^      (\S.*):(\d+) \+0x[0-9a-f]+$`)
)

// groupRace is the place of an operation on a WaitGroup in a report, which has no more.
var groupRace = regexp.MustCompile(`(?m)^  runtime\.race(read|write)\(\)$`)

// races reads the detector's reports. An access is at the innermost call that is in the
// program's file. Those of WaitGroups are left out here: their reports lack the call of
// the operation.
func (p program) races(text string) map[pair]bool {
	out := map[pair]bool{}
	for _, report := range strings.Split(text, "WARNING: DATA RACE\n")[1:] {
		report, _, _ = strings.Cut(report, "\n==================")
		var lines []int
		for _, section := range strings.Split(report, "\n\n") {
			if access.MatchString(section) && !strings.Contains(section, "runtime.raceread()") && !strings.Contains(section, "runtime.racewrite()") {
				lines = append(lines, p.innermost(section))
			}
		}
		if len(lines) == 2 {
			out[newPair(lines[0], lines[1])] = true
		}
	}
	return out
}

// innermost is the line of the first call in the program's file, or 0.
func (p program) innermost(section string) int {
	for _, s := range strings.Split(section, "\n") {
		m := frame.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[2]); err == nil && p.line(m[1], n) > 0 {
			return n
		}
	}
	return 0
}
