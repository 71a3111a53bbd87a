// A variable of package flag has its default at once; maps that library functions copy have what was in them.
package main

import (
	"flag"
	"maps"
)

var byFlag, byClone int

func main() {
	var on bool
	flag.BoolVar(&on, "on", true, "switch it on")
	all := maps.Clone(map[string]bool{"x": true})
	go func() {
		if on {
			byFlag++ // RACE!
		}
		if all["x"] {
			byClone++ // RACE!
		}
	}()
	if on {
		byFlag++ // RACE!
	}
	if all["x"] {
		byClone++ // RACE!
	}
}
