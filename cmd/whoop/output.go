package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// output renders to stdout, or to a file that the flag named, by way of a temporary one,
// so that a failure leaves nothing half-written.
func output(stdout io.Writer, flag, file string, render func(io.Writer) error) error {
	if file == "" {
		return buffered(stdout, render)
	}
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0) // a device or a pipe cannot be renamed onto
		if err != nil {
			return err
		}
		return closed(f, buffered(f, render))
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".whoop-*")
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err // the temporary file's name would only confuse
		}
		return fmt.Errorf("%s %s: cannot write into %s: %w", flag, file, filepath.Dir(file), err)
	}
	defer os.Remove(tmp.Name())
	err = closed(tmp, buffered(tmp, render))
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, file, err)
	}
	return nil
}

// buffered renders to w: reports may be larger than the memory.
func buffered(w io.Writer, render func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if err := render(out); err != nil {
		return err
	}
	return out.Flush()
}

// closed closes a file that was written with an error, or without.
func closed(f *os.File, err error) error {
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// colors are the values of --color.
var colors = []string{"auto", "always", "never"}

// colored reports whether text is to be coloured, by --color and the file that -o names
// ("": stdout).
func colored(flag, file string) bool {
	return flag == "always" || flag == "auto" && file == "" && colorTerminal()
}

func colorTerminal() bool { return isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "" }
