package bench

import (
	"sort"

	"whoop/bench/run"
	"whoop/bench/task"
)

// Schema is the number of the format of results.json and of the journal.
const Schema = 1

// Results is everything a bench run found out.
type Results struct {
	Schema      int      `json:"schema"`
	Tool        string   `json:"tool"`    // the verifier's path
	Version     string   `json:"version"` // of the program that ran it
	Configs     []Config `json:"configs"`
	CPULimit    float64  `json:"cpu_limit_seconds"` // limits of each run, 0 for none
	WallLimit   float64  `json:"wall_limit_seconds"`
	MemoryLimit int64    `json:"memory_limit_bytes"`
	Jobs        int      `json:"jobs"`
	Accounting  string   `json:"accounting"` // how memory was limited and counted
	Complete    bool     `json:"complete"`   // whether every run was done
	Planned     int      `json:"planned"`    // how many runs there were to do
	// those done, by task, property and then configuration
	Runs        []Run        `json:"runs"`
	Summaries   []Summary    `json:"summaries"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// Run is one task under one configuration.
type Run struct {
	Task        string        `json:"task"`
	Family      string        `json:"family"`
	Property    string        `json:"property"`
	Config      string        `json:"config"`
	Expected    task.Expected `json:"expected"`
	Verdict     task.Verdict  `json:"verdict"`
	Class       task.Class    `json:"class"`
	Score       int           `json:"score"`
	CPUSeconds  float64       `json:"cpu_seconds"`
	WallSeconds float64       `json:"wall_seconds"`
	MemoryBytes int64         `json:"memory_bytes"`
	End         run.End       `json:"end"`
	Exit        int           `json:"exit"`
	Log         string        `json:"log"`               // relative to the output directory
	Witness     string        `json:"witness,omitempty"` // likewise; "" where none was written
}

// Summary adds up the runs of a configuration: all, or those of one family, or those of
// one property.
type Summary struct {
	Config       string `json:"config"`
	Family       string `json:"family,omitempty"`   // "" for all families
	Property     string `json:"property,omitempty"` // "" for all properties
	Tasks        int    `json:"tasks"`
	CorrectTrue  int    `json:"correct_true"`
	CorrectFalse int    `json:"correct_false"`
	// no answer, whatever the reason; the next three are part of it
	Unknown     int     `json:"unknown"`
	Timeouts    int     `json:"timeouts"`
	OutOfMemory int     `json:"out_of_memory"`
	Errors      int     `json:"errors"`
	WrongTrue   int     `json:"wrong_true"`
	WrongFalse  int     `json:"wrong_false"`
	Missing     int     `json:"no_expectation"` // answers that nothing is expected for
	CPUSeconds  float64 `json:"cpu_seconds"`
	WallSeconds float64 `json:"wall_seconds"`
	MaxMemory   int64   `json:"max_memory_bytes"`
	Score       int     `json:"score"`
	MaxScore    int     `json:"max_score"`
	Share       float64 `json:"share"` // Score / MaxScore; 0 where nothing can be scored
}

// Wrong is the number of wrong answers.
func (s *Summary) Wrong() int { return s.WrongTrue + s.WrongFalse }

// add counts one run.
func (s *Summary) add(r *Run) {
	s.Tasks++
	switch r.Class {
	case task.CorrectTrue:
		s.CorrectTrue++
	case task.CorrectFalse:
		s.CorrectFalse++
	case task.WrongTrue:
		s.WrongTrue++
	case task.WrongFalse:
		s.WrongFalse++
	case task.Missing:
		s.Missing++
	default:
		s.Unknown++
	}
	switch r.Verdict.Kind {
	case task.Timeout:
		s.Timeouts++
	case task.OutOfMemory:
		s.OutOfMemory++
	case task.Error:
		s.Errors++
	}
	s.CPUSeconds += r.CPUSeconds
	s.WallSeconds += r.WallSeconds
	s.MaxMemory = max(s.MaxMemory, r.MemoryBytes)
	s.Score += r.Score
	s.MaxScore += task.MaxScore(r.Expected)
	if s.MaxScore > 0 {
		s.Share = float64(s.Score) / float64(s.MaxScore)
	}
}

// classify holds the run's verdict against what its task expects now.
func (r *Run) classify(t *task.Task) {
	r.Task, r.Family, r.Property, r.Expected = t.Name, t.Family, t.Property.Name, t.Expected
	r.Class = task.Classify(t.Property, t.Expected, r.Verdict)
	r.Score = task.Score(r.Class)
}

// Summarise adds up runs: for each configuration, in their order, first all, then by
// property, then by family.
func Summarise(configs []Config, runs []Run) []Summary {
	var out []Summary
	for _, c := range configs {
		all := Summary{Config: c.Name}
		properties, families := map[string]*Summary{}, map[string]*Summary{}
		for i := range runs {
			r := &runs[i]
			if r.Config != c.Name {
				continue
			}
			all.add(r)
			part(properties, r.Property, Summary{Config: c.Name, Property: r.Property}).add(r)
			part(families, r.Family, Summary{Config: c.Name, Family: r.Family}).add(r)
		}
		out = append(out, all)
		out = append(out, sorted(properties)...)
		out = append(out, sorted(families)...)
	}
	return out
}

func part(m map[string]*Summary, key string, empty Summary) *Summary {
	if m[key] == nil {
		m[key] = &empty
	}
	return m[key]
}

func sorted(m map[string]*Summary) []Summary {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []Summary
	for _, k := range keys {
		out = append(out, *m[k])
	}
	return out
}

// Overall is the summary of all runs of each configuration.
func (r *Results) Overall() []Summary {
	var out []Summary
	for _, s := range r.Summaries {
		if s.Family == "" && s.Property == "" {
			out = append(out, s)
		}
	}
	return out
}

// Wrong is the number of wrong answers of all configurations.
func (r *Results) Wrong() int {
	n := 0
	for _, s := range r.Overall() {
		n += s.Wrong()
	}
	return n
}
