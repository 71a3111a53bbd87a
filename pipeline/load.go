package pipeline

import (
	"fmt"
	"os"
	"path/filepath"

	"whoop/frontend/c"
	"whoop/frontend/entry"
	"whoop/frontend/golang"
	"whoop/frontend/models"
	"whoop/ir"
)

// Load reads the input, finds its entry points and validates the program.
func Load(path string, opt Options) (*ir.Program, error) {
	m, err := models.Load(opt.Models...)
	if err != nil {
		return nil, err
	}
	var cfg *entry.Config
	if opt.EntryPoints != "" {
		if cfg, err = entry.ReadConfig(opt.EntryPoints); err != nil {
			return nil, err
		}
		m.AddFuncs(cfg.Models()...)
	}
	p, err := read(path, m, opt)
	if err != nil {
		return nil, err
	}
	switch {
	case cfg != nil:
		err = cfg.Apply(p, m)
	case len(p.Entries) == 0:
		err = entry.Infer(p, m, entry.Options{})
	}
	if err != nil {
		return nil, err
	}
	if err := ir.Validate(p); err != nil {
		if filepath.Ext(path) == ".wir" {
			return nil, fmt.Errorf("%s: not a valid program: %w", path, err)
		}
		return nil, fmt.Errorf("%s: internal error, please report it: the front end made an invalid program: %w", path, err)
	}
	return p, nil
}

// read chooses the front end by the input's name.
func read(path string, m *models.Set, opt Options) (*ir.Program, error) {
	if golang.Is(path) {
		return golang.Load(path, golang.Options{Models: opt.GoModels})
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file or directory", path)
	}
	switch ext := filepath.Ext(path); {
	case st.IsDir(), ext == ".c", ext == ".i", filepath.Base(path) == "compile_commands.json":
		return c.Load(path, m, opt.C)
	case ext == ".wir":
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return ir.Parse(path, src)
	}
	return nil, fmt.Errorf("%s: want a .c, .i or .wir file, a directory with C files, a compile_commands.json, or Go packages (./..., a directory, a .go file)", path)
}
