package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/*.txtar")

func TestMain(m *testing.M) {
	os.Exit(testscript.RunMain(m, map[string]func() int{
		"whoop": func() int { return run(os.Args[1:], os.Stdout, os.Stderr) },
	}))
}

// TestScripts runs the command line as a user does. The command "status N whoop …" checks
// the exit status. The go command has the cache that built this test: scripts have no home.
func TestScripts(t *testing.T) {
	headers := kernelHeaders()
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata", UpdateScripts: *update, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("KERNEL_HEADERS", headers)
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "kernel-headers" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return headers != "", nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": exitStatus}})
}

// kernelHeaders is where modules of the kernel can be built, "" where they cannot.
func kernelHeaders() string {
	dirs, err := filepath.Glob("/usr/src/linux-headers-*/include/generated/autoconf.h")
	if err != nil || len(dirs) == 0 {
		return ""
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(dirs[0])))
}

// exitStatus runs a command and checks its exit status: status N COMMAND ARG….
func exitStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARG…")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		e, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = string(rune('0' + e.ExitCode()))
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
