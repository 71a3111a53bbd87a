// WANT: verify | race-free | *os.File and *log.Logger are for concurrent use, a compiled
// regexp and a strings.Replacer too
package main

import (
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
	"sync"
)

var (
	word  = regexp.MustCompile(`\w+`)
	clean = strings.NewReplacer("\t", " ", "\n", " ")
)

func main() {
	f, err := os.CreateTemp("", "log")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	l := log.New(f, "app ", log.LstdFlags)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			l.Printf("worker %d", i)                          // NORACE
			l.SetPrefix(fmt.Sprint(i))                        // NORACE
			f.WriteString(clean.Replace("a\tb\n"))            // NORACE
			log.Println(word.FindAllString("a few words", 2)) // NORACE
		})
	}
	wg.Wait()
	f.Close()
}
