package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"

	"whoop/frontend/golang/program"
	"whoop/internal/kept"
	"whoop/internal/late"
	"whoop/smt/z3"
)

// Content is all that the report of verify on an input depends on.
type Content struct {
	// Key is made from it; Stamp is the same while nobody has written to the files.
	Key   kept.Key
	Stamp string
}

// Reads reports whether the content of an input may be known: see ContentOf.
func Reads(path string) bool { return program.Is(path) }

// ContentOf reads the content of an input of verify: the files of Go packages and what
// they import, the options with the files that they name, the solver, and the program that
// runs. There is an error where not all is known that the report depends on, as for C,
// whose headers the preprocessor finds.
func ContentOf(path string, opt Options) (*Content, error) {
	if !program.Is(path) || opt.Root != "" {
		return nil, errors.New("not Go packages")
	}
	self, ok := kept.Self()
	if !ok {
		return nil, errors.New("the program cannot be read")
	}
	in, err := opt.packages(path).Content()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd() // reports name files relative to it
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	named := slices.Concat(opt.Models, []string{opt.EntryPoints, opt.Baseline})
	opt.Progress, opt.Rooted, opt.known = nil, nil, nil
	opt.Timeout, opt.QueryTimeout, opt.Jobs = 0, 0, 0 // a report that rests on them is not kept
	fmt.Fprintf(h, "%x %x %s %q %q %#v\n", self, in.Sum, z3.Version(), dir, path, opt)
	for _, f := range named {
		var text []byte
		if f != "" {
			st, err := os.Stat(f)
			if err != nil {
				return nil, err
			}
			in.Stamp += fmt.Sprintf("%q %d\n", f, st.ModTime().UnixNano())
			if text, err = os.ReadFile(f); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(h, "%d\n%s", len(text), text)
	}
	return &Content{Key: kept.Key(h.Sum(nil)), Stamp: in.Stamp}, nil
}

// NoteLate returns a context in which is noted what a run has no time for, and what tells
// whether something was.
func NoteLate(ctx context.Context) (context.Context, func() bool) {
	ctx = late.With(ctx)
	return ctx, func() bool { return late.Is(ctx) }
}
