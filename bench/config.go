package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"whoop/bench/task"
)

// Config is one way to call the verifier.
type Config struct {
	// Name is what tables call it: "bmc:mr".
	Name string `json:"name"`
	// Args are the verifier's arguments. A word may be a placeholder: {property} is the
	// property file, or the property's name where there is no file; {data-model} is ILP32
	// or LP64; {inputs} is replaced by as many words as the task has files; {witness} is
	// a file that the verifier may write.
	Args []string `json:"args"`
}

// Limits bound each run; zero is no limit.
type Limits struct {
	CPU    time.Duration // CPU time of all processes of a run
	Wall   time.Duration
	Memory int64 // bytes
}

// environment is a run's environment: that of this process, with GOMEMLIMIT at nine
// tenths of the limit of memory, so that verifiers written in Go know of it and collect
// in time.
func (l Limits) environment(own []string) []string {
	if l.Memory <= 0 || slices.ContainsFunc(own, func(v string) bool { return strings.HasPrefix(v, "GOMEMLIMIT=") }) {
		return own
	}
	return append(own[:len(own):len(own)], fmt.Sprintf("GOMEMLIMIT=%d", l.Memory/10*9))
}

// arguments is the command line for a task, without the verifier itself.
func (c Config) arguments(t *task.Task, witness string) []string {
	model := t.DataModel
	if model == "" {
		model = defaultDataModel
	}
	words := strings.NewReplacer("{property}", t.Property.Argument(), "{data-model}", model, "{witness}", witness)
	var out []string
	for _, a := range c.Args {
		if a == "{inputs}" {
			out = append(out, t.Inputs...)
			continue
		}
		out = append(out, words.Replace(a))
	}
	return out
}

// wantsWitness reports whether the configuration names a file for witnesses.
func (c Config) wantsWitness() bool { return strings.Contains(strings.Join(c.Args, " "), "{witness}") }

// Configs reads a list of configurations, separated by commas: "bmc:all,bmc:mr".
func Configs(specs string) ([]Config, error) {
	var out []Config
	seen := map[string]bool{}
	for _, s := range strings.Split(specs, ",") {
		c, err := ParseConfig(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		if seen[slug(c.Name)] {
			return nil, fmt.Errorf("configuration %q a second time", c.Name)
		}
		seen[slug(c.Name)] = true
		out = append(out, c)
	}
	return out, nil
}

// slug makes a name that is fit for a file of a name that may not be.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-+", r):
			return r
		}
		return '-'
	}, name)
}
