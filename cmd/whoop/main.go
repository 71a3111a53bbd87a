// Command whoop proves that entry points cannot race, or shows where they can; see the
// README.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/spf13/cobra"

	benchrun "whoop/bench/run"
	"whoop/internal/crash"
)

// version is the tool's version, printed by "whoop version" and in reports.
const version = "0.1.0"

func main() {
	// Nothing is ever written there, so it is no memory; but with it the collector begins
	// at some hundred megabytes instead of four, which is half of what a small program
	// costs.
	ballast := make([]byte, 64<<20)
	code := run(os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	os.Exit(code)
}

// status is an error that carries the exit status of a finished run.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usage is an error about the command line.
func usage(format string, args ...any) error { return fmt.Errorf(format, args...) }

// somePaths checks that a command has an argument.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage("%s wants a PATH: a C file, Go packages, a directory; see \"whoop %s --help\"", cmd.Name(), cmd.Name())
	}
	return nil
}

// also enters the inputs after the first as flags, so that a saved execution has them.
func also(cmd *cobra.Command, args []string) error {
	for _, a := range args[1:] {
		if err := cmd.Flags().Set("also", a); err != nil {
			return err
		}
	}
	return nil
}

// onePath checks that a command has one argument.
func onePath(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage("%s wants one PATH, not %d: see \"whoop %s --help\"", cmd.Name(), len(args), cmd.Name())
	}
	return nil
}

// run executes the command line: 0 nothing found and all decided, 1 something found, 3
// undecided, 2 unusable input.
func run(args []string, out, errw io.Writer) (code int) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintln(errw, "whoop:", crash.Error(x))
			code = 2
		}
	}()
	if len(args) > 0 && args[0] == benchrun.HelperArgument {
		return benchrun.Supervise()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errw)
	err := root.ExecuteContext(ctx)
	var s status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintln(errw, "whoop:", located(err, colorTerminalOf(errw)))
	return 2
}

// rootCommand is the command line: all commands with their flags.
func rootCommand() *cobra.Command {
	root := &cobra.Command{Use: "whoop", Short: "Prove that entry points cannot race, or show where they can",
		SilenceUsage: true, SilenceErrors: true, Args: cobra.ArbitraryArgs}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("unknown command %q%s: see \"whoop --help\"", args[0], didYouMean(args[0], commandNames(cmd)))
		}
		return cmd.Help()
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w%s: see \"%s --help\"", wantedValue(err), meantFlag(cmd, err), cmd.CommandPath())
	})
	root.AddCommand(verifyCommand(), bmcCommand(), exploreCommand(), checkCommand(),
		replayCommand(), checkFileCommand(), scanCommand(), emitCommand(), manCommand(), entryPointsCommand(), benchCommand(),
		&cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
			Run: func(cmd *cobra.Command, _ []string) {
				fmt.Fprintln(cmd.OutOrStdout(), versionText())
			}})
	completeValues(root)
	helpOf(root)
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}\n")
	return root
}
