package expect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// RacyMacro is the macro with which a file of two twins is the racy one.
const RacyMacro = "RACY"

// Program is a program in a file, or one of the twins in one: a file with "#ifdef RACY" is
// the racy program where that is defined, and the repaired one where it is not.
type Program struct {
	Path string
	// Name is the path without its extension; that of a racy twin ends with "_racy".
	Name string
	// Defines are the macros that make the program of its file.
	Defines []string
}

// Programs lists the programs in the files that match one of the patterns.
func Programs(patterns ...string) ([]Program, error) {
	var out []Program
	for _, g := range patterns {
		files, err := filepath.Glob(g)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(f, filepath.Ext(f))
			out = append(out, Program{Path: f, Name: name})
			if bytes.Contains(src, []byte("def "+RacyMacro+"\n")) {
				out = append(out, Program{f, name + "_racy", []string{RacyMacro}})
			}
		}
	}
	return out, nil
}

// Racy reports whether its name says that a program races.
func (p Program) Racy() bool { return strings.HasSuffix(p.Name, "_racy") }

// Marks are those of the program's lines.
func (p Program) Marks() (map[int]Mark, error) { return Read(p.Path, p.Defines...) }
