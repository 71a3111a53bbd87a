// WANT: verify | racy | rows are written by workers, a ticker goroutine flushes the
// csv.Writer
package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

func export(w io.Writer, rows int) error {
	cw := csv.NewWriter(w)
	stop := make(chan struct{})
	go func() {
		t := time.NewTicker(50 * time.Microsecond)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				cw.Flush() // RACE!
			}
		}
	}()
	for i := range rows {
		if err := cw.Write([]string{strconv.Itoa(i), "row"}); err != nil { // RACE!
			return err
		}
		time.Sleep(time.Microsecond)
	}
	close(stop)
	cw.Flush() // RACE!
	return cw.Error()
}

func main() { export(io.Discard, 2000) }
