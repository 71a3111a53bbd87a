package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"whoop/bench/task"
)

// job is one run that is to be done.
type job struct {
	task   *task.Task
	config *Config
	// key says what is run, by content: two jobs of one key give one answer. What is
	// expected is no part of it.
	key string
}

// digests remembers the contents of files.
type digests map[string]string

// of is the SHA-256 of a file.
func (d digests) of(file string) (string, error) {
	if s, ok := d[file]; ok {
		return s, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	d[file] = hex.EncodeToString(h.Sum(nil))
	return d[file], nil
}

// plan is all runs, a task's together in the order of the configurations.
func plan(tasks []task.Task, configs []Config) ([]job, error) {
	var out []job
	d := digests{}
	seen := map[string]bool{}
	for i := range tasks {
		t := &tasks[i]
		if seen[t.ID()] {
			return nil, fmt.Errorf("%s: two tasks of this name", t.ID())
		}
		seen[t.ID()] = true
		content, err := d.task(t)
		if err != nil {
			return nil, err
		}
		for k := range configs {
			sum := sha256.Sum256([]byte(content + "\n" + configs[k].Name))
			out = append(out, job{task: t, config: &configs[k], key: hex.EncodeToString(sum[:16])})
		}
	}
	return out, nil
}

// task says what a task is, by the content of its files.
func (d digests) task(t *task.Task) (string, error) {
	parts := []string{t.ID(), t.DataModel, t.Property.Function}
	files := slices.Concat(t.Inputs, t.Required)
	if t.Property.File != "" {
		files = append(files, t.Property.File)
	}
	for _, f := range files {
		if st, err := os.Stat(f); err == nil && st.IsDir() {
			parts = append(parts, "directory "+path.Base(f)) // its content is not looked at
			continue
		}
		s, err := d.of(f)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.Name, err)
		}
		parts = append(parts, s)
	}
	text, err := json.Marshal(parts)
	return string(text), err
}

// file is where a run's log or witness goes, relative to the output directory:
// logs/bmc-mr/locks/ticket_ok.no-data-race.log.
func (j *job) file(kind, ext string) string {
	elems := []string{kind, slug(j.config.Name)}
	for _, e := range strings.Split(j.task.Name, "/") {
		s := slug(e)
		if s != e || strings.Trim(s, ".") == "" {
			sum := sha256.Sum256([]byte(e))
			s += "-" + hex.EncodeToString(sum[:4])
		}
		elems = append(elems, s)
	}
	return path.Join(elems...) + "." + slug(j.task.Property.Name) + ext
}

// runnable is the tasks that can be run, with a note for each of the others.
func runnable(tasks []task.Task) (ok []task.Task, notes []string) {
	for _, t := range tasks {
		if t.Language != "" && t.Language != "C" {
			notes = append(notes, fmt.Sprintf("%s is written in %s: left out", t.ID(), t.Language))
			continue
		}
		ok = append(ok, t)
	}
	return ok, notes
}
