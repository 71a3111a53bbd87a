// Objects behind interfaces of the library have a state, if they are not meant for concurrent use; functions that library functions return use what those were given.
package main

import (
	"archive/zip"
	"bytes"
	"container/ring"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"math/rand"
	"runtime"
	"strings"
	"sync"
)

type shared struct{ n int }

type owner struct{ s *shared }

func main() {
	var zipped bytes.Buffer
	file, _ := zip.NewWriter(&zipped).Create("a")
	h := sha256.New()
	sum := crc32.NewIEEE()
	src := rand.NewSource(1)
	s := &shared{}
	runtime.SetFinalizer(&owner{s}, func(o *owner) {
		o.s.n++ // RACE!
	})
	in := &shared{}
	r := ring.New(1)
	r.Value = in
	split := 0
	fields := strings.FieldsFuncSeq("a b", func(rune) bool {
		split++ // RACE!
		return true
	})

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		file.Write(nil)        // RACE!
		fmt.Fprintf(h, "a")    // RACE!
		sum.Write([]byte("a")) // RACE!
		src.Int63()            // RACE!
		r.Do(func(v any) {
			v.(*shared).n = 1 // RACE!
		})
		for range fields {
		}
	}()
	_ = zipped.Len()     // RACE!
	h.Write([]byte("b")) // RACE!
	_ = sum.Sum32()      // RACE!
	src.Int63()          // RACE!
	s.n = 2              // RACE!
	in.n = 2             // RACE!
	split = 2            // RACE!
	wg.Wait()
}
