package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// New is a runner that is supervised by this program started again, in a cgroup where one
// can be had. The path /proc/self/exe stays right when the file is replaced meanwhile.
func New() *Runner {
	return &Runner{Helper: []string{"/proc/self/exe", HelperArgument}, Cgroup: usableCgroup("/proc/self")}
}

// Run runs a command until it ends, reaches a limit, or ctx is done, and leaves none of
// its processes. The error is about what kept it from running: a program that is not
// there, a log that cannot be written, a supervisor that failed. How the command ended,
// however badly, is in the Result.
func (r *Runner) Run(ctx context.Context, c Command) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{End: Cancelled}, nil
	}
	path, err := lookup(c)
	if err != nil {
		return Result{}, err
	}
	log, err := openLog(c.Log, c.LogCap)
	if err != nil {
		return Result{}, err
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	res, err := r.supervised(ctx, order{Command: c, Path: path, Cgroup: r.Cgroup}, log)
	if lerr := log.close(); err == nil && lerr != nil {
		err = fmt.Errorf("log: %w", lerr)
	}
	return res, err
}

// lookup finds the program as the command will see it.
func lookup(c Command) (string, error) {
	path := c.Args[0]
	if filepath.Base(path) != path && !filepath.IsAbs(path) && c.Dir != "" {
		path = filepath.Join(c.Dir, path)
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return "", fmt.Errorf("run: %w", err)
	}
	return filepath.Abs(found)
}

// supervised starts the supervisor, gives it its order, and waits for its answer.
func (r *Runner) supervised(ctx context.Context, o order, log *logFile) (Result, error) {
	orders, toHelper, err := os.Pipe()
	if err != nil {
		return Result{}, err
	}
	defer toHelper.Close()
	fromHelper, answers, err := os.Pipe()
	if err != nil {
		orders.Close()
		return Result{}, err
	}
	defer fromHelper.Close()
	out := &tail{to: log}
	cmd := exec.Command(r.Helper[0], r.Helper[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdout, cmd.Stderr = out, log
	cmd.ExtraFiles = []*os.File{orders, answers}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is for us alone
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Start()
	orders.Close()
	answers.Close()
	if err != nil {
		return Result{}, fmt.Errorf("supervisor: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { toHelper.Close() })
	defer stop()
	sendErr := json.NewEncoder(toHelper).Encode(o)
	res, err := readAnswer(fromHelper)
	waitErr := cmd.Wait()
	res.LogSize, res.Stdout = log.size, out.bytes()
	switch {
	case err == nil && res.Problem != "":
		return res, errors.New(res.Problem)
	case err == nil:
		return res, nil
	case ctx.Err() != nil: // it was told to stop before it had read its order
		return Result{End: Cancelled}, nil
	}
	return res, fmt.Errorf("supervisor of %s gave no answer: %w", o.Command.Args[0], errors.Join(sendErr, err, waitErr))
}

// readAnswer reads what the supervisor says in the end.
func readAnswer(r io.Reader) (Result, error) {
	var res Result
	err := json.NewDecoder(r).Decode(&res)
	return res, err
}
