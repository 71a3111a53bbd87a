// Functions in a map.
package main

var n int

var table = map[string]func(){
	"inc": func() { n++ }, // RACE!
	"nop": func() {},
}

func main() {
	go table["inc"]()
	table["inc"]()
}
