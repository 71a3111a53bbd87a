// WANT: verify | racy | sql.Rows is iterated by two goroutines; DB itself may be shared
package main

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"sync"
)

type drv struct{}
type conn struct{}
type stmt struct{}
type rows struct{ n int }

func (drv) Open(string) (driver.Conn, error)            { return conn{}, nil }
func (conn) Prepare(string) (driver.Stmt, error)        { return stmt{}, nil }
func (conn) Close() error                               { return nil }
func (conn) Begin() (driver.Tx, error)                  { return nil, driver.ErrSkip }
func (stmt) Close() error                               { return nil }
func (stmt) NumInput() int                              { return 0 }
func (stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (stmt) Query([]driver.Value) (driver.Rows, error)  { return &rows{}, nil }
func (*rows) Columns() []string                         { return []string{"id"} }
func (*rows) Close() error                              { return nil }
func (r *rows) Next(v []driver.Value) error {
	if r.n >= 100 {
		return io.EOF
	}
	r.n++
	v[0] = int64(r.n)
	return nil
}

func main() {
	sql.Register("mem", drv{})
	db, err := sql.Open("mem", "")
	if err != nil {
		panic(err)
	}
	rs, err := db.Query("select id from t")
	if err != nil {
		panic(err)
	}
	defer rs.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var id int
			for rs.Next() { // RACE!
				if err := rs.Scan(&id); err != nil { // RACE!
					fmt.Println(err)
				}
			}
		})
	}
	wg.Wait()
}
