package c

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// command is an entry of a compilation database.
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// commands reads a compilation database: what the command of each C file says of headers,
// macros and the data model. A relative directory is meant from where the database lies.
// A file that is compiled more than once is read as the first time.
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
	for i, c := range cs {
		if !strings.HasSuffix(c.File, ".c") && !strings.HasSuffix(c.File, ".i") {
			continue
		}
		args := c.Arguments
		if len(args) == 0 {
			if args, err = shellWords(c.Command); err != nil {
				return nil, fmt.Errorf("%s: the command of entry %d, for %s: %w", path, i+1, c.File, err)
			}
		}
		dir := within(filepath.Dir(path), c.Directory)
		file := within(dir, c.File)
		o := opts
		o.IncludeDirs = slices.Clone(opts.IncludeDirs)
		o.Defines = slices.Clone(opts.Defines)
		o.Undefines = slices.Clone(opts.Undefines)
		o.Includes = slices.Clone(opts.Includes)
		flags(&o, args, dir)
		if at := slices.IndexFunc(out, func(s source) bool { return s.path == file }); at >= 0 {
			out[at].twice = out[at].twice || !reflect.DeepEqual(out[at].opts, o)
			continue
		}
		out = append(out, source{path: file, opts: o})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: the database has no C files", path)
	}
	return out, nil
}

// within is a name as it is meant in a directory.
func within(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// flags takes from a command line what changes the text that is compiled, or its data
// model.
func flags(o *Options, args []string, dir string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := func(flag string) string {
			if v := strings.TrimPrefix(a, flag); v != "" {
				return v
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return ""
		}
		if a == "-isystem" || a == "-iquote" || a == "-idirafter" {
			a = "-I" // one list of directories is enough: names that differ by it alone are rare
		}
		switch {
		case a == "-include" || a == "-imacros":
			o.Includes = append(o.Includes, within(dir, value(a)))
		case strings.HasPrefix(a, "-I"):
			o.IncludeDirs = append(o.IncludeDirs, within(dir, value("-I")))
		case strings.HasPrefix(a, "-D"):
			d := value("-D")
			o.Undefines = slices.DeleteFunc(o.Undefines, func(u string) bool { return u == macroName(d) })
			o.Defines = append(o.Defines, d)
		case strings.HasPrefix(a, "-U"):
			u := value("-U")
			o.Defines = slices.DeleteFunc(o.Defines, func(d string) bool { return macroName(d) == u })
			o.Undefines = append(o.Undefines, u)
		case strings.HasPrefix(a, "-std="):
			o.C23 = strings.HasSuffix(a, "23") || strings.HasSuffix(a, "2x") || strings.HasSuffix(a, "2y")
		case a == "-m32":
			o.DataModel = "ILP32"
		case a == "-pthread":
			o.Defines = append(o.Defines, "_REENTRANT")
		case a == "-fopenmp":
			o.Defines = append(o.Defines, "_OPENMP=201511")
		}
	}
}

// macroName is the name that -D defines: of NAME=VALUE, and of NAME(x)=VALUE.
func macroName(d string) string {
	if i := strings.IndexAny(d, "=("); i >= 0 {
		return d[:i]
	}
	return d
}

// shellWords divides a command as a shell does, without expansions.
func shellWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch {
		case quote == '\'' && b != '\'':
			word.WriteByte(b)
		case b == '\\':
			if i++; i >= len(s) {
				return nil, fmt.Errorf("it ends in a backslash")
			}
			if quote == '"' && !strings.ContainsRune("\"\\$`\n", rune(s[i])) {
				word.WriteByte('\\')
			}
			if s[i] != '\n' {
				word.WriteByte(s[i])
			}
			open = true
		case quote == 0 && (b == '"' || b == '\''):
			open, quote = true, b
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && strings.ContainsRune(" \t\r\n", rune(b)):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(b)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation mark is not closed")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
