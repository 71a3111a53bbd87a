// What functions of the program return to a library function is used there, and may be what that returns.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"sync"
)

type file struct{ n int }

func (f *file) Read([]byte) (int, error) {
	f.n++ // RACE!
	return 0, io.EOF
}
func (f *file) Close() error               { return nil }
func (f *file) Stat() (fs.FileInfo, error) { return nil, nil }

type files struct{ f *file }

func (f *files) Open(string) (fs.File, error) { return f.f, nil }

type body struct{ n int }

func (b *body) Read([]byte) (int, error) {
	b.n++ // RACE!
	return 0, io.EOF
}
func (b *body) Close() error { return nil }

type tripper struct{ b *body }

func (t *tripper) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{Body: t.b}, nil
}

type conn struct{ n int }

func (c *conn) Connect(context.Context) (driver.Conn, error) { return c, nil }
func (c *conn) Driver() driver.Driver                        { return nil }
func (c *conn) Close() error                                 { return nil }
func (c *conn) Begin() (driver.Tx, error)                    { return nil, nil }
func (c *conn) Prepare(string) (driver.Stmt, error) {
	c.n++ // RACE!
	return nil, nil
}

type fault struct{ n int }

func (f *fault) Error() string { return "" }

func main() {
	fsys := &files{&file{}}
	b := &body{}
	client := &http.Client{Transport: &tripper{b}}
	resp, _ := client.Get("http://x")
	c := &conn{}
	db := sql.OpenDB(c)
	walked, cause := &fault{}, &fault{}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		fs.ReadFile(fsys, "a")
		resp.Body.Read(nil)
		db.Prepare("x")
		err := filepath.WalkDir(".", func(string, fs.DirEntry, error) error { return walked })
		var f *fault
		if errors.As(err, &f) {
			f.n = 1 // RACE!
		}
		if f, ok := context.Cause(ctx).(*fault); ok {
			f.n = 1 // RACE!
		}
	}()
	fsys.f.n = 2 // RACE!
	b.n = 2      // RACE!
	c.n = 2      // RACE!
	walked.n = 2 // RACE!
	cause.n = 2  // RACE!
	wg.Wait()
}
