// Two goroutines increment a counter without a lock.
package main

import (
	"fmt"
	"time"
)

var counter int

func worker(n int) {
	for i := 0; i < n; i++ {
		counter++ // RACE!
	}
}

func main() {
	go worker(10)
	go worker(20)
	time.Sleep(time.Second)
	fmt.Println(counter) // RACE!
}
