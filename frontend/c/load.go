package c

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"whoop/frontend/models"
	"whoop/ir"
)

// Load parses and lowers a C file, a preprocessed .i file, a directory with C files, or a compile_commands.json; the
// files of the latter two are linked as one program.
func Load(path string, m *models.Set, opts Options) (*ir.Program, error) {
	jobs, err := sources(path, opts)
	if err != nil {
		return nil, err
	}
	if opts.Text != nil && len(jobs) != 1 {
		return nil, fmt.Errorf("%s: a text stands for a single file", path)
	}
	var units []*Unit
	for _, j := range jobs {
		u, err := Parse(j.path, j.opts.Text, j.opts)
		if err != nil {
			return nil, err
		}
		if j.twice {
			u.Assumptions = append(u.Assumptions, ir.Assumption{Kind: "unmodelled", Pos: ir.Pos{File: j.path, Line: 1},
				Text: "the file is compiled more than once, with different options: it is read as the first time"})
		}
		units = append(units, u)
	}
	p, err := Lower(units, NewTypes(opts.DataModel), m, opts)
	if err != nil {
		return nil, err
	}
	p.Name = path
	return p, nil
}

// source is one file to parse with its options. It is compiled twice where a compilation database has it again, with others.
type source struct {
	path  string
	opts  Options
	twice bool
}

func sources(path string, opts Options) ([]source, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file or directory; give a C file, a directory with C files or a compile_commands.json", path)
	}
	switch {
	case st.IsDir():
		files, err := filepath.Glob(filepath.Join(path, "*.c"))
		if err != nil {
			return nil, err
		}
		sort.Strings(files)
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: the directory has no C files", path)
		}
		var out []source
		for _, f := range files {
			out = append(out, source{path: f, opts: opts})
		}
		return out, nil
	case filepath.Base(path) == "compile_commands.json":
		return commands(path, opts)
	}
	return []source{{path: path, opts: opts}}, nil
}
