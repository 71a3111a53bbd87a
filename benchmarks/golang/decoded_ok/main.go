// Requests that decode what they get into variables of their own, and change it then.
package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"time"
)

type order struct {
	Items []item
	Notes map[string]string
	At    time.Time
	Next  *item
}

type item struct {
	Name string
	N    int
}

var db *sql.DB

func take(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		return
	}
	o.Notes["seen"] = "yes" // NORACE
	for i := range o.Items {
		o.Items[i].N++ // NORACE
	}
	if o.Next != nil {
		o.Next.N++ // NORACE
	}
	w.WriteHeader(len(o.Items))
}

func find(w http.ResponseWriter, r *http.Request) {
	var name string
	if db.QueryRow("select name from items").Scan(&name) != nil { // NORACE
		return
	}
	w.Write([]byte(name)) // NORACE
}

func main() {
	db, _ = sql.Open("x", "")
	http.HandleFunc("/take", take)
	http.HandleFunc("/find", find)
	http.ListenAndServe(":0", nil)
}
