package c

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Load parses and lowers a C file, a preprocessed .i file, a directory with C files, or a
// compile_commands.json; the files of the latter two are linked as one program. It is an
// error where they are several: see Programs.
func Load(path string, m *models.Set, opts Options) (*ir.Program, error) {
	return LoadAll([]string{path}, m, opts)
}

// LoadAll is Load for several inputs, which are one program.
func LoadAll(paths []string, m *models.Set, opts Options) (*ir.Program, error) {
	ps, err := Programs(paths, m, opts)
	if err != nil {
		return nil, err
	}
	if len(ps) > 1 {
		var mains []string
		for _, p := range ps {
			mains = append(mains, p.Main)
		}
		return nil, fmt.Errorf("%s: there are %d main functions, and each is a program: in %s; give the files of one", strings.Join(paths, " "), len(ps), strings.Join(mains, ", "))
	}
	return ps[0].Program, nil
}

// parseAll parses files.
func parseAll(jobs []source) ([]*Unit, error) {
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
	return units, nil
}

// source is one file to parse with its options. It is compiled twice where a compilation
// database has it again, with others.
type source struct {
	path  string
	opts  Options
	twice bool
	// listed: it was named, and not found in a directory or a compilation database.
	listed bool
}

func sources(path string, opts Options) ([]source, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file or directory; give a C file, a directory with C files or a compile_commands.json", path)
	}
	switch {
	case st.IsDir():
		files, err := below(path)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: there are no C files in the directory, nor below it, and no Go files in it", path)
		}
		var out []source
		for _, f := range files {
			out = append(out, source{path: f, opts: opts})
		}
		return out, nil
	case filepath.Base(path) == "compile_commands.json":
		return commands(path, opts)
	}
	return []source{{path: path, opts: opts, listed: true}}, nil
}

// below lists the C files in a directory and in those below it, hidden ones left out, in
// order.
func below(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ".c":
			files = append(files, path)
		}
		return nil
	})
	sort.Strings(files)
	return files, err
}
