// A shared object travels in a context.
package main

import "context"

type stats struct{ n int }

type key struct{}

func work(ctx context.Context) {
	s := ctx.Value(key{}).(*stats)
	s.n++ // RACE!
}

func main() {
	s := &stats{}
	ctx := context.WithValue(context.Background(), key{}, s)
	go work(ctx)
	s.n++ // RACE!
}
