// String is called by the program on one page, and by package fmt on another.
package main

import "fmt"

type body struct{ n int }

type page struct{ b *body }

func (p *page) String() string {
	p.b.n++ // RACE!
	return "page"
}

var (
	x, y = body{1}, body{2}
	a, b = page{&x}, page{&y}
)

func main() {
	_ = a.String()
	done := make(chan int)
	go func() {
		done <- y.n // RACE!
	}()
	fmt.Println([]*page{&b})
	<-done
}
