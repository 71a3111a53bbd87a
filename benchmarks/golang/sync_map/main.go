// sync.Map is safe; what is stored in it need not be.
package main

import "sync"

type entry struct{ n int }

var m sync.Map

func work(k string) {
	v, _ := m.LoadOrStore(k, &entry{})
	v.(*entry).n++ // RACE!
}

func main() {
	go work("a")
	work("a")
}
