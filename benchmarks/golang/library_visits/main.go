// Functions that print, encode, scan or fill values call methods of what they find in them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"text/template"
)

type part struct{ n int }

func (p *part) String() string { p.n++; return "" } // RACE!

type whole struct{ Parts []*part }

type coded struct{ n int }

func (c *coded) MarshalJSON() ([]byte, error) { c.n++; return nil, nil } // RACE!

type number struct{ n int }

func (v *number) Scan(fmt.ScanState, rune) error { v.n++; return nil } // RACE!

type page struct{ n int }

func (p *page) Title() string { p.n++; return "" } // RACE!

type said struct{ n int }

func (s *said) String() string { s.n++; return "" } // RACE!

func show(v any) { fmt.Println(v) } // RACE: fmt is taken to read what String reads

// quiet is printed under a lock.
type quiet struct{ n int }

func (q *quiet) String() string { q.n++; return "" }

func main() {
	w := whole{[]*part{{}}}
	table := map[string]any{"a": []*coded{{}}}
	v := &number{}
	t := template.Must(template.New("page").Parse("{{.Title}}"))
	p := &page{}
	s := &said{}
	q := []*quiet{{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = fmt.Sprint(w)            // RACE!
			_, _ = json.Marshal(table)   // RACE!
			_, _ = fmt.Sscan("1", v)     // RACE!
			_ = t.Execute(io.Discard, p) // RACE: it is taken to read members that are not exported
			show(s)
			mu.Lock()
			_ = fmt.Sprint(q)
			mu.Unlock()
		}()
	}
	wg.Wait()
}
