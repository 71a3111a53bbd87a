// What library objects keep are objects of the library, too, and what functions return in interfaces wraps what they were given.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
)

type reader struct{ n int }

func (r *reader) Read([]byte) (int, error) {
	r.n++ // RACE!
	return 0, io.EOF
}

type files struct{ n int }

func (f *files) Open(string) (fs.File, error) {
	f.n++ // RACE!
	return nil, fs.ErrNotExist
}

type listener struct {
	net.Listener
	n int
}

func (l *listener) Accept() (net.Conn, error) {
	l.n++ // RACE!
	return nil, net.ErrClosed
}

type fault struct{}

func (*fault) Error() string { return "" }

func main() {
	var kept, copied, dumped bytes.Buffer
	w := bufio.NewWriter(&kept)
	r := &reader{}
	c := io.NopCloser(r)
	tee := io.TeeReader(strings.NewReader("x"), &copied)
	d := hex.Dumper(&dumped)
	var found *fault
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		w.Flush() // RACE!
		c.Read(nil)
		io.ReadAll(tee)                 // RACE!
		d.Write(nil)                    // RACE!
		_ = errors.As(&fault{}, &found) // RACE!
		http.Serve(&listener{}, nil)
	}()
	_ = kept.Len()   // RACE!
	r.n = 2          // RACE!
	_ = copied.Len() // RACE!
	_ = dumped.Len() // RACE!
	_ = found        // RACE!
	wg.Wait()

	l := &listener{}
	go http.Serve(l, nil)
	l.n = 2 // RACE!

	http.Handle("/", http.FileServer(http.FS(&files{})))
	http.ListenAndServe(":0", nil)
}
