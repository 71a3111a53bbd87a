// close orders.
package main

import "fmt"

var config map[string]string

func main() {
	ready := make(chan struct{})
	go func() {
		config = map[string]string{"a": "b"} // NORACE
		close(ready)
	}()
	<-ready
	fmt.Println(config["a"]) // NORACE
}
