package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"whoop/bench/run"
	"whoop/bench/task"
)

// Options say how tasks are run.
type Options struct {
	Tool    string // the verifier: a path, or a name looked up in PATH
	Version string // told in the results
	Configs []Config
	Limits  Limits
	Jobs    int    // runs at once, at least 1
	Dir     string // the output directory; it is made where it is missing
	Fresh   bool   // throw away what a journal in Dir has
	LogCap  int64  // bytes of each log, 0 for run's default
	Runner  *run.Runner
	// Progress, if not nil, is told of each finished run, one at a time; runs of the
	// journal are told of together, as done, before the first.
	Progress func(done, total int, r *Run)
}

// check reports options that cannot be used, and completes them.
func (o *Options) check() error {
	if len(o.Configs) == 0 || o.Runner == nil || o.Dir == "" {
		return errors.New("bench: want configurations, a runner and a directory")
	}
	if o.Jobs < 1 {
		return fmt.Errorf("bench: %d jobs: want at least 1", o.Jobs)
	}
	if o.Limits.CPU < 0 || o.Limits.Wall < 0 || o.Limits.Memory < 0 {
		return errors.New("bench: a limit is negative")
	}
	tool, err := exec.LookPath(o.Tool)
	if err != nil {
		return fmt.Errorf("the verifier: %w", err)
	}
	o.Tool, err = filepath.Abs(tool)
	return err
}

// Execute runs every task under every configuration, except what the directory's journal
// has already. When ctx is done the runs under way are ended and forgotten, and the
// results are of those that were finished. A run that fails is a result like any other;
// the error is about what keeps results from being made or kept.
func Execute(ctx context.Context, tasks []task.Task, o Options) (*Results, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	tasks, notes := runnable(tasks)
	jobs, err := plan(tasks, o.Configs)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	h, err := o.header()
	if err != nil {
		return nil, err
	}
	j, err := openJournal(o.Dir, h, o.Fresh)
	if err != nil {
		return nil, err
	}
	e := &executor{Options: &o, journal: j, jobs: jobs, done: make([]*Run, len(jobs))}
	err = e.all(ctx)
	if cerr := j.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return e.results(append(notes, e.notes...)), nil
}

// header is what a journal of these options begins with.
func (o *Options) header() (header, error) {
	tool, err := digests{}.of(o.Tool)
	if err != nil {
		return header{}, fmt.Errorf("the verifier: %w", err)
	}
	return header{Schema: Schema, Tool: tool, Configs: o.Configs, CPU: o.Limits.CPU.Seconds(), Wall: o.Limits.Wall.Seconds(),
		Memory: o.Limits.Memory}, nil
}

// executor is the state of Execute.
type executor struct {
	*Options
	journal *journal
	jobs    []job

	mu       sync.Mutex // guards the rest
	done     []*Run     // of jobs
	finished int
	notes    []string
}

// all runs what the journal does not have. A worker takes a task and runs it under one
// configuration after the other, so that what else the machine does meanwhile falls on
// all of them.
func (e *executor) all(ctx context.Context) error {
	groups := make(chan []int)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	todo := e.takeJournal()
	for range e.Jobs {
		workers.Go(func() {
			for group := range groups {
				for _, i := range group {
					if err := e.one(ctx, i); err != nil {
						stop(err)
					}
				}
			}
		})
	}
feed:
	for _, g := range todo {
		select {
		case groups <- g:
		case <-ctx.Done():
			break feed
		}
	}
	close(groups)
	workers.Wait()
	var own *storeError
	if errors.As(context.Cause(ctx), &own) {
		return own.err
	}
	return nil
}

// storeError marks an error that must end the work, apart from a context that was done
// from outside.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }

