package irutil

import (
	"fmt"
	"testing"

	"whoop/ir"
)

const section = `
program "section"
global x: i32
global m: i32
global s: i32
func takes() void {
e:
  lock exclusive mutex &m
  call takes()
  return
}
func main() i32 {
e:
  %s
  return i32 0
}
`

// Only a wait after an access, in a section, counts.
func TestBlocksInside(t *testing.T) {
	store := "store plain &x, i32 1\n  "
	for _, c := range []struct {
		body string
		want bool
	}{
		{"lock exclusive mutex &m", false},
		{store + "lock exclusive mutex &m", false},
		{"atomic_begin\n  lock exclusive mutex &m\n  " + store + "atomic_end", false},
		{"atomic_begin\n  " + store + "atomic_end\n  lock exclusive mutex &m", false},
		{"atomic_begin\n  " + store + "lock exclusive mutex &m\n  atomic_end", true},
		{"atomic_begin\n  " + store + "call takes()\n  atomic_end", true},
		{"atomic_begin\n  assume false\n  " + store + "atomic_end", false},
		{"atomic_begin\n  " + store + "assume false\n  atomic_end", true},
	} {
		p, err := ir.Parse("t.wir", []byte(fmt.Sprintf(section, c.body)))
		if err != nil {
			t.Fatal(err)
		}
		if got := BlocksInside(p) != nil; got != c.want {
			t.Errorf("%s: %t, want %t", c.body, got, c.want)
		}
	}
}
