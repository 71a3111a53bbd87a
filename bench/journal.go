package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"time"
)

// JournalName is the journal's file name in the output directory.
const JournalName = "journal.jsonl"

// header is the journal's first line: what must be the same for its runs to count.
type header struct {
	Schema  int      `json:"schema"`
	Tool    string   `json:"tool_sha256"`
	Configs []Config `json:"configs"`
	CPU     float64  `json:"cpu_limit_seconds"`
	Wall    float64  `json:"wall_limit_seconds"`
	Memory  int64    `json:"memory_limit_bytes"`
}

// entry is any other line.
type entry struct {
	Key string `json:"key"`
	Run Run    `json:"run"`
}

// journal is a file with one line for each finished run. A line is on the disk before the
// run counts as done.
type journal struct {
	mu   sync.Mutex
	f    *os.File
	done map[string]Run // by key
}

// openJournal opens the journal of a directory, or begins one. What an earlier process
// left half-written at the end is cut off. A journal of other settings is refused, and so
// is one that is in use.
func openJournal(dir string, h header, fresh bool) (*journal, error) {
	path := filepath.Join(dir, JournalName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &journal{f: f, done: map[string]Run{}}
	if err := j.load(path, h, fresh); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// lock takes a file for this process. A run that was killed just now may have it for a
// moment.
func lock(f *os.File) (err error) {
	for range 20 {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func (j *journal) load(path string, h header, fresh bool) error {
	if err := lock(j.f); err != nil {
		return fmt.Errorf("%s is in use by another run: wait for it, or choose another directory", path)
	}
	text, err := io.ReadAll(j.f)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if fresh {
		whole = nil
	}
	if err := j.read(path, whole, h); err != nil {
		return err
	}
	if err := j.f.Truncate(int64(len(whole))); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if _, err := j.f.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if len(whole) == 0 {
		if err := j.line(h); err != nil {
			return err
		}
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// read takes in the whole lines of a journal.
func (j *journal) read(path string, text []byte, want header) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			var h header
			if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
				return fmt.Errorf("%s:1: not a journal of bench: %w", path, err)
			}
			if err := differs(h, want); err != nil {
				return fmt.Errorf("%s: %w: give another directory with -o, or --fresh to throw away what is there", path, err)
			}
			continue
		}
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Key == "" {
			return fmt.Errorf("%s:%d: not a run: %w", path, n, errors.Join(err, errDamaged))
		}
		j.done[e.Key] = e.Run
	}
	return lines.Err()
}

var errDamaged = errors.New("the journal is damaged; --fresh throws it away")

// differs says in words how the journal's settings are not the wanted ones.
func differs(have, want header) error {
	var what []string
	note := func(name string, a, b any) {
		if !reflect.DeepEqual(a, b) {
			what = append(what, fmt.Sprintf("%s %v, now %v", name, a, b))
		}
	}
	note("format", have.Schema, want.Schema)
	if have.Tool != want.Tool {
		what = append(what, "another build of the verifier")
	}
	note("configurations", have.names(), want.names())
	if len(what) == 0 {
		note("command lines", have.Configs, want.Configs)
	}
	note("CPU limit (s)", have.CPU, want.CPU)
	note("wall limit (s)", have.Wall, want.Wall)
	note("memory limit (bytes)", have.Memory, want.Memory)
	if len(what) == 0 {
		return nil
	}
	return fmt.Errorf("a journal of other settings (%s)", strings.Join(what, "; "))
}

func (h header) names() string {
	var out []string
	for _, c := range h.Configs {
		out = append(out, c.Name)
	}
	return strings.Join(out, ",")
}

// add writes down a finished run.
func (j *journal) add(key string, r Run) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.line(entry{key, r})
}

func (j *journal) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if _, err := j.f.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := j.f.Sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.f.Close() }

// syncDir makes a new file's name last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
