// Command reduction measures how much the proofs of verify save bmc, driver by driver, as
// table 3.2 and figure 3.11 of the thesis on Whoop do: for each bound it prints the yield
// points and seconds of --yields all, epp and mr, and the ratios, and draws a scatter
// plot of all against mr.
//
//	go run ./benchmarks/reduction -csb 2,5,9 -timeout 60s -out out/bench
//
// Its first column of seconds is the setting of the thesis: every shared access is a
// yield point, and all that is asked is Lal's and Reps' formula, round by round. The
// others ask about all executions at once first, as bmc does by default. All look for the
// same: what a pair does by itself (--pairs-only).
//
// Seconds are of processor time, all pairs of a driver one after the other; those of epp
// and mr include verify's. What is not done in its time is shown as ">60", and a ratio
// with it as a bound.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"whoop/bench/plot"
	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/pipeline"
)

// measurement is one run of bmc on a driver.
type measurement struct {
	yields  int
	seconds float64
	done    bool // in its time
	bug     bool
	err     error
}

func (m measurement) String() string {
	switch {
	case m.err != nil:
		return "error"
	case !m.done:
		return fmt.Sprintf(">%.0f", m.seconds)
	}
	return fmt.Sprintf("%.2f", m.seconds)
}

func main() {
	csbs := flag.String("csb", "2,5,9", "bounds")
	timeout := flag.Duration("timeout", time.Minute, "of a driver, for each bound and mode")
	baseline := flag.Duration("baseline", 20*time.Second, "the same of the first column, which hardly ever ends where the others take long")
	drivers := flag.String("drivers", "benchmarks/drivers/*.c,examples/driver/*.c", "the drivers: patterns")
	out := flag.String("out", "out/bench", "directory of the plots")
	flag.Parse()
	if err := run(*csbs, *drivers, *out, *timeout, *baseline); err != nil {
		fmt.Fprintln(os.Stderr, "reduction:", err)
		os.Exit(2)
	}
}

func run(csbs, drivers, out string, timeout, baseline time.Duration) error {
	files, err := expect.Programs(strings.Split(drivers, ",")...)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no driver matches %s", drivers)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, s := range strings.Split(csbs, ",") {
		csb, err := strconv.Atoi(s)
		if err != nil || csb < 0 {
			return fmt.Errorf("-csb %q: want numbers with commas between", csbs)
		}
		if err := table(files, csb, timeout, baseline, filepath.Join(out, fmt.Sprintf("reduction-csb%d.svg", csb))); err != nil {
			return err
		}
	}
	return nil
}

// table measures all drivers under one bound.
func table(files []expect.Program, csb int, timeout, baseline time.Duration, svg string) error {
	fmt.Printf("csb=%d, %s a run\n", csb, timeout)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "driver\tyields all\tepp\tmr\tseconds all, rounds only\tall\tepp\tmr\trounds:mr\tall:epp\tall:mr\tanswer\t")
	var base, epps, mrs []float64
	var points []plot.Point
	for _, f := range files {
		var m [3]measurement
		for i, y := range pipeline.Yields {
			m[i] = measure(f, y, csb, timeout, false)
		}
		rounds := measure(f, "all", csb, baseline, true)
		fmt.Fprintf(os.Stderr, "csb=%d %s: rounds only %s, all %s, epp %s, mr %s\n", csb,
			filepath.Base(f.Name), rounds, m[0], m[1], m[2])
		answer := "no bug"
		if m[0].bug || m[1].bug || m[2].bug {
			answer = "bug"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n",
			filepath.Base(f.Name), m[0].yields, m[1].yields, m[2].yields,
			rounds, m[0], m[1], m[2], ratio(rounds, m[2], &base), ratio(m[0], m[1], &epps), ratio(m[0], m[2], &mrs), answer)
		points = append(points, point(f.Name, answer, rounds, m[2]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("median rounds:mr %.2f (least %.2f), all:epp %.2f, all:mr %.2f (least %.2f)\n\n", median(base), least(base), median(epps), median(mrs), least(mrs))
	file, err := os.Create(svg)
	if err != nil {
		return err
	}
	err = plot.Scatter(file, plot.ScatterData{Title: fmt.Sprintf("csb=%d: every shared access against accesses that may race", csb), XLabel: "yields all, rounds only, s", YLabel: "yields mr, s",
		Limit: timeout.Seconds(), Points: points})
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}

// measure runs bmc on a driver.
func measure(p expect.Program, yields string, csb int, timeout time.Duration,
	roundsOnly bool) measurement {
	o := pipeline.BMCOptions{CSB: csb, Unroll: 2, Yields: yields, LalRepsOnly: roundsOnly, Before: -1}
	o.Jobs, o.C.Defines = 1, p.Defines
	start := processor()
	ctx, cancel := limited(timeout)
	rep, err := pipeline.BMC(ctx, p.Path, o)
	cancel()
	m := measurement{seconds: (processor() - start).Seconds(), done: true, err: err}
	if err != nil {
		fmt.Fprintf(os.Stderr, "reduction: %s: %v\n", p.Name, err)
		return m
	}
	for _, r := range rep.Runs {
		m.yields += r.Yields
		m.bug = m.bug || r.Answer == diag.HasBug
		if r.Reason != "" {
			m.done, m.seconds = false, timeout.Seconds()
		}
	}
	return m
}

// limited is a context that ends when this process has used so much more time of
// processors.
func limited(timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	end := processor() + timeout
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for processor() < end {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}

// processor is the time that processors have spent on this process, so that what else the
// machine does counts for little.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ratio is how many times slower a is than b; where one was not done in its time it is a
// bound, and where both were not, nothing.
func ratio(a, b measurement, to *[]float64) string {
	if a.err != nil || b.err != nil || !a.done && !b.done {
		return "?"
	}
	r := a.seconds / b.seconds
	*to = append(*to, r)
	switch {
	case !a.done:
		return fmt.Sprintf(">%.2f", r)
	case !b.done:
		return fmt.Sprintf("<%.2f", r)
	}
	return fmt.Sprintf("%.2f", r)
}

func point(file, class string, all, mr measurement) plot.Point {
	p := plot.Point{X: all.seconds, Y: mr.seconds, Class: class, Title: filepath.Base(file)}
	if !all.done {
		p.XOut = "timeout"
	}
	if !mr.done {
		p.YOut = "timeout"
	}
	return p
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := append([]float64(nil), xs...)
	sort.Float64s(s)
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func least(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := append([]float64(nil), xs...)
	sort.Float64s(s)
	return s[0]
}
