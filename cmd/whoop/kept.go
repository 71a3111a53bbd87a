package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	cache "whoop/internal/kept"
	"whoop/pipeline"
)

// keptReport is the report of an earlier run, as it was printed.
type keptReport struct {
	Text   []byte
	Status int
	When   time.Time
}

// maxKept is how long a report may be that is kept.
const maxKept = 64 << 20

// leastKept is how long a run takes whose report is worth keeping.
var leastKept = 2 * time.Second

// keeping keeps the report of one run of verify, and finds that of an earlier one on the
// same content; nil keeps nothing.
type keeping struct {
	store   *cache.Store
	key     cache.Key
	content *pipeline.Content
	again   func() (*pipeline.Content, error)
	start   time.Time
	text    bytes.Buffer
	long    bool
}

// Write takes a part of the report that is printed; one that is too long is let go.
func (k *keeping) Write(p []byte) (int, error) {
	if k.long = k.long || k.text.Len()+len(p) > maxKept; k.long {
		k.text = bytes.Buffer{}
		return len(p), nil
	}
	return k.text.Write(p)
}

// keepingOf prepares it. Runs that ask other engines for some time, and those that write
// more than a report, are not kept.
func keepingOf(path string, o pipeline.Options, v verifyFlags) *keeping {
	store := cache.In("reports")
	if o.NoCache || v.confirm > 0 || v.newBaseline != "" || v.stats || o.DumpSMT != "" ||
		!pipeline.Reads(path) || !store.Ready() {
		return nil
	}
	again := func() (*pipeline.Content, error) { return pipeline.ContentOf(path, o) }
	c, err := again()
	if err != nil {
		return nil
	}
	text := fmt.Sprintf("%x %s %t %t %d", c.Key, v.format, v.all, colored(v.color, v.output), v.executions)
	return &keeping{store: store, key: sha256.Sum256([]byte(text)), content: c, again: again, start: time.Now()}
}

// old is the report of an earlier run.
func (k *keeping) old() (*keptReport, bool) {
	if k == nil {
		return nil, false
	}
	data, ok := k.store.Read(k.key)
	if !ok {
		return nil, false
	}
	r := &keptReport{}
	return r, gob.NewDecoder(bytes.NewReader(data)).Decode(r) == nil
}

// show prints the report of an earlier run, and says so.
func (r *keptReport) show(cmd *cobra.Command, file string) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "nothing has changed since %s: this is the report of then (--no-cache verifies anew)\n",
		r.When.Format("2006-01-02 15:04"))
	err := output(cmd.OutOrStdout(), "-o", file, func(w io.Writer) error {
		_, err := w.Write(r.Text)
		return err
	})
	if err == nil && r.Status != 0 {
		err = status(r.Status)
	}
	return err
}

// keep keeps the report, unless something was written to the files while the run went on.
func (k *keeping) keep(status int) {
	if k == nil || k.long || time.Since(k.start) < leastKept {
		return
	}
	c, err := k.again()
	if err != nil || c.Key != k.content.Key || c.Stamp != k.content.Stamp {
		return
	}
	var b bytes.Buffer
	if gob.NewEncoder(&b).Encode(keptReport{k.text.Bytes(), status, time.Now()}) == nil {
		k.store.Write(k.key, b.Bytes())
	}
}
