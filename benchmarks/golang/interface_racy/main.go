// Calls through an interface.
package main

type shape interface{ grow() }

type square struct{ side int }
type circle struct{ r int }

func (s *square) grow() { s.side++ } // RACE!
func (c *circle) grow() { c.r++ }    // NORACE: run has a copy for each call

func run(s shape) { s.grow() }

func main() {
	sq := &square{}
	ci := &circle{}
	go run(sq)
	run(sq)
	run(ci)
}
