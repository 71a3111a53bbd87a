package pipeline

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whoop/frontend/golang/program"
)

// inputs are the first input and the others.
func (o Options) inputs(path string) []string { return append([]string{path}, o.More...) }

// name is what reports call the inputs.
func (o Options) name(path string) string { return strings.Join(o.inputs(path), " ") }

// packages are the inputs as Go packages.
func (o Options) packages(path string) program.Input {
	return program.Input{Paths: o.inputs(path), Tags: o.Tags, Tests: o.Tests}
}

// oneLanguage reports inputs of two languages, and flags of the other one.
func (o Options) oneLanguage(path string) error {
	isGo := program.Is(path)
	for _, p := range o.More {
		if program.Is(p) != isGo {
			return fmt.Errorf("%s and %s: one is Go, the other is not: give the inputs of one program", path, p)
		}
	}
	switch {
	case isGo:
	case o.Root != "":
		return fmt.Errorf("%s: a root is a function of a Go program", path)
	case o.Tags != "":
		return fmt.Errorf("%s: --tags are for Go packages", path)
	case o.Tests:
		return fmt.Errorf("%s: --tests are those of Go packages", path)
	}
	return nil
}

// cFiles reports inputs that are no C.
func (o Options) cFiles(path string) error {
	for _, p := range o.inputs(path) {
		st, err := os.Stat(p)
		if err != nil {
			return fmt.Errorf("%s: no such file or directory", p)
		}
		switch ext := filepath.Ext(p); {
		case st.IsDir():
			if below := goBelow(p); below != "" {
				return fmt.Errorf("%s: the directory has no Go files, but %s has: give %s", p, below, filepath.Join(p, "..."))
			}
		case ext == ".c", ext == ".i", filepath.Base(p) == "compile_commands.json":
		case ext == ".wir" && len(o.More) == 0:
		case ext == ".wir":
			return fmt.Errorf("%s: a .wir file is a whole program: give it alone", p)
		default:
			return fmt.Errorf("%s: want a .c, .i or .wir file, a directory with C files, a compile_commands.json, or Go packages (./..., a directory, a .go file, an import path)", p)
		}
	}
	return nil
}

// goBelow is a directory below dir with Go files, where there are no C files; "" where
// there are, or none of either.
func goBelow(dir string) string {
	found := ""
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".c":
			found = ""
			return filepath.SkipAll
		case ".go":
			if found == "" {
				found = filepath.Dir(path)
			}
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return found
}
