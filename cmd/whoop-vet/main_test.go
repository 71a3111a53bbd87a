package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	os.Exit(testscript.RunMain(m, map[string]func() int{
		"whoop-vet": func() int { main(); return 0 },
	}))
}

// TestScripts runs the tool under go vet and by itself. $VET is its path.
func TestScripts(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireUniqueNames: true, Setup: func(e *testscript.Env) error {
		bin, _, _ := strings.Cut(e.Getenv("PATH"), string(os.PathListSeparator))
		e.Setenv("VET", filepath.Join(bin, "whoop-vet"))
		e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
		return nil
	}})
}
