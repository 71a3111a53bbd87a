// Panics that a caller recovers from, while goroutines run for which nobody waits then; log.Panic is one.
package main

import (
	"log"
	"os"
)

var waited, handed, logged int

func waits(bad bool) {
	ch := make(chan int)
	go func() {
		defer close(ch)
		waited++ // RACE!
	}()
	if bad {
		panic("bad")
	}
	<-ch
}

func gives(bad bool) chan error {
	ch := make(chan error)
	go func() {
		defer close(ch)
		handed++ // RACE!
	}()
	if bad {
		panic("bad")
	}
	return ch
}

func logs() {
	defer func() {
		recover()
		logged++ // RACE!
	}()
	log.Panic("bad")
}

func first() {
	defer func() {
		recover()
		waited = 2 // RACE!
	}()
	waits(len(os.Args) > 0)
}

func second() {
	defer func() {
		recover()
		handed = 2 // RACE!
	}()
	for range gives(len(os.Args) > 0) {
	}
}

func main() {
	first()
	second()
	go logs()
	go logs()
	select {}
}
