package c

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

//go:embed include
var headers embed.FS

// embeddedRoot is the virtual folder under which the embedded headers are offered to cc.
const embeddedRoot = "/whoop-embedded"

// nowhere is where a careful translation's search for a header ends.
const nowhere = embeddedRoot + "/nowhere"

// early is what a translation ends with where cc would take an error of the preprocessor
// for the end of its input.
type early struct{}

// fileSystem offers the embedded headers under embeddedRoot, and the disk elsewhere. A
// careful one panics with early where a header is looked for in nowhere, or includes what
// is no name.
type fileSystem struct {
	// stopped, not nil in a careful one, is set before the panic: functions that the
	// parser defers panic on their own then, with something else.
	stopped *bool
}

// Open implements fs.FS; cc passes absolute names through.
func (f fileSystem) Open(name string) (fs.File, error) {
	if f.stopped != nil && strings.HasPrefix(strings.TrimPrefix(name, "/"), nowhere[1:]+"/") {
		f.stop()
	}
	if rest, ok := strings.CutPrefix(name, embeddedRoot+"/"); ok {
		return headers.Open("include/" + rest)
	}
	if rest, ok := strings.CutPrefix(name, embeddedRoot[1:]+"/"); ok {
		return headers.Open("include/" + rest)
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if f.stopped != nil && includesComputed(text) {
		f.stop()
	}
	text = modern(text)
	if !strings.HasPrefix(name, "/usr/include/") { // the system's are written for every compiler
		text = rewrite(text)
	}
	return &file{Reader: bytes.NewReader(ended(text)), name: name}, nil
}

// stop ends a careful translation.
func (f fileSystem) stop() {
	*f.stopped = true
	panic(early{})
}

// ended is a text without a backslash that continues the last line: cc does not end
// there.
func ended(text []byte) []byte {
	for {
		rest, continued := bytes.CutSuffix(bytes.TrimRight(text, "\r\n"), []byte("\\"))
		if !continued {
			return text
		}
		text = append(rest[:len(rest):len(rest)], '\n')
	}
}

// file is a file that was read.
type file struct {
	*bytes.Reader
	name string
}

// Stat implements fs.File.
func (f *file) Stat() (fs.FileInfo, error) { return os.Stat(f.name) }

// Close implements fs.File.
func (f *file) Close() error { return nil }

// plainInclude is what follows "include" where it names a file.
var plainInclude = regexp.MustCompile(`^(?:_next)?[ \t]*(?:<[^<>"\n]+>|"[^<>"\n]+")`)

// longerWord is what follows "include" in a longer word, as in comments: #included.
var longerWord = regexp.MustCompile(`^(?:[a-zA-Z0-9]|_[^n])`)

// includesComputed reports whether a text includes something that is not plainly a name.
func includesComputed(text []byte) bool {
	word := []byte("include")
	for at := 0; ; at += len(word) {
		i := bytes.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
		directive := bytes.ContainsRune(line, '#') || bytes.Contains(line, []byte("%:")) || bytes.Contains(line, []byte("??="))
		// #if __has_include(…) is none
		if directive && !bytes.HasSuffix(line, []byte("_")) && !longerWord.Match(text[at+len(word):]) && !plainInclude.Match(text[at+len(word):]) {
			return true
		}
	}
}
