package main

import (
	"context"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"whoop/benchmarks/expect"
	"whoop/diag"
)

// driver is the test file that runs a library.
const driver = "driver_test.go"

// program is one annotated program: a directory with one Go file and, for a library, a
// driver.
type program struct {
	dir, file string // file is absolute
	library   bool
	driven    bool // a library with a driver
	want      map[int]expect.Mark
}

// find lists the programs below the directories, in the order of their names.
func find(dirs []string) ([]program, error) {
	var out []program
	for _, d := range dirs {
		err := filepath.WalkDir(d, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			p, err := load(path)
			out = append(out, p)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no programs in %s", strings.Join(dirs, " "))
	}
	return out, nil
}

// load reads what the program in a file says of itself.
func load(path string) (program, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return program{}, err
	}
	p := program{dir: filepath.Dir(path), file: abs}
	if p.want, err = expect.Read(path); err != nil {
		return p, err
	}
	pkg, err := exec.Command("go", "list", "-C", p.dir, "-f", "{{.Name}} {{.TestGoFiles}}").Output()
	if err != nil {
		return p, fmt.Errorf("go list in %s: %w", p.dir, err)
	}
	p.library = !strings.HasPrefix(string(pkg), "main ")
	p.driven = strings.Contains(string(pkg), driver)
	return p, nil
}

// build makes the program's executable, with the race detector.
func (p program) build(ctx context.Context, out string) error {
	args := []string{"build", "-C", p.dir, "-race", "-o", out, "."}
	if p.library {
		args = []string{"test", "-C", p.dir, "-race", "-c", "-o", out, "."}
	}
	if text, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// reported are the pairs of lines that whoop verify reports as races.
func (p program) reported(rep *diag.Report) map[pair]bool {
	out := map[pair]bool{}
	for _, x := range rep.Races {
		out[newPair(p.line(x.First.Pos.File, x.First.Pos.Line), p.line(x.Second.Pos.File, x.Second.Pos.Line))] = true
	}
	return out
}

// line is the line if the file is the program's, else 0.
func (p program) line(file string, line int) int {
	if abs, err := filepath.Abs(file); err == nil && abs == p.file {
		return line
	}
	return 0
}
