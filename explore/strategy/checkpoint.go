package strategy

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/trace"
)

// A checkpoint is a file in the directory that Options name. Its first line says what it
// is and in which format; then come values in the encoding of package gob. It is written
// beside the one before, and takes its place when it is whole.
const (
	checkpointName   = "exploration"
	checkpointFormat = "whoop explore checkpoint, format 1\n"
	checkpointEvery  = 5 * time.Second
)

// checkpoint is what is saved.
type checkpoint struct {
	// Program is a hash of the program; Options are those that executions depend on.
	Program [sha256.Size]byte
	Options string
	Search  dpor.Snapshot
	// Traces are those of the findings so far, as JSON, and Known their keys.
	Traces  []byte
	Known   map[string]bool
	Reason  string
	Sampled bool
}

// checkpointFor is a checkpoint of the run with nothing explored.
func (r *run) checkpointFor() *checkpoint {
	o := &r.opt
	return &checkpoint{Program: sha256.Sum256([]byte(ir.String(r.p))),
		Options: fmt.Sprintf("--strategy %s, --max-events %d, --failures=%t, proofs %t, ignoring %q", o.Strategy, o.MaxEvents, o.Failures, o.Quiet != nil, o.Ignore)}
}

// resume reads the checkpoint to go on from, nil where there is none.
func (r *run) resume() (*checkpoint, error) {
	name := filepath.Join(r.opt.Checkpoint, checkpointName)
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, os.MkdirAll(r.opt.Checkpoint, 0o777)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if first, err := in.ReadString('\n'); err != nil || first != checkpointFormat {
		return nil, fmt.Errorf("%s is no checkpoint of this version of whoop: remove it to explore from the beginning", name)
	}
	c, want := &checkpoint{}, r.checkpointFor()
	if err := gob.NewDecoder(in).Decode(c); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	switch {
	case c.Program != want.Program:
		return nil, fmt.Errorf("%s is of another program, or this one has changed: remove it to explore from the beginning", name)
	case c.Options != want.Options:
		return nil, fmt.Errorf("%s is of an exploration with %s: go on with these, or remove it", name, c.Options)
	}
	return c, r.adopt(c)
}

// adopt takes over what a checkpoint has of the run.
func (r *run) adopt(c *checkpoint) error {
	if err := json.Unmarshal(c.Traces, &r.res.Traces); err != nil {
		return err
	}
	if r.res.Reason = c.Reason; c.Known != nil {
		r.known = c.Known
	}
	r.res.Notes = append(r.res.Notes, fmt.Sprintf("%d executions were explored before, and are counted", c.Search.Counts.Executions()))
	return nil
}

// save writes a checkpoint.
func (r *run) save(s *dpor.Snapshot, sampled bool) error {
	c := r.checkpointFor()
	c.Search, c.Known, c.Reason, c.Sampled = *s, r.known, r.res.Reason, sampled
	if c.Reason == "" {
		c.Reason = r.unconfirmed()
	}
	var err error
	if c.Traces, err = json.Marshal(append([]*trace.Trace{}, r.res.Traces...)); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(checkpointFormat)
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		return err
	}
	return replace(filepath.Join(r.opt.Checkpoint, checkpointName), &b)
}

// replace writes a file as a whole, in place of one that may be there.
func replace(name string, content io.Reader) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // where it was not renamed
	_, err = io.Copy(f, content)
	if err == nil {
		err = f.Sync()
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}

// forget removes the checkpoint of an exploration that has come to its end.
func (r *run) forget() {
	old, _ := filepath.Glob(filepath.Join(r.opt.Checkpoint, checkpointName+"*"))
	for _, name := range old {
		os.Remove(name)
	}
}
