// Command interface_asked asks for a type before a value of it is put into an interface.
package main

import "sync"

type mover interface{ move() }

type piece struct{ at int }

func (p *piece) move() {
	p.at++ // RACE!
}

var onBoard mover

func main() {
	if _, ok := onBoard.(*piece); ok {
		return
	}
	onBoard = &piece{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			onBoard.move()
		}()
	}
	wg.Wait()
}
