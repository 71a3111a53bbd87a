package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTutorials runs the commands of the README and the tutorials, from start to end in a
// copy of the examples, and checks what is printed in the documents: the lines of the
// block after a command occur in its output in this order. A line … stands for any others,
// and within a line for anything.
func TestTutorials(t *testing.T) {
	const root = "../.."
	files, err := filepath.Glob(root + "/docs/tutorials/*.md")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range append(files, root+"/README.md") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(root+"/examples")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module whoop\n\ngo 1.26\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, c := range commandsOf(string(text)) {
				cmd := exec.Command("whoop", strings.Fields(c.line)[1:]...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if e, ok := err.(*exec.ExitError); err != nil && (!ok || e.ExitCode() == 2) {
					t.Errorf("%s: %v\n%s", c.line, err, out)
					continue
				}
				n++
				shown(t, c, string(out))
			}
			if n == 0 {
				t.Error("no command was run")
			}
		})
	}
}

// documented is a command of a document with what is printed there after it.
type documented struct {
	line string
	want []string
}

// commandsOf are the indented lines of a document that call whoop, each with the block
// after it: a fenced one, or an indented one.
func commandsOf(text string) []documented {
	var out []documented
	fenced, mine := false, false
	for _, l := range strings.Split(text, "\n") {
		cmd, indented := strings.CutPrefix(l, "    ")
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
			mine = fenced && len(out) > 0 && out[len(out)-1].want == nil
		case fenced && mine:
			out[len(out)-1].want = append(out[len(out)-1].want, l)
		case fenced:
		case indented && strings.HasPrefix(cmd, "whoop "):
			cmd, _, _ = strings.Cut(cmd, "  #")
			out = append(out, documented{line: strings.TrimSpace(cmd)})
		case indented && len(out) > 0 && strings.ContainsAny(cmd, ":…"):
			out[len(out)-1].want = append(out[len(out)-1].want, cmd)
		}
	}
	return out
}

var seconds = regexp.MustCompile(`\d+\.\d+ s\b`)

// shown checks that the lines of a block are in an output, in their order.
func shown(t *testing.T, c documented, out string) {
	t.Helper()
	lines := strings.Split(seconds.ReplaceAllString(out, "T s"), "\n")
	at := 0
	for _, w := range c.want {
		w = strings.TrimRight(seconds.ReplaceAllString(w, "T s"), " ")
		if strings.TrimSpace(w) == "…" || w == "" {
			continue
		}
		k := at
		for k < len(lines) && !matches(w, strings.TrimRight(lines[k], " ")) {
			k++
		}
		if k == len(lines) {
			t.Errorf("%s does not print, after line %d of its output:\n%s\nin\n%s", c.line, at, w, out)
			return
		}
		at = k + 1
	}
}

// matches compares a line of a document, in which … is anything.
func matches(want, line string) bool {
	parts := strings.Split(want, "…")
	if len(parts) == 1 {
		return want == line
	}
	if !strings.HasPrefix(line, parts[0]) {
		return false
	}
	rest := line[len(parts[0]):]
	for _, p := range parts[1:] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return true
}
