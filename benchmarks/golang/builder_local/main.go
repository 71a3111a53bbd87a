// Each call has a strings.Builder of its own.
package main

import "strings"

func join(n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteString("x") // NORACE
	}
	return b.String() // NORACE
}

func main() {
	go join(1)
	join(2)
}
