// Calls through an interface.
package main

type shape interface{ grow() }

type square struct{ side int }
type circle struct{ r int }

func (s *square) grow() { s.side++ } // RACE!
func (c *circle) grow() { c.r++ }    // RACE: one function called with several objects is not told apart by points-to

func run(s shape) { s.grow() }

func main() {
	sq := &square{}
	ci := &circle{}
	go run(sq)
	run(sq)
	run(ci)
}
