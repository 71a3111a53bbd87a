package bench

import (
	"fmt"
	"slices"
	"strings"

	"whoop/bench/run"
	"whoop/bench/task"
)

// This file is all that is known about the verifier's command line and its output.

// defaultDataModel is what a task is checked under whose definition names none.
const defaultDataModel = "LP64"

// engines are the engines a configuration may name, and the words each may have for how
// it reduces its work.
func engines() map[string][]string {
	return map[string][]string{
		"check":   nil, // which engines run is the verifier's choice
		"verify":  nil,
		"bmc":     {"all", "epp", "mr"},
		"explore": nil,
	}
}

// roundsOnly is an option of bmc: ask with the formulas of Lal and Reps alone.
const roundsOnly = "rounds-only"

// ParseConfig reads ENGINE[:OPTION…]: "check", "bmc:mr", "bmc:epp:csb=3". An option
// NAME=VALUE is handed on as --NAME VALUE; a word is, for bmc, where threads may be
// switched, or rounds-only.
func ParseConfig(spec string) (Config, error) {
	words := strings.Split(spec, ":")
	allowed, ok := engines()[words[0]]
	if !ok {
		return Config{}, fmt.Errorf("configuration %q: unknown engine %q: want check, verify, bmc or explore, then options, as in bmc:mr:csb=3", spec, words[0])
	}
	args := []string{"check", "--property", "{property}", "--data-model", "{data-model}"}
	if words[0] != "check" {
		args = append(args, "--engine", words[0])
	}
	for _, w := range words[1:] {
		name, value, isPair := strings.Cut(w, "=")
		switch {
		case isPair && name != "" && value != "" && !strings.ContainsAny(w, "{} "):
			args = append(args, "--"+name, value)
		case w == roundsOnly && len(allowed) > 0:
			args = append(args, "--"+w)
		case slices.Contains(allowed, w):
			args = append(args, "--yields", w)
		case len(allowed) > 0:
			return Config{}, fmt.Errorf("configuration %q: option %q: want %s or NAME=VALUE", spec, w, strings.Join(allowed, ", "))
		default:
			return Config{}, fmt.Errorf("configuration %q: option %q: want NAME=VALUE", spec, w)
		}
	}
	return Config{Name: spec, Args: append(args, "{inputs}")}, nil
}

// WithWitness is the configuration with the option that makes the verifier write a
// witness.
func (c Config) WithWitness() Config {
	n := len(c.Args) - 1
	args := append(slices.Clone(c.Args[:n]), "--witness", "{witness}")
	return Config{Name: c.Name, Args: append(args, c.Args[n])}
}

// exitStatus is the status the verifier ends with, for each answer.
func exitStatus(k task.Kind) int {
	switch k {
	case task.True:
		return 0
	case task.False:
		return 1
	}
	return 3
}

// readVerdict is the answer of a run. An answer counts only if it is the only one on
// standard output and the exit status agrees with it: what is neither TRUE nor FALSE nor
// UNKNOWN beyond doubt is an ERROR.
func readVerdict(res run.Result) task.Verdict {
	fail := func(format string, args ...any) task.Verdict {
		return task.Verdict{Kind: task.Error, Detail: fmt.Sprintf(format, args...)}
	}
	switch res.End {
	case run.CPULimit, run.WallLimit:
		return task.Verdict{Kind: task.Timeout}
	case run.MemoryLimit:
		return task.Verdict{Kind: task.OutOfMemory}
	case run.Signalled:
		return fail("%s", res.Signal)
	case run.Cancelled:
		return fail("cancelled")
	}
	var found []task.Verdict
	for _, line := range strings.Split(strings.ToValidUTF8(string(res.Stdout), "?"), "\n") {
		v, err := task.ParseVerdict(line)
		isAnswer := err == nil && (v.Decided() || v.Kind == task.Unknown) && strings.HasPrefix(line, v.Kind.String())
		if isAnswer && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	switch {
	case len(found) > 1:
		return fail("several answers: %s and %s", found[0], found[1])
	case len(found) == 0 && res.Exit != 0:
		return fail("exit status %d", res.Exit)
	case len(found) == 0:
		return fail("no answer")
	case res.Exit != exitStatus(found[0].Kind):
		return fail("exit status %d, but the answer %s", res.Exit, found[0])
	}
	return found[0]
}
