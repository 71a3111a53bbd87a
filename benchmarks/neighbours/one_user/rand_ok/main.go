// WANT: verify | race-free | the top-level functions of math/rand are safe; and each
// worker has a generator of its own
package main

import (
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	res := make([]int, 4)
	for i := range res {
		wg.Go(func() {
			own := rand.New(rand.NewSource(int64(i)))
			res[i] = own.Intn(6) + rand.Intn(6) + randv2.IntN(6) // NORACE
		})
	}
	wg.Wait()
	fmt.Println(res) // NORACE
}
