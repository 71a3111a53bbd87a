// WANT: verify | racy | a bufio.Writer over a file: the file is safe, the buffer is not
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
)

func main() {
	f, err := os.CreateTemp("", "log")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriter(f)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			fmt.Fprintf(w, "worker %d is done\n", i) // RACE!
		})
	}
	wg.Wait()
	w.Flush() // NORACE
	f.Close()
}
