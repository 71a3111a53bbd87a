// Slices that libraries return have as many elements as they have: what is done to any of them may race.
package main

import (
	"os"
	"strings"
)

func main() {
	b, err := os.ReadFile("x")
	words := strings.Fields("a b c d")
	if err != nil || len(b) < 8 || len(words) < 3 {
		return
	}
	own, err := os.ReadFile("y")
	if err != nil || len(own) < 8 {
		return
	}
	done := make(chan bool)
	go func() {
		b[3] = 1       // RACE!
		words[2] = "e" // RACE!
		done <- true
	}()
	b[3] = 2 // RACE!
	own[3] = 2
	words[2] = "f" // RACE!
	<-done
	own[4] = b[5]
}
