// As decoded_ok, but what is decoded, or where it is decoded to, is shared.
package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
)

type order struct {
	Items []int
	Notes map[string]string
}

var (
	db     *sql.DB
	row    *sql.Row
	name   string
	all    order
	shared = map[string]string{}
	last   []int
)

func global(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	if json.Unmarshal(b, &all) != nil { // RACE!
		return
	}
}

func sharedMap(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	o := order{Notes: shared}
	if json.Unmarshal(b, &o) != nil { // RACE!
		return
	}
}

func published(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	var o order
	if json.Unmarshal(b, &o) != nil { // RACE: that the array was not in there before is not known
		return
	}
	last = o.Items // RACE!
	last[0]++      // RACE!
}

func oneRow(w http.ResponseWriter, r *http.Request) {
	var n int
	row.Scan(&n) // RACE!
}

func oneName(w http.ResponseWriter, r *http.Request) {
	db.QueryRow("select name from items").Scan(&name) // RACE!
}

func main() {
	db, _ = sql.Open("x", "")
	row = db.QueryRow("select 1")
	http.HandleFunc("/global", global)
	http.HandleFunc("/map", sharedMap)
	http.HandleFunc("/published", published)
	http.HandleFunc("/row", oneRow)
	http.HandleFunc("/name", oneName)
	http.ListenAndServe(":0", nil)
}
