package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// row is what was counted of a test.
type row struct {
	test
	got  int64  // -1: nothing, see why
	how  string // what got is of, where it is not of the executions that end
	why  string
	more string // what else the executions show
}

// report is what whoop explore writes, as far as it is needed here.
type report struct {
	Complete   bool
	Reason     string
	Executions int64
	Stuck      int64
	Deadlocks  int64
	ReadsFrom  int64 `json:"reads_from"`
	Bugs       []struct{ Kind string }
}

// explore counts the executions of a test.
func explore(t test, opt options) row {
	r := row{test: t, got: -1}
	ctx, cancel := context.WithTimeout(context.Background(), 2*opt.timeout)
	defer cancel()
	args := []string{"explore", t.file, "--include-dir", opt.headers, "--strategy", "optimal-dpor", "--reads-from", "--keep-going", "--trace", "none", "--format", "json",
		"--timeout", opt.timeout.String()}
	for _, d := range t.defs {
		args = append(args, "-D", d)
	}
	cmd := exec.CommandContext(ctx, opt.whoop, args...)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		r.why = err.Error()
		return r
	}
	var p report
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		r.why = message(msg.String())
		return r
	}
	if !p.Complete {
		r.why = p.Reason
		return r
	}
	switch r.got = p.Executions - p.Stuck; {
	case !t.stuck:
		r.got -= p.Deadlocks
	case r.got != t.want && p.ReadsFrom == t.want:
		r.got, r.how = p.ReadsFrom, " reads-from"
	case r.got != t.want && p.Executions == t.want:
		r.got, r.how = p.Executions, " with false assumptions"
	}
	for _, b := range p.Bugs {
		if r.more = b.Kind; b.Kind != "race" {
			break
		}
	}
	return r
}

// message is the first line of what went wrong, without the file's name.
func message(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	for strings.HasPrefix(line, "whoop: ") || strings.HasPrefix(line, "/") {
		_, line, _ = strings.Cut(line, ": ")
	}
	return line
}

// says is what the table has for a row: the number, or why there is none.
func (r *row) says() string {
	if r.got < 0 {
		return r.why
	}
	return strconv.FormatInt(r.got, 10) + r.how
}

// encode is the table.
func encode(rows []row) []byte {
	var b bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&b, "%s\t%d\t%s\n", r.name, r.want, r.says())
	}
	return b.Bytes()
}

// compare holds rows against the table.
func compare(file string, rows []row) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	known := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if w := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(w) == 3 {
			known[w[0]] = w[1] + "\t" + w[2]
		}
	}
	var wrong []error
	for _, r := range rows {
		if now := fmt.Sprintf("%d\t%s", r.want, r.says()); known[r.name] != now {
			wrong = append(wrong, fmt.Errorf("%s: %q, was %q", r.name, now, known[r.name]))
		}
	}
	return errors.Join(wrong...)
}

// summary tells how many numbers agree, and lists the others.
func summary(w io.Writer, rows []row) {
	same, other, none := 0, 0, 0
	for _, r := range rows {
		switch {
		case r.got < 0:
			none++
			fmt.Fprintf(w, "%s: %d expected; %s\n", r.name, r.want, r.why)
		case r.got == r.want:
			same++
		default:
			other++
			fmt.Fprintf(w, "%s: %d expected, %d counted %s\n", r.name, r.want, r.got, r.more)
		}
	}
	fmt.Fprintf(w, "%d programs: %d as expected, %d otherwise, %d not counted\n", len(rows), same, other, none)
}
