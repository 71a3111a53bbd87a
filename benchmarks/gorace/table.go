package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sort"

	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/pipeline"
)

// row is a program, what the detector showed and what verify reported.
type row struct {
	program
	skipped  bool // a library without a driver: not run
	seen     sightings
	reported map[pair]bool
	// groups: verify reports a race of Add and Wait, or of two rounds of a WaitGroup.
	groups  bool
	verdict diag.Verdict
}

// compare runs one program and verifies it.
func compare(ctx context.Context, p program, work string, opt options) (row, error) {
	r := row{program: p, skipped: p.library && !p.driven}
	rep, err := pipeline.Verify(ctx, p.dir, pipeline.Options{Jobs: 2, Timeout: opt.prove})
	if err != nil {
		return r, err
	}
	r.verdict, r.reported = rep.Verdict, p.reported(rep)
	r.groups = slices.ContainsFunc(rep.Races, func(x diag.Race) bool { return x.Kind == diag.AddWait || x.Kind == diag.WaitReuse })
	if opt.stretch && !p.library {
		if p, err = p.stretched(work); err != nil {
			return r, err
		}
	}
	if r.skipped {
		return r, nil
	}
	exe := filepath.Join(work, "x")
	if err = p.build(ctx, exe); err != nil {
		return r, err
	}
	r.seen, err = p.watch(ctx, exe, opt)
	return r, err
}

// racy counts the lines that are annotated as racy, and how many of them are in the set.
func (r row) racy(in map[int]bool) (all, hit int) {
	for l, m := range r.want {
		if m == expect.Race {
			all++
			if in[l] {
				hit++
			}
		}
	}
	return all, hit
}

// alarms counts the reported lines that are not annotated as racy.
func (r row) alarms() int {
	n := 0
	for l := range linesOf(r.reported) {
		if r.want[l] != expect.Race {
			n++
		}
	}
	return n
}

// unexpected are the lines that the detector showed although they are not annotated as
// racy or unseen; unreported the pairs that it showed and verify did not report. Pairs
// with code outside the program's file, or with a line that is known to be unseen, are
// left out.
func (r row) unexpected() []int {
	var out []int
	for l := range r.seen.lines() {
		if r.want[l] != expect.Race && r.want[l] != expect.Unseen {
			out = append(out, l)
		}
	}
	sort.Ints(out)
	return out
}

func (r row) unreported() []pair {
	var out []pair
	for x := range r.seen.pairs {
		if x.a > 0 && !r.reported[x] && r.want[x.a] != expect.Unseen && r.want[x.b] != expect.Unseen {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(x, y pair) int { return 1000000*(x.a-y.a) + x.b - y.b })
	return out
}

// write prints the table, and the sums of each folder.
func write(w io.Writer, rows []row) {
	fmt.Fprintln(w, "| program | racy lines | shown by the detector | runs with a race | reported by verify | false alarms of verify |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	sums := map[string]*sum{}
	for _, r := range rows {
		all, shown := r.racy(r.seen.lines())
		_, reported := r.racy(linesOf(r.reported))
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %d |\n", filepath.Base(r.dir), all, orDash(r.skipped, shown), r.runs(), r.found(reported), r.alarms())
		dir := filepath.Dir(r.dir)
		if sums[dir] == nil {
			sums[dir] = &sum{}
		}
		sums[dir].add(r, all, shown, reported)
	}
	for _, dir := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(w, "\n%s: %s\n", dir, sums[dir])
	}
}

// found is the number of racy lines that verify reported; a "?" tells that it left
// something undecided.
func (r row) found(n int) string {
	if r.verdict == diag.Unknown {
		return fmt.Sprintf("%d ?", n)
	}
	return fmt.Sprint(n)
}

// runs tells in how many runs a race showed, and how runs ended that did not end by
// themselves.
func (r row) runs() string {
	if r.skipped {
		return "not run"
	}
	s := fmt.Sprintf("%d of %d", r.seen.racy, r.seen.runs)
	if r.seen.cut > 0 {
		s += fmt.Sprintf(", %d cut off", r.seen.cut)
	}
	if r.seen.crashed > 0 {
		s += fmt.Sprintf(", %d crashed", r.seen.crashed)
	}
	return s
}

func orDash(dash bool, n int) string {
	if dash {
		return "-"
	}
	return fmt.Sprint(n)
}

// sum adds the rows of a folder up.
type sum struct {
	programs, racyPrograms, shownPrograms, foundPrograms int
	racy, shown, reported, alarms, alarmPrograms         int
	skipped                                              int
}

func (s *sum) add(r row, all, shown, reported int) {
	s.programs++
	s.racyPrograms += one(all > 0)
	s.shownPrograms += one(shown > 0)
	s.foundPrograms += one(all > 0 && reported == all)
	s.racy, s.shown, s.reported = s.racy+all, s.shown+shown, s.reported+reported
	s.alarms += r.alarms()
	s.alarmPrograms += one(r.alarms() > 0)
	s.skipped += one(r.skipped)
}

func (s *sum) String() string {
	return fmt.Sprintf("%d programs (%d not run), %d racy: the detector shows a race in %d of them and %d of their %d racy lines, "+
		"verify reports all racy lines of %d of them and %d lines; %d false alarms of verify in %d programs",
		s.programs, s.skipped, s.racyPrograms, s.shownPrograms, s.shown, s.racy, s.foundPrograms, s.reported, s.alarms, s.alarmPrograms)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// complain prints the disagreements and tells whether there are any.
func complain(w io.Writer, rows []row) bool {
	bad := false
	for _, r := range rows {
		if ls := r.unexpected(); len(ls) > 0 {
			bad = true
			fmt.Fprintf(w, "%s: the detector shows lines %v, which are not annotated with RACE!\n", r.dir, ls)
		}
		if r.seen.groups > 0 && !r.groups && !slices.Contains(slices.Collect(maps.Values(r.want)), expect.Unseen) {
			bad = true
			fmt.Fprintf(w, "%s: the detector shows a race of a WaitGroup, and verify reports none (its verdict: %s)\n", r.dir, r.verdict)
		}
		for _, x := range r.unreported() {
			bad = true
			fmt.Fprintf(w, "%s: the detector shows a race of the lines %d and %d, which verify does not report (its verdict: %s)\n", r.dir, x.a, x.b, r.verdict)
		}
	}
	return bad
}
