package witness

import (
	"bytes"
	"context"
	"fmt"

	"whoop/ir"
	"whoop/trace"
)

// Format is one of the two file formats.
type Format string

// The formats.
const (
	YAML    Format = "yaml"
	GraphML Format = "graphml"
)

// Checked makes a witness of a trace, and gives it out only where it leads to the bug:
// what is written is read again and replayed from the file alone. An error says why there
// is no such witness; the Result is the replay's.
func Checked(ctx context.Context, p *ir.Program, t *trace.Trace, meta Meta, f Format, opt Options) ([]byte, *Result, error) {
	v, err := fromTrace(p, t, meta, newSources(opt.Source))
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	switch f {
	case YAML:
		err = v.WriteYAML(&b)
	case GraphML:
		err = v.WriteGraphML(&b)
	default:
		err = fmt.Errorf("a witness's format %q: want %s or %s", f, YAML, GraphML)
	}
	if err != nil {
		return nil, nil, err
	}
	w, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		return nil, nil, fmt.Errorf("internal error: the witness cannot be read again: %w", err)
	}
	res, err := w.Violation.Replay(ctx, p, opt)
	if err != nil {
		return nil, nil, err
	}
	if !res.Confirmed {
		why := res.Reason
		if v.early != "" {
			why = v.early + "; " + why
		}
		return nil, res, fmt.Errorf("the witness does not lead to the bug: %s", why)
	}
	if got := res.Trace.Bug; !same(&got, &t.Bug) {
		return nil, res, fmt.Errorf("the witness leads to another bug: %s at %s:%d", got.Kind, got.At.File, got.At.Line)
	}
	return b.Bytes(), res, nil
}

// same reports whether two bugs are of one kind and in the same lines. A deadlock's place
// is not told by its trace.
func same(a, b *trace.Bug) bool {
	line := func(p, q trace.Place) bool { return p.File == q.File && p.Line == q.Line }
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == "deadlock":
		return true
	case a.Kind == "race":
		return line(a.At, b.At) && line(a.AtToo, b.AtToo) || line(a.At, b.AtToo) && line(a.AtToo, b.At)
	}
	return line(a.At, b.At)
}
