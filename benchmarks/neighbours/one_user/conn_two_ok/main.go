// WANT: verify | race-free | a net.Conn is read and written by two goroutines, and closed
// by a third
package main

import (
	"bufio"
	"fmt"
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go fmt.Fprintln(c, "hello")
		buf := make([]byte, 8)
		c.Read(buf) // NORACE
		c.Close()
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	got := make(chan string)
	go func() {
		s, _ := bufio.NewReader(c).ReadString('\n') // NORACE
		got <- s
	}()
	fmt.Fprintln(c, "hi") // NORACE
	fmt.Print(<-got)
	c.Close() // NORACE
	l.Close()
}
