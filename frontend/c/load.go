package c

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

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
		units = append(units, u)
	}
	p, err := Lower(units, NewTypes(opts.DataModel), m, opts)
	if err != nil {
		return nil, err
	}
	p.Name = path
	return p, nil
}

// source is one file to parse with its options.
type source struct {
	path string
	opts Options
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
			out = append(out, source{f, opts})
		}
		return out, nil
	case filepath.Base(path) == "compile_commands.json":
		return commands(path, opts)
	}
	return []source{{path, opts}}, nil
}

// command is an entry of a compilation database.
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// commands reads a compilation database: the -I, -D and -include of each C file.
func commands(path string, opts Options) ([]source, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cs []command
	if err := json.Unmarshal(b, &cs); err != nil {
		return nil, fmt.Errorf("%s: not a compilation database: %w", path, err)
	}
	var out []source
	for _, c := range cs {
		if !strings.HasSuffix(c.File, ".c") && !strings.HasSuffix(c.File, ".i") {
			continue
		}
		args := c.Arguments
		if len(args) == 0 {
			args = strings.Fields(c.Command)
		}
		o := opts
		o.IncludeDirs = append([]string{}, opts.IncludeDirs...)
		o.Defines = append([]string{}, opts.Defines...)
		o.Includes = append([]string{}, opts.Includes...)
		flags(&o, args, c.Directory)
		out = append(out, source{within(c.Directory, c.File), o})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: the database has no C files", path)
	}
	return out, nil
}

func within(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// flags takes -I, -D, -include and -isystem from a command line.
func flags(o *Options, args []string, dir string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := func(prefix string) string {
			if v := strings.TrimPrefix(a, prefix); v != "" {
				return v
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return ""
		}
		switch {
		case a == "-include":
			o.Includes = append(o.Includes, within(dir, value("-include")))
		case a == "-isystem":
			o.IncludeDirs = append(o.IncludeDirs, within(dir, value("-isystem")))
		case strings.HasPrefix(a, "-I"):
			o.IncludeDirs = append(o.IncludeDirs, within(dir, value("-I")))
		case strings.HasPrefix(a, "-D"):
			o.Defines = append(o.Defines, strings.ReplaceAll(value("-D"), `\"`, `"`))
		}
	}
}
