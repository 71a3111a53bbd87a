// In the manner of kubernetes #82550: a provider of credentials is asked by several pulls at once, and makes the real provider at the first
// use, without a lock.
package main

import "sync"

type credentials struct{ user string }

type provider struct{ actual *credentials }

func (p *provider) provide() string {
	if p.actual == nil { // RACE!
		p.actual = &credentials{user: "aws"} // RACE!
	}
	return p.actual.user // RACE!
}

func main() {
	p := new(provider)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		println(p.provide())
	}()
	go func() {
		defer wg.Done()
		println(p.provide())
	}()
	wg.Wait()
}
