package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"whoop/alias"
	"whoop/diag"
	"whoop/frontend/c"
	"whoop/frontend/entry"
	"whoop/frontend/models"
	"whoop/ir"
	"whoop/lockset"
	"whoop/lockset/mhp"
	"whoop/smt"
	"whoop/smt/z3"
)

// Options of a run; zero values are the defaults.
type Options struct {
	C c.Options
	// Models are further model files.
	Models []string
	// Jobs is how many entry points are analysed at once.
	Jobs int
	// QueryTimeout bounds one solver query (default 30 s), Timeout the whole run.
	QueryTimeout, Timeout time.Duration
	// Pairs restricts the pairs, each "a,b".
	Pairs []string
	// DumpSMT is a directory for SMT-LIB scripts.
	DumpSMT  string
	Progress func(done, total int, what string)
}

// Load reads the input and finds its entry points.
func Load(path string, opt Options) (*ir.Program, error) {
	m, err := models.Load(opt.Models...)
	if err != nil {
		return nil, err
	}
	var p *ir.Program
	switch ext := filepath.Ext(path); {
	case ext == ".wir":
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if p, err = ir.Parse(path, src); err != nil {
			return nil, err
		}
	case ext == ".c", ext == ".i", filepath.Base(path) == "compile_commands.json", isDir(path):
		if p, err = c.Load(path, m, opt.C); err != nil {
			return nil, err
		}
	default:
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s: no such file or directory", path)
		}
		return nil, fmt.Errorf("%s: want a .c, .i or .wir file, a directory with C files, or a compile_commands.json", path)
	}
	if len(p.Entries) == 0 {
		if err := entry.Infer(p, m, entry.Options{}); err != nil {
			return nil, err
		}
	}
	if err := ir.Validate(p); err != nil {
		return nil, fmt.Errorf("%s: internal error: the front end made an invalid program: %w", path, err)
	}
	return p, nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// Verify proves or refutes, pair by pair, that the entry points of the input cannot race.
func Verify(ctx context.Context, path string, opt Options) (*diag.Report, error) {
	start := time.Now()
	p, err := Load(path, opt)
	if err != nil {
		return nil, err
	}
	if opt.QueryTimeout == 0 {
		opt.QueryTimeout = 30 * time.Second
	}
	for _, w := range opt.Pairs {
		if err := checkPair(p, w); err != nil {
			return nil, err
		}
	}
	if opt.DumpSMT != "" {
		if err := os.MkdirAll(opt.DumpSMT, 0o777); err != nil {
			return nil, err
		}
	}
	al := alias.Analyze(p, alias.Options{})
	mh := mhp.Analyze(p, al)
	rep, err := lockset.Verify(ctx, p, al, mh, lockset.Options{Jobs: opt.Jobs, QueryTimeout: opt.QueryTimeout, Timeout: opt.Timeout,
		Pairs: opt.Pairs, DumpSMT: opt.DumpSMT, Progress: opt.Progress,
		NewSolver: func() (smt.Solver, error) { return z3.New(z3.Options{Timeout: opt.QueryTimeout}) }})
	if err != nil {
		return nil, err
	}
	rep.Tool, rep.Command, rep.Input, rep.Seconds = "whoop", "verify", path, time.Since(start).Seconds()
	return rep, nil
}
