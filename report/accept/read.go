package accept

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// ReadBaseline reads a file that WriteBaseline wrote. Errors name the place,
// FILE:LINE:COLUMN.
func ReadBaseline(name string) (*Baseline, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseBaseline(name, src)
}

// parser reads a baseline and keeps the offset of what it reads, for messages.
type parser struct {
	name string
	src  []byte
	dec  *json.Decoder
	b    *Baseline
	// seen are the keys of the file that were read.
	seen map[string]bool
}

// parseBaseline reads the text of a baseline.
func parseBaseline(name string, src []byte) (*Baseline, error) {
	p := &parser{name, src, json.NewDecoder(bytes.NewReader(src)), &Baseline{name, map[string]entry{}}, map[string]bool{}}
	p.dec.DisallowUnknownFields()
	if err := p.syntax(); err != nil {
		return nil, err
	}
	if err := p.file(); err != nil {
		return nil, err
	}
	return p.b, nil
}

// syntax reports text that is not JSON at all. (The offsets in the decoder's own errors
// do not count from the start of the text.)
func (p *parser) syntax() error {
	var all json.RawMessage
	err := json.Unmarshal(p.src, &all)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return p.errorf(int(syntax.Offset)-1, "%w", err)
	}
	return err
}

// file reads the whole text: one object with the keys version and known.
func (p *parser) file() error {
	if err := p.delim('{'); err != nil {
		return err
	}
	for p.dec.More() {
		at := p.here()
		t, err := p.dec.Token()
		if err != nil {
			return p.errorf(at, "%w", err)
		}
		key, _ := t.(string)
		if p.seen[key] {
			return p.errorf(at, "the key %q is there twice", key)
		}
		p.seen[key] = true
		switch key {
		case "version":
			err = p.version()
		case "known":
			err = p.entries()
		default:
			err = p.errorf(at, "unknown key %q: want version and known", key)
		}
		if err != nil {
			return err
		}
	}
	if err := p.delim('}'); err != nil {
		return err
	}
	for _, k := range []string{"version", "known"} {
		if !p.seen[k] {
			return p.errorf(0, "the key %q is missing", k)
		}
	}
	return nil
}

func (p *parser) version() error {
	at := p.here()
	var v int
	if err := p.dec.Decode(&v); err != nil {
		return p.errorf(at, "%w", err)
	}
	if v != baselineVersion {
		return p.errorf(at, "version %d: want %d", v, baselineVersion)
	}
	return nil
}

func (p *parser) entries() error {
	if err := p.delim('['); err != nil {
		return err
	}
	for p.dec.More() {
		at := p.here()
		var e entry
		if err := p.dec.Decode(&e); err != nil {
			return p.errorf(at, "%w", err)
		}
		if why := e.wrong(); why != "" {
			return p.errorf(at, "%s", why)
		}
		slices.SortFunc(e.Accesses, compareSides)
		if _, twice := p.b.known[e.key()]; twice {
			return p.errorf(at, "this entry is there twice: add the counts")
		}
		p.b.known[e.key()] = e
	}
	return p.delim(']')
}

// wrong says what an entry lacks, or "".
func (e entry) wrong() string {
	sides := 1
	if e.Kind == raceKind {
		sides = 2
	}
	switch {
	case e.Kind == "":
		return "an entry without a kind"
	case len(e.Accesses) != sides:
		return fmt.Sprintf("an entry of kind %s with %d accesses: want %d", e.Kind, len(e.Accesses), sides)
	case e.Count < 1:
		return fmt.Sprintf("an entry with count %d: want 1 or more", e.Count)
	}
	return ""
}

func (p *parser) delim(want json.Delim) error {
	at := p.here()
	t, err := p.dec.Token()
	if err != nil {
		return p.errorf(at, "%w", err)
	}
	if t != want {
		return p.errorf(at, "want %q", want.String())
	}
	return nil
}

// here is the offset of the next value or key.
func (p *parser) here() int {
	i := int(p.dec.InputOffset())
	for i < len(p.src) && bytes.IndexByte([]byte(" \t\r\n,:"), p.src[i]) >= 0 {
		i++
	}
	return i
}

func (p *parser) errorf(at int, format string, args ...any) error {
	at = max(0, min(at, len(p.src)))
	line := 1 + bytes.Count(p.src[:at], []byte("\n"))
	col := at - bytes.LastIndexByte(p.src[:at], '\n')
	return fmt.Errorf("%s:%d:%d: not a baseline: %w", p.name, line, col, fmt.Errorf(format, args...))
}
