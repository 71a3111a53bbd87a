package scale

import (
	"fmt"
	"strings"
)

// Modules are kinds of Go libraries of any size, by name: each returns the source of one
// with about so many lines.
var Modules = map[string]func(lines int) string{
	"locks": locks, "printers": printers, "chains": chains,
}

// locks has types with a lock each, whose methods hold it, and call those of the next type
// of ten.
func locks(lines int) string {
	var b strings.Builder
	b.WriteString("// Package many has many types with locks.\npackage many\n\nimport \"sync\"\n\n")
	const each = 34
	for k := range max(lines/each, 1) {
		last := k%10 == 9 || k == max(lines/each, 1)-1
		next, call := "", ""
		if !last {
			next = fmt.Sprintf("\tnext T%d\n", k+1)
			call = fmt.Sprintf("\tt.next.Add(key, n+%d)\n", k%7)
		}
		fmt.Fprintf(&b, `type T%[1]d struct {
	mu   sync.Mutex
	n    int
	last string
	seen map[string]int
%[2]s}

func (t *T%[1]d) Add(key string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[string]int{}
	}
	t.seen[key] += n
	t.n += n
	t.last = key
%[3]s}

func (t *T%[1]d) Sum() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := t.n
	for _, n := range t.seen {
		sum += n
	}
	return sum
}

`, k, next, call)
	}
	return b.String()
}

// printers has types behind one interface whose String prints the value of another type.
func printers(lines int) string { return Types(max(lines/28, 1)) }

// chains has ten exported functions, with chains of calls below them that work on shared
// counters under a lock.
func chains(lines int) string {
	var b strings.Builder
	b.WriteString("// Package many has long chains of calls.\npackage many\n\nimport \"sync\"\n\n")
	const heads, each = 10, 10
	length := max(lines/heads/each, 1)
	for h := range heads {
		fmt.Fprintf(&b, "var (\n\tmu%[1]d sync.Mutex\n\tcount%[1]d [4]int\n)\n\nfunc Chain%[1]d(n int) int {\n\tmu%[1]d.Lock()\n\tdefer mu%[1]d.Unlock()\n\treturn step%[1]dx0(n)\n}\n\n", h)
		for i := range length {
			rest := "n"
			if i+1 < length {
				rest = fmt.Sprintf("step%dx%d(n + 1)", h, i+1)
			}
			fmt.Fprintf(&b, "func step%[1]dx%[2]d(n int) int {\n\tif n > %[2]d {\n\t\tcount%[1]d[%[3]d] += n\n\t\treturn count%[1]d[%[4]d]\n\t}\n\tcount%[1]d[%[4]d]++\n\treturn %[5]s\n}\n\n",
				h, i, i%4, (i+1)%4, rest)
		}
	}
	return b.String()
}
