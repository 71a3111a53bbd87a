// Two Once values: the functions may run at the same time.
package main

import "sync"

var a, b sync.Once
var n int

func set() { n++ } // RACE!

func main() {
	go a.Do(set)
	b.Do(set)
}
