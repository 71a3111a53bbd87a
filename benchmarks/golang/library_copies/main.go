// Library methods that copy what they are called on, or only read it.
package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
)

func main() {
	r := &http.Request{Header: http.Header{}}
	r2 := r.WithContext(context.Background())
	done := make(chan bool)
	go func() {
		r2.Method = "GET"               // NORACE: a member of the copy
		r2.Header["a"] = []string{"on"} // RACE!
		done <- true
	}()
	r.Method = "PUT"                // NORACE
	r.Header["b"] = []string{"off"} // RACE!

	u := &url.URL{Host: "a"}
	go func() {
		_ = u.String() // RACE!
		done <- true
	}()
	u.Host = "b" // RACE!

	user := url.UserPassword("a", "b")
	go func() {
		_ = user.Username() // NORACE: both read
		done <- true
	}()
	_ = user.Username() // NORACE

	cfg, late := &tls.Config{ServerName: "a"}, &tls.Config{}
	for range 2 {
		go func() {
			c, _ := net.Pipe()
			tls.Client(c, cfg)  // NORACE: a configuration is not changed
			tls.Client(c, late) // RACE!
			done <- true
		}()
	}
	late.ServerName = "b" // RACE!
	for range 5 {
		<-done
	}
}
