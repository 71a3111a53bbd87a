// A named result is written by a deferred closure and a goroutine.
package main

func compute() (n int, err error) {
	go func() {
		n = 1 // RACE!
	}()
	defer func() {
		n++ // RACE!
	}()
	return 5, nil // RACE!
}

func main() {
	compute()
}
