package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/frontend/c"
	"whoop/frontend/entry"
	"whoop/frontend/golang"
	"whoop/frontend/golang/lockuse"
	"whoop/frontend/golang/program"
	"whoop/frontend/models"
	"whoop/internal/kept"
	"whoop/ir"
	"whoop/ir/messages"
	"whoop/pipeline/memcleanup"
)

// Load reads the input, finds its entry points and validates the program. Where the input
// is not read within opt.Timeout, the error is a *Late.
func Load(path string, opt Options) (*ir.Program, error) {
	ctx, cancel := limited(context.Background(), opt.Timeout)
	defer cancel()
	p, _, err := load(ctx, path, opt)
	return p, err
}

// lateError says that the entry points of a program were not all found in time.
type lateError struct {
	program *ir.Program
	error
}

// load is Load with the findings of the front end. Where ctx ends before the entry points
// are found, the error is a lateError.
func load(ctx context.Context, path string, opt Options) (*ir.Program, []diag.Finding, error) {
	m, cfg, err := modelsOf(opt)
	if err != nil {
		return nil, nil, err
	}
	if err := opt.oneLanguage(path); err != nil {
		return nil, nil, err
	}
	var found []diag.Finding
	p, err := inTime(ctx, path, func() (p *ir.Program, err error) {
		p, found, err = read(path, m, opt)
		return p, err
	})
	if err == nil {
		p, err = prepared(ctx, path, p, m, cfg, opt)
	}
	if err != nil {
		return p, nil, err // found may still be written
	}
	return p, found, nil
}

// modelsOf reads the model files, and the file of entry points where there is one.
func modelsOf(opt Options) (*models.Set, *entry.Config, error) {
	files, err := models.ByLanguage(opt.Models)
	if err != nil {
		return nil, nil, err
	}
	if err := golang.CheckModels(files[models.Go]); err != nil { // also where the program is in C
		return nil, nil, err
	}
	m, err := models.Load(files[models.C]...)
	if err != nil || opt.EntryPoints == "" {
		return m, nil, err
	}
	cfg, err := entry.ReadConfig(opt.EntryPoints)
	if err != nil {
		return nil, nil, err
	}
	m.AddFuncs(cfg.Models()...)
	return m, cfg, nil
}

// prepared finds the entry points of a program that was read, or takes them from cfg, and
// checks it.
func prepared(ctx context.Context, path string, p *ir.Program, m *models.Set, cfg *entry.Config, opt Options) (*ir.Program, error) {
	var err error
	switch {
	case cfg != nil:
		err = cfg.Apply(p, m)
	case len(p.Entries) == 0:
		if err = entry.Infer(p, m, entry.Options{Loaded: true}); err == nil {
			err = whole(ctx, p)
		}
	}
	if err != nil {
		return nil, err
	}
	entry.Arguments(p, m)
	if err := rejected(p); err != nil {
		return nil, err
	}
	if err := ir.Validate(p); err != nil {
		if filepath.Ext(path) == ".wir" {
			return nil, fmt.Errorf("%s: not a valid program: %w", path, err)
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("%s: internal error, please report it: the front end made an invalid program: %s", path, first)
	}
	if opt.Leaks {
		p = memcleanup.Instrument(p)
	}
	return p, nil
}

// whole takes away the entry points of a program with a main function that nothing calls,
// and adds those that it hands to code that is not seen.
func whole(ctx context.Context, p *ir.Program) error {
	al, err := closed(ctx, p)
	if err != nil {
		return lateError{p, err}
	}
	for _, add := range []func(context.Context, *ir.Program, *alias.Result) error{handed, unseenThreads} {
		if err := add(ctx, p, al); err != nil {
			return lateError{p, err}
		}
	}
	return nil
}

// rejected reports an entry point that is not C, or uses more of a compiler's extensions
// than the parser knows. Other functions like that are unknown, and what calls them is.
func rejected(p *ir.Program) error {
	for _, e := range p.Entries {
		if e.Func == nil {
			continue
		}
		if why, ok := strings.CutPrefix(e.Func.Unknown, c.Rejected); ok {
			return fmt.Errorf("%s (in %s: correct it, or write it without what other compilers add to C)", why, e.Func.Name)
		}
	}
	return nil
}

// read chooses the front end by the input's name.
func read(path string, m *models.Set, opt Options) (*ir.Program, []diag.Finding, error) {
	if program.Is(path) {
		return readGo(path, opt)
	}
	p, err := readC(path, m, opt)
	return p, nil, err
}

// readGo reads Go packages, and looks at how they use locks where warnings are wanted.
func readGo(path string, opt Options) (*ir.Program, []diag.Finding, error) {
	if opt.Root != "" {
		o, err := opt.golang()
		if err != nil {
			return nil, nil, err
		}
		o.Root, o.More, o.Tags = opt.Root, opt.More, opt.Tags
		if opt.Rooted == nil {
			p, err := golang.Load(path, o)
			return p, nil, err
		}
		low, err := golang.Lower(opt.Rooted, o)
		if err != nil {
			return nil, nil, err
		}
		return low.Program, nil, nil
	}
	src, err := program.ReadInput(opt.packages(path))
	if err != nil {
		return nil, nil, err
	}
	o, err := opt.golang()
	if err != nil {
		return nil, nil, err
	}
	low, err := golang.Lower(src, o)
	if err != nil {
		return nil, nil, err
	}
	if !opt.Warnings {
		return low.Program, nil, nil
	}
	return low.Program, lockuse.Find(src), nil
}

// readC reads what is not Go.
func readC(path string, m *models.Set, opt Options) (*ir.Program, error) {
	if err := opt.cFiles(path); err != nil {
		return nil, err
	}
	if filepath.Ext(path) == ".wir" {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p, err := ir.Parse(path, src)
		if err == nil && ir.Validate(p) == nil {
			messages.Exact(p)
		}
		return p, err
	}
	return c.LoadAll(opt.inputs(path), m, opt.C)
}

// golang are the options of the front end for Go.
func (o Options) golang() (golang.Options, error) {
	files, err := models.ByLanguage(o.Models)
	return golang.Options{Models: files[models.Go], Open: golang.Open(o.OpenCalls), Cache: o.goCache()}, err
}

// goCache is where facts about other modules of Go programs are kept, nil for nowhere.
func (o Options) goCache() *kept.Store {
	if o.NoCache {
		return nil
	}
	return kept.In("go-external")
}
