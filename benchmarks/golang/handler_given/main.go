// Program handler_given gives a handler that a function makes: its entry point is named by
// whom it is given to, and where.
package main

import (
	"log"
	"net/http"
)

var requests int

func counting(by int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		requests += by // RACE!
	}
}

func main() {
	http.HandleFunc("/", counting(2))
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
