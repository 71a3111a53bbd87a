// Panics that a caller recovers from, while goroutines run for which nobody waits then; log.Panic is one.
package main

import (
	"log"
	"os"
)

var waited, handed, logged int
var here, above [4]int

func recovers(n int) (r int) {
	errs := make(chan error)
	defer func() {
		recover()
		r = here[0] // RACE!
	}()
	for i := range n {
		go func() {
			here[i] = i // RACE!
			errs <- nil
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			panic(err)
		}
	}
	return here[1] // NORACE
}

func counts(n int) int {
	errs := make(chan error)
	for i := range n {
		go func() {
			above[i] = i // RACE!
			errs <- nil
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			panic(err)
		}
	}
	return above[1] // NORACE
}

func third() {
	defer func() {
		recover()
		above[0] = 1 // RACE!
	}()
	counts(4)
}

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
	third()
	recovers(4)
	go logs()
	go logs()
	select {}
}
