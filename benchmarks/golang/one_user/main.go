// Objects of the library that are for one goroutine at a time, used by two.
package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"container/list"
	"encoding/csv"
	"encoding/json"
	"flag"
	"hash/fnv"
	"io"
	"math/big"
	"math/rand"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"text/tabwriter"
)

func main() {
	var wg sync.WaitGroup
	enc, table := json.NewEncoder(io.Discard), csv.NewWriter(io.Discard)
	tabs := tabwriter.NewWriter(io.Discard, 0, 8, 0, ' ', 0)
	archive := zip.NewWriter(io.Discard)
	file, _ := archive.Create("a")
	rnd := rand.New(rand.NewSource(1))
	sum, hash, flags := new(big.Int), fnv.New32(), flag.NewFlagSet("x", flag.ContinueOnError)
	todo, header, values := list.New(), http.Header{}, url.Values{}
	words := bufio.NewScanner(strings.NewReader("a b c"))
	var text strings.Builder
	var buf bytes.Buffer
	for i := range 2 {
		wg.Go(func() {
			enc.Encode(i)                // RACE!
			table.Write([]string{"a"})   // RACE!
			tabs.Write([]byte("a\tb\n")) // RACE!
			file.Write([]byte("a"))      // RACE!
			rnd.Intn(7)                  // RACE!
			sum.Add(sum, big.NewInt(1))  // RACE!
			hash.Write([]byte("a"))      // RACE!
			flags.Parse(nil)             // RACE!
			todo.PushBack(i)             // RACE!
			header.Set("A", "b")         // RACE!
			values.Set("a", "b")         // RACE!
			words.Scan()                 // RACE!
			text.WriteString("a")        // RACE!
			buf.WriteString("a")         // RACE!
		})
	}
	wg.Wait()
}
