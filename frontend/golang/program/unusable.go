package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// explained is an error of loading in words that say what to do.
func (r request) explained(err error) error {
	msg := err.Error()
	withoutModule := strings.Contains(msg, "go.mod file not found") || !inModule(r.dir) &&
		(errors.Is(err, errNothing) || strings.Contains(msg, "does not contain main module"))
	switch {
	case withoutModule && isImportPath(r.patterns[0]):
		return errors.New("there is no file of that name, and no go.mod here or above that would say where the package is: " +
			"run whoop in a module that requires it")
	case withoutModule:
		return fmt.Errorf("there is no go.mod in the directory or above it: make one with \"go mod init NAME\" there, "+
			"or name the files (%s)", filepath.Join(r.dir, "FILE.go"))
	case goCommand.MatchString(msg):
		return errors.New(strings.TrimSpace(goCommand.ReplaceAllString(msg, "")))
	}
	return err
}

// errNothing says that no package matches.
var errNothing = errors.New("there are no Go files")

// goCommand is what the loader puts before what the go command says.
var goCommand = regexp.MustCompile(`^err: .*: stderr: (go: )?`)

// inModule reports whether a directory or one above it has a go.mod.
func inModule(dir string) bool {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// readable checks that the directory is there, and that the files which are named are
// text that can be read.
func (r request) readable() error {
	if _, err := os.Stat(r.dir); err != nil {
		return errors.New("no such directory")
	}
	for _, f := range r.patterns {
		if filepath.Ext(f) != ".go" || isImportPath(f) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(r.dir, f))
		var at *fs.PathError
		switch {
		case errors.As(err, &at):
			return at.Err
		case bytes.IndexByte(src, 0) >= 0:
			return errors.New("it is not text, so it is no Go source")
		}
	}
	return nil
}
