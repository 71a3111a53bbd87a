package program

import (
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Input says which packages to read.
type Input struct {
	// Paths are directories, directories followed by "/...", .go files of one directory,
	// or import paths.
	Paths []string
	// Tags are build tags, separated by commas.
	Tags string
	// Tests: the programs are the tests of the packages, in place of what users of these
	// do.
	Tests bool
}

// String is the input as it is given on a command line.
func (in Input) String() string { return strings.Join(in.Paths, " ") }

// Is reports whether path names Go packages: a pattern with "...", a .go file, a
// directory with Go files, or, where there is no such file, an import path.
func Is(path string) bool {
	if strings.HasSuffix(path, "...") || filepath.Ext(path) == ".go" {
		return true
	}
	fs, err := filepath.Glob(filepath.Join(path, "*.go"))
	return err == nil && len(fs) > 0 || isImportPath(path)
}

// isImportPath reports whether a path names no file, and can be that of a package: one of
// the standard library, or one with a slash.
func isImportPath(path string) bool {
	if _, err := os.Stat(path); err == nil || path == "" || filepath.IsAbs(path) || build.IsLocalImport(path) || strings.ContainsAny(path, `\ :*?"'`) {
		return false
	}
	if slices.Contains([]string{".c", ".i", ".h", ".wir", ".json", ".yml", ".yaml"}, filepath.Ext(path)) {
		return false
	}
	if strings.Contains(path, "/") {
		return true
	}
	st, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", path))
	return err == nil && st.IsDir() && path != "cmd" && path != "vendor" && path != "testdata"
}

// request is what the go command is asked for.
type request struct {
	dir      string // where it runs
	patterns []string
	flags    []string
}

// config is how packages are loaded for the request.
func (r request) config(mode packages.LoadMode) *packages.Config {
	return &packages.Config{Dir: r.dir, BuildFlags: r.flags, Mode: mode}
}

// request divides the input into a directory and what is asked for there.
func (in Input) request() (request, error) {
	r, err := in.divided()
	if err == nil {
		err = r.withoutOverlay()
	}
	return r, err
}

// withoutOverlay is an error where the go command is told to read other files in place of
// those of a package: these would not be the ones that are looked at.
func (r request) withoutOverlay() error {
	cmd := exec.Command("go", "env", "GOFLAGS")
	cmd.Dir = r.dir
	out, err := cmd.Output()
	if err == nil && strings.Contains(string(out), "-overlay") {
		return errors.New("GOFLAGS has -overlay, which is not supported: put the files in their places, and unset it")
	}
	return nil // who has no go command is told when packages are loaded
}

func (in Input) divided() (request, error) {
	var r request
	if in.Tags != "" {
		r.flags = []string{"-tags=" + in.Tags}
	}
	files := 0
	for _, p := range in.Paths {
		if filepath.Ext(p) == ".go" {
			files++
		}
	}
	if len(in.Paths) == 1 || files == len(in.Paths) {
		for _, p := range in.Paths {
			dir, pattern := split(p)
			if r.dir != "" && filepath.Clean(dir) != filepath.Clean(r.dir) {
				return r, errors.New("Go files of several directories: give the directories")
			}
			r.dir, r.patterns = dir, append(r.patterns, pattern)
		}
		return r, r.readable()
	}
	if files > 0 {
		return r, errors.New("Go files and packages: give packages, or files of one directory")
	}
	for _, p := range in.Paths {
		dir, pattern := split(p)
		if isImportPath(p) {
			r.patterns = append(r.patterns, p)
			continue
		}
		if r.dir == "" {
			r.dir = dir
		}
		abs, err := filepath.Abs(dir)
		if err != nil {
			return r, err
		}
		if err := (request{dir: dir}).readable(); err != nil {
			return r, fmt.Errorf("%s: %w", dir, err)
		}
		r.patterns = append(r.patterns, filepath.Join(abs, strings.TrimPrefix(pattern, ".")))
	}
	if r.dir == "" {
		r.dir = "."
	}
	return r, nil
}

// split returns the directory to load from and the pattern there.
func split(path string) (dir, pattern string) {
	if rest, ok := strings.CutSuffix(path, "..."); ok {
		rest = strings.TrimSuffix(rest, "/")
		if rest == "" {
			rest = "."
		}
		if isImportPath(rest) {
			return ".", path
		}
		return rest, "./..."
	}
	if isImportPath(path) {
		return ".", path
	}
	if filepath.Ext(path) == ".go" {
		return filepath.Dir(path), filepath.Base(path)
	}
	return path, "."
}
