// What maps.Copy and maps.Insert put into a map is there, members that are not exported, too.
package main

import "maps"

type option struct{ on bool }

var copied, inserted int

func main() {
	a, b := map[int]option{}, map[int]option{}
	maps.Copy(a, map[int]option{1: {true}})
	maps.Insert(b, maps.All(map[int]option{1: {true}}))
	go func() {
		if a[1].on {
			copied++ // RACE!
		}
		if b[1].on {
			inserted++ // RACE!
		}
	}()
	if a[1].on {
		copied++ // RACE!
	}
	if b[1].on {
		inserted++ // RACE!
	}
}
