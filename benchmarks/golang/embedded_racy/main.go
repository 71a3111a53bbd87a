// A promoted field of an embedded struct.
package main

type base struct{ id int }
type derived struct {
	base
	name string
}

func (d *derived) rename(s string) { d.name = s } // NORACE
func (d *derived) setID(n int)     { d.id = n }   // RACE!

func main() {
	d := &derived{}
	go d.setID(1)
	d.rename("x")
	d.setID(2)
}
