package run

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// logFile takes what a command prints: both outputs into one file, up to a size.
type logFile struct {
	mu    sync.Mutex
	f     *os.File // nil: nothing is kept
	limit int64
	size  int64 // bytes printed
	err   error // the first failure to write
}

// defaultLogCap is the size of a log where the command does not say.
const defaultLogCap = 1 << 20

// openLog begins a log; no file where path is "".
func openLog(path string, limit int64) (*logFile, error) {
	if limit == 0 {
		limit = defaultLogCap
	}
	l := &logFile{limit: limit}
	if path == "" {
		return l, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	l.f = f
	return l, nil
}

// Write keeps what fits. It never fails: a full disk must not stop the command.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	room := l.limit - l.size
	l.size += int64(len(p))
	if l.f == nil || room <= 0 || l.err != nil {
		return len(p), nil
	}
	_, l.err = l.f.Write(p[:min(int64(len(p)), room)])
	return len(p), nil
}

// close ends the log with a note where something was left out.
func (l *logFile) close() error {
	if l.f == nil {
		return nil
	}
	if l.size > l.limit && l.err == nil {
		_, l.err = fmt.Fprintf(l.f, "\n[the log ends here: %d bytes more were printed]\n", l.size-l.limit)
	}
	if err := l.f.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}

// tailSize is how much of standard output is kept in memory.
const tailSize = 64 << 10

// tail passes on what it is given and keeps the end of it.
type tail struct {
	to  io.Writer
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if n := len(t.buf); n > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[n-tailSize:]...)
	}
	return t.to.Write(p)
}

func (t *tail) bytes() []byte { return t.buf[max(0, len(t.buf)-tailSize):] }
