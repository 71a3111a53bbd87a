package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says what the page was measured on.
func machine() string {
	model, load := "unknown processor", ""
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for _, l := range strings.Split(string(text), "\n") {
			if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == "model name" {
				model = strings.TrimSpace(v)
				break
			}
		}
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		if f := strings.Fields(string(text)); len(f) > 2 {
			load = fmt.Sprintf(", load %s over the last 15 minutes", f[2])
		}
	}
	return fmt.Sprintf("%d processors (%s)%s; %s", runtime.NumCPU(), model, load, runtime.Version())
}

// commit is the commit of the tree, with a remark if it was changed since.
func commit(ctx context.Context) string {
	id, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "-uno").Output()
	if err != nil || len(changed) > 0 {
		return strings.TrimSpace(string(id)) + " with changes"
	}
	return strings.TrimSpace(string(id))
}
