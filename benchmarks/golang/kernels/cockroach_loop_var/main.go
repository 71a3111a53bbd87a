// In the manner of cockroach #35501: the checks of a table are validated by one goroutine each, which get the variable of the loop by its
// address. The variable is declared before the loop, so the loop goes on writing it.
package main

import "sync"

type check struct{ name string }

func validate(c *check) bool { return len(c.name) > 0 } // RACE!

func validateAll(checks []check) {
	var wg sync.WaitGroup
	var c check
	for i := 0; i < len(checks); i++ {
		c = checks[i] // RACE!
		wg.Add(1)
		go func() {
			defer wg.Done()
			validate(&c)
		}()
	}
	wg.Wait()
}

func main() {
	validateAll([]check{{"a > 0"}, {"b > 0"}, {"c > 0"}})
}
