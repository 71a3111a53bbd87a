// A map that a library function returns has elements, which two goroutines write.
package main

import "net/url"

func main() {
	vs, _ := url.ParseQuery("a=1")
	go set(vs["a"])
	set(vs["a"])
}

func set(s []string) {
	s[0] = "x" // RACE!
}
