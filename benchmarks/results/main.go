// Command results measures whoop and writes docs/results.md, a page of tables.
//
//	go run ./benchmarks/results -out out/results -page docs/results.md
//
// It runs the sets of sets.go, each program in a process of its own, and keeps what each
// run printed in the directory of -out. A run that is there is not repeated unless -fresh
// is given, so that an interrupted measurement goes on where it was. The page is made
// from these files, from the results.json files of `whoop bench` in check/NAME below the
// directory, and from explore.txt there, the output of Go's benchmarks.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"whoop/benchmarks/expect"
)

func main() {
	out := flag.String("out", "out/results", "directory of what the runs wrote")
	page := flag.String("page", "docs/results.md", "the page to write")
	tool := flag.String("whoop", "bin/whoop", "the program to run")
	limit := flag.Duration("timeout", 5*time.Minute, "--timeout of each run")
	fresh := flag.Bool("fresh", false, "repeat the runs that are there")
	only := flag.Bool("page-only", false, "run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := runner{tool: *tool, out: *out, limit: *limit, fresh: *fresh, only: *only}
	if err := results(ctx, r, *page); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(2)
	}
}

// results runs the sets and writes the page.
func results(ctx context.Context, r runner, page string) error {
	p, err := r.measurement(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		runs, err := r.set(ctx, s)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			p.Sets = append(p.Sets, measured{s, runs})
		}
	}
	if err := p.read(r.out); err != nil {
		return err
	}
	var b bytes.Buffer
	p.write(&b)
	return os.WriteFile(page, b.Bytes(), 0o666)
}

// measurement is a page without tables: when, where and of what the runs were made. It is
// kept beside them, so that a page that is made later says the same.
func (r runner) measurement(ctx context.Context) (*Page, error) {
	file := filepath.Join(r.out, "measurement.json")
	p := &Page{}
	if r.only {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return p, json.Unmarshal(text, p)
	}
	*p = Page{Machine: machine(), Date: time.Now().UTC().Format(time.DateOnly), Commit: commit(ctx)}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return nil, err
	}
	return p, os.WriteFile(file, text, 0o666)
}

// runner runs programs, or reads what their last run wrote.
type runner struct {
	tool, out   string
	limit       time.Duration
	fresh, only bool
}

// run is one program of a set. Report is what whoop printed as JSON, empty where it
// failed.
type run struct {
	Name    string          `json:"name"`
	File    string          `json:"file"` // whose lines have expectations; "" for none
	Defines []string        `json:"defines,omitempty"`
	CPU     float64         `json:"cpu_seconds"`
	Memory  int64           `json:"memory_bytes"`
	Exit    int             `json:"exit"`
	Error   string          `json:"error,omitempty"`
	Report  json.RawMessage `json:"report,omitempty"`
}

// set runs every program of a set.
func (r runner) set(ctx context.Context, s set) ([]run, error) {
	var out []run
	ps, err := expect.Programs(s.Patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		if strings.HasSuffix(p.Path, "_test.go") {
			continue
		}
		x, ok, err := r.program(ctx, s, p)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, x)
		}
	}
	return out, nil
}

// program is the run of one program: the last one, or a new one; false if there is none.
func (r runner) program(ctx context.Context, s set, p expect.Program) (run, bool, error) {
	name := p.Name + filepath.Ext(p.Path)
	path := filepath.Join(r.out, "runs", s.Name,
		strings.ReplaceAll(name, string(filepath.Separator), "_")+".json")
	if text, err := os.ReadFile(path); err == nil && !r.fresh {
		var x run
		return x, true, json.Unmarshal(text, &x)
	}
	if r.only {
		return run{}, false, nil
	}
	x, err := r.execute(ctx, s, p)
	if err != nil {
		return x, false, err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return x, false, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return x, false, err
	}
	return x, true, os.WriteFile(path, text, 0o666)
}

// execute runs whoop on one program.
func (r runner) execute(ctx context.Context, s set, p expect.Program) (run, error) {
	tool, err := filepath.Abs(r.tool)
	if err != nil {
		return run{}, err
	}
	x := run{Name: p.Name + filepath.Ext(p.Path), File: p.Path, Defines: p.Defines}
	dir, target := s.target(p.Path)
	args := append([]string{s.Command, "--format", "json", "--timeout", r.limit.String()}, s.Args...)
	for _, d := range p.Defines {
		args = append(args, "-D", d)
	}
	cmd := exec.CommandContext(ctx, tool, append(args, target...)...)
	var out, msg bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &msg
	err = cmd.Run()
	if ctx.Err() != nil {
		return x, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return x, err
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		x.Memory = u.Maxrss << 10
	}
	x.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if x.Exit = cmd.ProcessState.ExitCode(); json.Valid(out.Bytes()) {
		x.Report = out.Bytes()
	} else {
		x.Error = strings.TrimSpace(msg.String())
	}
	fmt.Fprintf(os.Stderr, "%s %s: exit status %d, %.1f s\n", s.Name, x.Name, x.Exit, x.CPU)
	return x, nil
}
