package task

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Load reads task definitions: of .yml files, of .set files, of C files, and of
// directories, which are walked for .yml files (and, in a directory with none of them,
// for C files whose names have verdicts). A definition named several times counts once.
// What need not end the work is in Suite.Warnings; a definition that cannot be read ends
// it, and all such errors are told together.
func Load(paths ...string) (*Suite, error) {
	l := &loader{seen: map[string]bool{}}
	for _, p := range paths {
		l.add(filepath.Clean(p))
	}
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	if len(l.suite.Definitions) == 0 {
		return nil, fmt.Errorf("%s: no task definitions (files with format_version, or C files like foo_true-unreach-call.c)%s",
			strings.Join(paths, ", "), strings.Join(append([]string{""}, l.suite.Warnings...), "\n  "))
	}
	l.suite.name()
	return &l.suite, nil
}

type loader struct {
	suite Suite
	seen  map[string]bool
	errs  []error
}

func (l *loader) fail(err error) { l.errs = append(l.errs, err) }

func (l *loader) warn(format string, args ...any) {
	l.suite.Warnings = append(l.suite.Warnings, fmt.Sprintf(format, args...))
}

func (l *loader) add(path string) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		l.fail(fmt.Errorf("%s: no such file or directory", path))
	case st.IsDir():
		l.addDir(path)
	case strings.HasSuffix(path, ".set"):
		l.addSet(path)
	case strings.HasSuffix(path, ".yml"), strings.HasSuffix(path, ".yaml"), isSource(path):
		l.addFile(path)
	default:
		l.fail(fmt.Errorf("%s: want a task definition (.yml), a task set (.set), a C file or a directory", path))
	}
}

func (l *loader) addFile(path string) {
	read := ReadDefinition
	if isSource(path) {
		read = readSource
	}
	d, err := read(path)
	switch {
	case err != nil:
		l.fail(err)
	case len(d.Properties) == 0:
		l.warn("%s: no property, left out", d.File)
	case !l.seen[absolute(d.File)]:
		l.seen[absolute(d.File)] = true
		l.suite.Definitions = append(l.suite.Definitions, d)
	}
}

// addDir walks a directory in the order of names.
func (l *loader) addDir(dir string) {
	var ymls, sources []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
		case strings.HasSuffix(path, ".yml"):
			ymls = append(ymls, path)
		case isSource(path) && len(FromName(path)) > 0:
			sources = append(sources, path)
		}
		return nil
	})
	if err != nil {
		l.fail(fmt.Errorf("%s: %w", dir, err))
		return
	}
	for _, y := range ymls {
		before := len(l.errs)
		l.addFile(y)
		if len(l.errs) > before && errors.Is(l.errs[before], errNotDefinition) {
			l.warn("%v, left out", l.errs[before])
			l.errs = l.errs[:before]
		}
	}
	if len(ymls) == 0 {
		l.addSources(sources)
	}
}

// addSources adds C files; of foo.c and foo.i, which are the same before and after the
// preprocessor, the latter.
func (l *loader) addSources(files []string) {
	for _, f := range files {
		if stem, ok := strings.CutSuffix(f, ".c"); ok && slices.Contains(files, stem+".i") {
			continue
		}
		l.addFile(f)
	}
}

func (l *loader) addSet(path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		l.fail(fmt.Errorf("task set: %w", err))
		return
	}
	for _, p := range parseSet(src) {
		pattern := filepath.FromSlash(p.text)
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(filepath.Dir(path), pattern)
		}
		found, err := matches(pattern)
		if err != nil {
			l.fail(fmt.Errorf("%s:%d: %q: %w", path, p.line, p.text, err))
			continue
		}
		if len(found) == 0 {
			l.warn("%s:%d: %q matches no file", path, p.line, p.text)
		}
		for _, f := range found {
			if strings.HasSuffix(f, ".set") {
				l.fail(fmt.Errorf("%s:%d: %s: a set cannot name sets", path, p.line, f))
				continue
			}
			l.add(f)
		}
	}
}

// parseSet reads the text of a set: one pattern a line, blank lines and lines that begin
// with # aside.
func parseSet(src []byte) []located {
	var out []located
	for i, line := range bytes.Split(src, []byte("\n")) {
		text := strings.TrimSpace(string(line))
		if text != "" && text[0] != '#' {
			out = append(out, located{text, i + 1})
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// absolute is the path as seen from the root; where the working directory is gone, the
// path itself.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
