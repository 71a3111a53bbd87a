package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// test is a program with the number of executions that is expected of it.
type test struct {
	name  string // as in the table
	file  string
	want  int64
	stuck bool     // executions that end with a deadlock are among those expected
	defs  []string // of -D
}

// find finds the tests below a directory.
func find(dir string) ([]test, error) {
	var tests []test
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var ts []test
		switch d.Name() {
		case "expected.sc.mo.in":
			ts, err = genmc(dir, filepath.Dir(path))
		case "reference.results.txt":
			ts, err = nidhugg(dir, filepath.Dir(path))
		}
		tests = append(tests, ts...)
		return err
	})
	return tests, err
}

// genmc are the variants of a test of GenMC.
func genmc(root, dir string) ([]test, error) {
	numbers, err := os.ReadFile(filepath.Join(dir, "expected.sc.mo.in"))
	if err != nil {
		return nil, err
	}
	args, err := os.ReadFile(filepath.Join(dir, "args.sc.mo.in"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "variants", "*.c"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	want := strings.Fields(string(numbers))
	runs := strings.Split(strings.TrimSuffix(string(args), "\n"), "\n") // line k goes with number k
	var tests []test
	for i := range min(len(want), len(runs)) {
		n, err := strconv.ParseInt(want[i], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(root, f)
			if err != nil {
				return nil, err
			}
			t := test{name: strings.Replace(rel, "/variants/", "/", 1), file: f, want: n, defs: defined(runs[i])}
			t.name = strings.Join(append([]string{t.name}, t.defs...), " ")
			tests = append(tests, t)
		}
	}
	return tests, nil
}

// defined are the macros that a line of arguments defines: those of the compiler are
// behind "|".
func defined(line string) (defs []string) {
	_, flags, _ := strings.Cut(line, "|")
	for _, w := range strings.Fields(flags) {
		if d, ok := strings.CutPrefix(w, "-D"); ok {
			defs = append(defs, d)
		}
	}
	return defs
}

// nidhugg are the tests of a directory of Nidhugg's: lines "name Forbid : 4". With Allow
// an assertion fails, and the number is that of the executions until then.
func nidhugg(root, dir string) ([]test, error) {
	data, err := os.ReadFile(filepath.Join(dir, "reference.results.txt"))
	if err != nil {
		return nil, err
	}
	var tests []test
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		w := strings.Fields(lines.Text())
		if len(w) < 4 || w[1] != "Forbid" || w[2] != ":" {
			continue
		}
		f := filepath.Join(dir, "C-tests", w[0]+".c")
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(w[3], 10, 64)
		if _, gone := os.Stat(f); err != nil || gone != nil {
			continue
		}
		tests = append(tests, test{name: strings.Replace(rel, "/C-tests/", "/", 1), file: f, want: n, stuck: true})
	}
	return tests, nil
}
