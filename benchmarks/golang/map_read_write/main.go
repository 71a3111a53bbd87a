// One goroutine reads a map while another deletes from it.
package main

import (
	"fmt"
	"time"
)

var cache = make(map[string]int)

func main() {
	cache["a"] = 1 // NORACE
	go func() {
		for k, v := range cache { // RACE!
			fmt.Println(k, v)
		}
	}()
	delete(cache, "a") // RACE!
	time.Sleep(time.Millisecond)
}
