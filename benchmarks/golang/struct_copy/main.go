// A struct is copied while it is written.
package main

type conf struct {
	host string
	port int
}

var c conf

func main() {
	go func() {
		c = conf{"a", 1} // RACE!
	}()
	d := c // RACE!
	println(d.port)
}
