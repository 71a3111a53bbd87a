// As many receives as there are senders.
package main

var parts [4]int

func main() {
	done := make(chan bool)
	for i := 0; i < 4; i++ {
		go func() {
			parts[i] = i // NORACE
			done <- true
		}()
	}
	for i := 0; i < 4; i++ {
		<-done
	}
	println(parts[0]) // NORACE
}
