// The usual mistake: err of the enclosing function.
package main

import "errors"

func step(n int) error {
	if n > 1 {
		return errors.New("too large")
	}
	return nil
}

func main() {
	err := step(0)
	go func() {
		err = step(2) // RACE!
	}()
	err = step(1)   // RACE!
	if err != nil { // RACE!
		println(err.Error()) // RACE!
	}
}
