package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whoop/diag"
	"whoop/pipeline"
	"whoop/report"
)

// defaultFile is how long one file of a build may take.
const defaultFile = time.Minute

// checkFile is a file of a build with the compiler's flags.
type checkFile struct {
	timeout time.Duration
	fail    bool
	verbose bool
	model   string   // of data
	flags   []string // those that the preprocessor has to know
	files   []string
}

func checkFileCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "check-file [--timeout D] [--fail] [-v] [FLAG…] FILE.c", Short: "Verify one file of a build, called as a compiler is",
		Long: "Verify one file of a build, called with the flags of its compiler, as sparse is:\n\n" +
			"    make C=2 CHECK=\"whoop check-file\" drivers/watchdog/\n\n" +
			"The compiler (the environment's CC, else gcc) preprocesses the file; flags that make no difference are ignored.\n" +
			"Each race is a line on standard error, FILE:LINE:COLUMN: warning: …, with a note at the other access.\n\n" +
			"--timeout D is the time for a file (default 1m0s); --fail: the exit status is that of verify, so that a race ends the build,\n" +
			"else it is 0; -v: a last line for each file, whatever came out.",
		DisableFlagParsing: true, DisableFlagsInUseLine: true}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || slices.Contains(args, "--help") {
			return cmd.Help()
		}
		c, err := parseCompiler(args)
		if err != nil {
			return err
		}
		return c.run(cmd.Context(), cmd.ErrOrStderr())
	}
	return cmd
}

// separate are flags whose value may be an argument of its own.
var separate = []string{"-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"}

// ignored are flags with a value in an argument of its own that makes no difference here.
var ignored = []string{"-o", "-x", "-MF", "-MT", "-MQ", "-aux-info", "--param", "-T", "-L", "-l", "-Xlinker", "-z", "-u"}

// kept are beginnings of flags that decide what the preprocessor does, or which macros
// are defined.
var kept = []string{"-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-nostdinc", "-std=", "-ansi", "-m", "-f", "-O", "-undef", "--sysroot", "--target="}

// parseCompiler sorts a compiler's command line.
func parseCompiler(args []string) (*checkFile, error) {
	c := &checkFile{timeout: defaultFile, model: "LP64"}
	value := func(i *int, name string) (string, error) {
		if *i++; *i >= len(args) {
			return "", usage("check-file: %s wants a value", name)
		}
		return args[*i], nil
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, given, is := strings.Cut(a, "=")
		var err error
		switch {
		case name == "--timeout":
			if !is {
				given, err = value(&i, name)
			}
			if err == nil {
				c.timeout, err = time.ParseDuration(given)
			}
		case a == "--fail":
			c.fail = true
		case a == "-v" || a == "--verbose":
			c.verbose = true
		case a == "-m32":
			c.model, c.flags = "ILP32", append(c.flags, a)
		case slices.Contains(separate, a):
			given, err = value(&i, a)
			c.flags = append(c.flags, a, given)
		case slices.Contains(ignored, a):
			_, err = value(&i, a)
		case strings.HasPrefix(a, "-Wp,-D") || strings.HasPrefix(a, "-Wp,-U"):
			c.flags = append(c.flags, strings.TrimPrefix(a, "-Wp,"))
		case strings.HasPrefix(a, "-"):
			if slices.ContainsFunc(kept, func(k string) bool { return strings.HasPrefix(a, k) }) && !strings.HasPrefix(a, "-fplugin") {
				c.flags = append(c.flags, a)
			}
		default:
			c.files = append(c.files, a)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(c.files) == 0 {
		return nil, usage("check-file wants a C file")
	}
	return c, nil
}

// run verifies the file, and reports on errw.
func (c *checkFile) run(ctx context.Context, errw io.Writer) error {
	dir, err := os.MkdirTemp("", "whoop-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rep, err := c.verify(ctx, dir)
	if err != nil {
		// a file that cannot be read is no reason to end a build that does not ask for one
		fmt.Fprintf(errw, "%s\n", c.unread(err))
		if c.fail {
			return status(2)
		}
		return nil
	}
	if err := report.GNU(errw, rep); err != nil {
		return err
	}
	if c.verbose {
		fmt.Fprintf(errw, "%s: note: whoop: %s, %d of %d pairs of entry points are not proved race-free, %.1f s\n", c.files[0], rep.Verdict, open(rep), len(rep.Pairs), rep.Seconds)
	}
	if s := rep.ExitStatus(); s != 0 && c.fail {
		return status(s)
	}
	return nil
}

// unread is the warning about a file that cannot be read, with its place in the source
// where there is one.
func (c *checkFile) unread(err error) string {
	m := place.FindStringSubmatch(err.Error())
	if m == nil {
		return c.files[0] + ": warning: whoop: " + err.Error()
	}
	n, _ := strconv.Atoi(m[2]) // digits, see place
	file, n := pipeline.SourceLine(m[1], n)
	return fmt.Sprintf("%s:%d: warning: whoop cannot read this: %s", file, n, strings.TrimPrefix(err.Error(), m[0]))
}

// open counts the pairs of a report that are not proved.
func open(rep *diag.Report) int {
	n := 0
	for _, p := range rep.Pairs {
		if p.Verdict != diag.RaceFree {
			n++
		}
	}
	return n
}

// verify preprocesses the files into a directory, and verifies what comes out.
func (c *checkFile) verify(ctx context.Context, dir string) (*diag.Report, error) {
	o := pipeline.Options{Jobs: 1, Timeout: c.timeout, Comments: true, Sources: true}
	o.C.DataModel = c.model
	var inputs []string
	for i, f := range c.files {
		out := filepath.Join(dir, fmt.Sprintf("%d-%s.i", i, strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))))
		if err := preprocess(ctx, c.flags, f, out); err != nil {
			return nil, err
		}
		inputs = append(inputs, out)
	}
	o.More = inputs[1:]
	return pipeline.Verify(ctx, inputs[0], o)
}

// unknownFlag matches what compilers say of flags that they do not know: those of another
// compiler, and those that kbuild adds for sparse (-mlittle-endian).
var unknownFlag = regexp.MustCompile(`(?:unrecognized command-line option|unknown argument:?|unsupported option) '([^']+)'`)

// preprocess lets the compiler preprocess a file, without the flags that it does not know.
func preprocess(ctx context.Context, flags []string, file, out string) error {
	compiler := strings.Fields(os.Getenv("CC"))
	if len(compiler) == 0 {
		compiler = []string{"gcc"}
	}
	for {
		// with comments, of which some are whoop:ignore
		args := slices.Concat(compiler[1:], flags, []string{"-E", "-C", "-o", out, file})
		cmd := exec.CommandContext(ctx, compiler[0], args...)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		var said bytes.Buffer
		cmd.Stderr = &said
		err := cmd.Run()
		if err == nil {
			return nil
		}
		var unknown []string
		for _, m := range unknownFlag.FindAllStringSubmatch(said.String(), -1) {
			unknown = append(unknown, m[1])
		}
		known := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return slices.Contains(unknown, f) })
		if len(known) < len(flags) {
			flags = known
			continue
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); first != "" {
			return errors.New(first)
		}
		return fmt.Errorf("%s: %w", compiler[0], err)
	}
}
