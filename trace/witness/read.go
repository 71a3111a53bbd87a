package witness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxFile bounds the size of a witness, in bytes.
const maxFile = 64 << 20

// Read reads a witness of either format. What is wrong with the file is said with the
// line.
func Read(r io.Reader) (*Witness, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read a witness: %w", err)
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("not a witness: more than %d MiB", maxFile>>20)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	trimmed := bytes.TrimSpace(b)
	if len(trimmed) == 0 {
		return nil, errors.New("not a witness: the file is empty")
	}
	var w *Witness
	if trimmed[0] == '<' {
		w, err = readGraphML(b)
	} else {
		w, err = readYAML(b)
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}
