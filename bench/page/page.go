package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"whoop/bench"
	"whoop/internal/web"
)

// Name is the page's file name in the output directory.
const Name = "index.html"

// The caps of the logs that are in the page itself, in bytes.
const (
	DefaultLogCap   = 20_000
	DefaultTotalCap = 5_000_000
)

// Options say what is on the page beside the results.
type Options struct {
	// Logs has the runs' logs by the names the results give them; nil: Write takes the
	// output directory, Render only links.
	Logs fs.FS
	// LogCap is how much of a log's text is in the page, in bytes, its beginning and its
	// end; 0 is DefaultLogCap.
	LogCap int
	// TotalCap is how much room all logs together have in the page, in bytes as they are
	// written there; 0 is DefaultTotalCap. Logs of wrong answers have the first claim on
	// it, those of errors the second.
	TotalCap int
	// Made is when the page was made; it says nothing about that where it is zero.
	Made time.Time
}

// The page's parts.
var (
	//go:embed page.html
	markup string
	//go:embed page.css
	ownStyle string
	//go:embed page.js
	ownScript string
)

// style and script are those of all pages, then those of this one.
func style() string  { return web.Style + ownStyle }
func script() string { return web.Script + ownScript }

// Write writes the page into the output directory, as a whole or not at all.
func Write(dir string, r *bench.Results, o Options) error {
	if o.Logs == nil {
		o.Logs = os.DirFS(dir)
	}
	var b bytes.Buffer
	if err := Render(&b, r, o); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return bench.WriteFile(filepath.Join(dir, Name), b.Bytes())
}

// Render writes the page. It fails where the results cannot be drawn (a negative time, a
// wrong answer with a positive score) and where w does; a log that cannot be read is told
// on the page.
func Render(w io.Writer, r *bench.Results, o Options) error {
	if o.LogCap == 0 {
		o.LogCap = DefaultLogCap
	}
	if o.TotalCap == 0 {
		o.TotalCap = DefaultTotalCap
	}
	t, err := template.New(Name).Parse(markup)
	if err != nil {
		return err
	}
	v, err := newView(r, o)
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}

// hash is what a content security policy calls an element's text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
