// Package timer has a timer and a handler that its initialisation gives to libraries,
// and nothing else.
package timer

import (
	"net/http"
	"time"
)

var n, served int

func init() {
	time.AfterFunc(time.Millisecond, func() { n++ })                            // RACE!
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { served++ }) // RACE!
}

// N only reads.
func N() int { return n } // RACE!
