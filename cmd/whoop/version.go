package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"whoop/pipeline"
)

// versionText says what runs: the tool's version and commit, and the versions of Go and of
// the solver, which a report of a bug should have.
func versionText() string {
	text := "whoop " + version
	if c := commit(); c != "" {
		text += " (" + c + ")"
	}
	return fmt.Sprintf("%s, %s %s/%s, Z3 %s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH, pipeline.SolverVersion())
}

// commit is the commit that the tool was built from; "" where that is not known.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	rev, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			changed = map[string]string{"true": ", changed"}[s.Value]
		}
	}
	if len(rev) > 12 {
		rev = rev[:12]
	}
	return strings.TrimSpace(rev + changed)
}
