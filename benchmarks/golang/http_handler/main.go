// Handlers run concurrently.
package main

import (
	"fmt"
	"net/http"
)

var hits int

func handle(w http.ResponseWriter, r *http.Request) {
	hits++                // RACE!
	fmt.Fprintln(w, hits) // RACE!
}

func main() {
	http.HandleFunc("/", handle)
	http.ListenAndServe(":8080", nil)
}
