// Command whoop tells whether the entry points of a driver or a pthread program can race.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

// version is the tool's version, printed by "whoop version" and in reports.
const version = "0.1.0"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// status is an error that carries the exit status of a finished run.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// run executes the command line: 0 nothing found and all decided, 1 something found, 3 undecided, 2 unusable input.
func run(args []string, out, errw io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := &cobra.Command{Use: "whoop", Short: "Prove that entry points cannot race, or show where they can",
		SilenceUsage: true, SilenceErrors: true}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errw)
	root.AddCommand(verifyCommand(), emitCommand(), entryPointsCommand(), &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "whoop", version) }})
	err := root.ExecuteContext(ctx)
	var s status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintln(errw, "whoop:", err)
	return 2
}
