package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"whoop/diag"
	"whoop/frontend/c"
	"whoop/frontend/golang"
	"whoop/frontend/golang/lockuse"
	"whoop/frontend/golang/program"
	"whoop/internal/crash"
	"whoop/ir"
)

// loadUnits is load, for Go packages with a program for each main package and for
// libraries that have nothing in common (golang.Units). Where there are several main
// packages, the entry points of each have its name before theirs, and so have those of
// several libraries. Where there is one main package, those have that are called as one
// of the libraries'. A file of entry points is about all packages together.
func loadUnits(ctx context.Context, path string, opt Options) ([]*ir.Program, []diag.Finding, error) {
	if err := opt.oneLanguage(path); err != nil {
		return nil, nil, err
	}
	switch {
	case !program.Is(path) && filepath.Ext(path) != ".wir" && opt.EntryPoints == "":
		ps, err := cUnits(ctx, path, opt)
		return ps, nil, err
	case !program.Is(path) || opt.EntryPoints != "" || opt.Root != "":
		p, found, err := load(ctx, path, opt)
		return []*ir.Program{p}, found, err
	}
	m, _, err := modelsOf(opt)
	if err != nil {
		return nil, nil, err
	}
	src, err := inTime(ctx, path, func() (*program.Source, error) { return program.ReadInput(opt.packages(path)) })
	if err != nil {
		return nil, nil, err
	}
	var ps []*ir.Program
	options, err := opt.golang()
	if err != nil {
		return nil, nil, err
	}
	units, err := inTime(ctx, path, func() ([]program.Unit, error) { return golang.Units(src, options) })
	if err != nil {
		return nil, nil, err
	}
	// named: programs with a name, by whether they have a main function
	taken, named := map[string]bool{}, map[bool]int{}
	for _, u := range units {
		if u.Name != "" {
			named[u.Main]++
		}
	}
	for _, u := range units {
		low, err := inTime(ctx, path, func() (*golang.Lowered, error) { return golang.Lower(u.Source, options) })
		if errors.Is(err, golang.ErrNoEntries) {
			low.Program.Name = unitName(u)
			ps = append(ps, low.Program)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		p, err := prepared(ctx, path, low.Program, m, nil, opt)
		if err != nil {
			return nil, nil, err
		}
		p.Name = unitName(u)
		if u.Name != "" {
			rename(p, u.Name+": ", func(name string) bool { return named[u.Main] > 1 || taken[name] })
		}
		for _, e := range p.Entries {
			taken[e.Name] = true
		}
		ps = append(ps, p)
	}
	if !opt.Warnings {
		return ps, nil, nil
	}
	return ps, lockuse.Find(src), nil
}

// unitName is what a program is called beside others: those without a name of their own
// have that of their package, or say how many there are.
func unitName(u program.Unit) string {
	var given []string
	for _, p := range u.Packages {
		if p.Given {
			given = append(given, p.SSA.Pkg.Path())
		}
	}
	switch {
	case u.Name != "":
		return u.Name
	case len(given) == 1:
		return given[0]
	}
	return fmt.Sprintf("%s and %d more packages", given[0], len(given)-1)
}

// cUnits is load for C files: a program for each main function of a directory or a
// compilation database, whose entry points have the name of its file before their names
// where there are several.
func cUnits(ctx context.Context, path string, opt Options) ([]*ir.Program, error) {
	m, _, err := modelsOf(opt)
	if err == nil {
		err = opt.cFiles(path)
	}
	if err != nil {
		return nil, err
	}
	read, err := inTime(ctx, path, func() ([]c.Program, error) { return c.Programs(opt.inputs(path), m, opt.C) })
	if err != nil {
		return nil, err
	}
	var ps []*ir.Program
	for _, r := range read {
		p, err := prepared(ctx, opt.name(path), r.Program, m, nil, opt)
		if err != nil {
			return nil, err
		}
		if r.Main != "" {
			name := r.Main
			if rel, err := filepath.Rel(path, r.Main); err == nil && !strings.HasPrefix(rel, "..") {
				name = rel
			}
			p.Name = name
			rename(p, name+": ", func(string) bool { return true })
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// rename puts a prefix before some names of a program's entry points.
func rename(p *ir.Program, prefix string, some func(string) bool) {
	change := func(name *string) {
		if some(*name) {
			*name = prefix + *name
		}
	}
	for _, e := range p.Entries {
		change(&e.Name)
	}
	for i := range p.Exclusions {
		change(&p.Exclusions[i].A)
		change(&p.Exclusions[i].B)
	}
}

// proveUnits is Prove for several programs, at most opt.Jobs at a time; the report is
// about all.
func proveUnits(ctx context.Context, ps []*ir.Program, opt Options) (*diag.Report, error) {
	if len(ps) == 1 {
		return Prove(ctx, ps[0], opt)
	}
	pairs, err := pairsOf(ps, opt.Pairs)
	if err != nil {
		return nil, err
	}
	ctx, cancel := limited(ctx, opt.Timeout) // for all together
	defer cancel()
	count := newCount(ps, opt.Progress)
	reps := make([]*diag.Report, len(ps))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(opt.Jobs, 1))
	for i, p := range ps {
		o := opt
		o.Pairs, o.Progress = pairs[i], count.of(i)
		if len(opt.Pairs) > 0 && len(o.Pairs) == 0 {
			continue
		}
		g.Go(func() (err error) {
			defer func() {
				if x := recover(); x != nil {
					err = crash.Error(x)
				}
			}()
			reps[i], err = Prove(ctx, p, o)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := &diag.Report{Disciplined: true}
	for i, r := range reps {
		if r == nil {
			continue
		}
		out.Join(r)
		x := diag.Program{Name: ps[i].Name}
		for _, e := range r.Entries {
			x.Entries = append(x.Entries, e.Name)
		}
		out.Programs = append(out.Programs, x)
	}
	return out, nil
}

// pairsOf divides the pairs that are asked for among the programs.
func pairsOf(ps []*ir.Program, want []string) ([][]string, error) {
	out := make([][]string, len(ps))
	for _, w := range want {
		a, b, _ := diag.CutPair(w)
		found := false
		for i, p := range ps {
			if p.EntryByName(a) != nil && p.EntryByName(b) != nil {
				out[i], found = append(out[i], w), true
			}
		}
		if !found {
			return nil, fmt.Errorf("--pairs %q: these entry points are of different programs, which do not run together", w)
		}
	}
	return out, nil
}

// count adds up the progress of several runs.
type count struct {
	mu    sync.Mutex
	done  []int
	total int
	tell  func(done, total int, what string)
}

func newCount(ps []*ir.Program, tell func(int, int, string)) *count {
	c := &count{done: make([]int, len(ps)), tell: tell}
	for _, p := range ps {
		c.total += len(p.Entries)
	}
	return c
}

// of is the progress function of one run; nil where nobody is told.
func (c *count) of(i int) func(done, total int, what string) {
	if c.tell == nil {
		return nil
	}
	return func(done, _ int, what string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.done[i] = done
		sum := 0
		for _, n := range c.done {
			sum += n
		}
		c.tell(sum, c.total, what)
	}
}
