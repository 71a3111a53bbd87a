// Library objects that each goroutine has for itself, that are used in turn, or that are set up before.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"text/template"
)

type point struct{ X, Y int }

func main() {
	n := flag.Int("n", 1, "")
	flag.Parse()
	lg := slog.New(slog.NewTextHandler(io.Discard, nil)).With("a", 1)
	t := template.Must(template.New("x").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse("{{up .}}"))
	total := sha256.New()
	var mu sync.Mutex
	p := &point{1, 2}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h := sha256.New()
			fmt.Fprintf(h, "%d", *n)
			text := hex.EncodeToString(h.Sum(nil))
			var out bytes.Buffer
			t.Execute(&out, text)
			mu.Lock()
			total.Write(out.Bytes())
			mu.Unlock()
			v := reflect.ValueOf(p).Elem()
			for i := range v.NumField() {
				lg.Info("field", "v", v.Field(i).Int())
			}
		}()
	}
	wg.Wait()
	fmt.Printf("%x %d\n", total.Sum(nil), p.X)

	var out bytes.Buffer
	cmd := exec.Command("true")
	cmd.Stdout = &out
	cmd.Start()
	cmd.Wait()
	fmt.Println(out.String())
}
