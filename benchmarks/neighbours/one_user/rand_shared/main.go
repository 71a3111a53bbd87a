// WANT: verify | racy | a *rand.Rand of its own source is for one goroutine
package main

import (
	"fmt"
	"math/rand"
	"sync"
)

type dice struct{ r *rand.Rand }

func (d *dice) throw() int { return d.r.Intn(6) + 1 } // RACE!

func main() {
	d := &dice{r: rand.New(rand.NewSource(1))}
	var wg sync.WaitGroup
	res := make([]int, 4)
	for i := range res {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10 {
				res[i] += d.throw()
			}
		}()
	}
	wg.Wait()
	fmt.Println(res)
}