// takeJournal takes over the runs the journal has, and returns the other jobs, a task's
// together.
func (e *executor) takeJournal() [][]int {
	var todo [][]int
	var last *task.Task
	for i := range e.jobs {
		jb := &e.jobs[i]
		if r, ok := e.journal.done[jb.key]; ok {
			r.Config = jb.config.Name
			r.classify(jb.task)
			e.done[i] = &r
			e.finished++
			continue
		}
		if jb.task != last {
			todo = append(todo, nil)
			last = jb.task
		}
		todo[len(todo)-1] = append(todo[len(todo)-1], i)
	}
	if stale := len(e.journal.done) - e.finished; stale > 0 {
		e.notes = append(e.notes, fmt.Sprintf("%d runs in the journal are of tasks that are not asked for, or have changed: not counted", stale))
	}
	if e.Progress != nil && e.finished > 0 {
		e.Progress(e.finished, len(e.jobs), nil)
	}
	return todo
}

// one does a run and writes it down.
func (e *executor) one(ctx context.Context, i int) error {
	jb := &e.jobs[i]
	if ctx.Err() != nil {
		return nil
	}
	r, keep, err := e.run(ctx, jb)
	if err != nil {
		return &storeError{err}
	}
	if r.End == run.Cancelled {
		return nil
	}
	if keep {
		if err := e.journal.add(jb.key, r); err != nil {
			return &storeError{err}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done[i] = &r
	e.finished++
	if !keep {
		e.notes = append(e.notes, fmt.Sprintf("%s under %s could not be run and will be tried again: %s", jb.task.ID(), r.Config, r.Verdict.Detail))
	}
	if e.Progress != nil {
		e.Progress(e.finished, len(e.jobs), &r)
	}
	return nil
}

// run does a run. It is kept unless it is the machine's fault that it failed.
func (e *executor) run(ctx context.Context, jb *job) (r Run, keep bool, err error) {
	r = Run{Config: jb.config.Name, Log: jb.file("logs", ".log")}
	log := filepath.Join(e.Dir, filepath.FromSlash(r.Log))
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		return r, false, err
	}
	witness, err := e.witnessFile(jb)
	if err != nil {
		return r, false, err
	}
	res, err := e.Runner.Run(ctx, run.Command{Args: append([]string{e.Tool}, jb.config.arguments(jb.task, witness)...),
		CPU: e.Limits.CPU, Wall: e.Limits.Wall, Memory: e.Limits.Memory, Log: log, LogCap: e.LogCap, Env: e.Limits.environment(os.Environ())})
	r.End, r.Exit = res.End, res.Exit
	r.CPUSeconds, r.WallSeconds, r.MemoryBytes = res.CPU.Seconds(), res.Wall.Seconds(), res.Memory
	if r.Verdict = readVerdict(res); err != nil {
		r.Verdict = task.Verdict{Kind: task.Error, Detail: oneLine(err.Error())}
	}
	r.classify(jb.task)
	if st, serr := os.Stat(witness); witness != "" && serr == nil && st.Size() > 0 {
		r.Witness = jb.file("witnesses", ".yml")
	}
	return r, err == nil, nil
}

// witnessFile is where the verifier is to write its witness: a new file's name, or ""
// where none is wanted.
func (e *executor) witnessFile(jb *job) (string, error) {
	if !jb.config.wantsWitness() {
		return "", nil
	}
	path := filepath.Join(e.Dir, filepath.FromSlash(jb.file("witnesses", ".yml")))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	return path, nil
}

// results puts together what was done.
func (e *executor) results(notes []string) *Results {
	res := &Results{Schema: Schema, Tool: e.Tool, Version: e.Version, Configs: e.Configs, Jobs: e.Jobs, Accounting: e.Runner.Accounting(),
		CPULimit: e.Limits.CPU.Seconds(), WallLimit: e.Limits.Wall.Seconds(), MemoryLimit: e.Limits.Memory,
		Planned: len(e.jobs), Complete: e.finished == len(e.jobs), Notes: notes}
	for _, r := range e.done {
		if r != nil {
			res.Runs = append(res.Runs, *r)
		}
	}
	res.Summaries = Summarise(e.Configs, res.Runs)
	for _, c := range e.Configs[1:] {
		res.Comparisons = append(res.Comparisons, Compare(e.Configs[0].Name, res.of(e.Configs[0].Name), c.Name, res.of(c.Name)))
	}
	return res
}

// of is the runs of a configuration.
func (r *Results) of(config string) []Run {
	var out []Run
	for _, x := range r.Runs {
		if x.Config == config {
			out = append(out, x)
		}
	}
	return out
}
