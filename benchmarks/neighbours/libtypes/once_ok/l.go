// WANT: verify | race-free | OnceValues and a Once: everything is written before Do
// returns
package once_ok

import (
	"strings"
	"sync"
)

// Words is safe for concurrent use.
type Words struct {
	text string
	once sync.Once
	all  []string
	freq map[string]int
}

// New keeps text.
func New(text string) *Words { return &Words{text: text} }

func (w *Words) parse() {
	w.all = strings.Fields(w.text) // NORACE
	w.freq = make(map[string]int)  // NORACE
	for _, f := range w.all {
		w.freq[f]++ // NORACE
	}
}

// Count tells how often s occurs.
func (w *Words) Count(s string) int {
	w.once.Do(w.parse)
	return w.freq[s] // NORACE
}

// First is the first word.
func (w *Words) First() string {
	w.once.Do(w.parse)
	if len(w.all) == 0 {
		return ""
	}
	return w.all[0] // NORACE
}
