// A constant has methods, too, which libraries call.
package main

import (
	"encoding/json"
	"os"
	"text/template"
)

type level int

var asked, named int

func (l level) MarshalJSON() ([]byte, error) {
	asked++ // RACE!
	return []byte("1"), nil
}

type page struct{ title string }

func (p page) Name() string {
	named++ // RACE!
	return "page"
}

func main() {
	done := make(chan bool)
	go func() {
		json.Marshal(level(1))
		template.Must(template.New("").Parse("{{.Name}}\n")).Execute(os.Stdout, page{})
		done <- true
	}()
	asked++ // RACE!
	named++ // RACE!
	<-done
}
