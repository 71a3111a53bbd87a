// Objects of the library that several goroutines may use, and others under a lock, or one for each.
package main

import (
	"encoding/csv"
	"encoding/gob"
	"encoding/json"
	"expvar"
	"io"
	"log"
	"math/big"
	"math/rand"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"text/template"
)

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	enc, stream, logger := json.NewEncoder(io.Discard), gob.NewEncoder(io.Discard), log.New(io.Discard, "", 0)
	table := csv.NewWriter(io.Discard)
	replacer, pattern := strings.NewReplacer("a", "b"), regexp.MustCompile("a+")
	page := template.Must(template.New("x").Parse("{{.}}"))
	hits, one, header := new(expvar.Int), big.NewInt(1), http.Header{"A": {"b"}}
	for i := range 2 {
		wg.Go(func() {
			stream.Encode(i)
			logger.Print(i)
			println(replacer.Replace("aa"), pattern.MatchString("aa"), header.Get("A"), one.Sign(), one.String())
			hits.Add(1)
			rand.Intn(7)
			var text strings.Builder
			page.Execute(&text, i)
			sum := new(big.Int)
			sum.Add(sum, one)
			mu.Lock()
			enc.Encode(i)
			table.Write([]string{"a"})
			mu.Unlock()
		})
	}
	wg.Wait()
}
