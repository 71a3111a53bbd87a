package report

import (
	"fmt"
	"regexp"
	"strings"

	"whoop/diag"
)

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// heapName is how regions are named that lie in what is allocated at a place.
var heapName = regexp.MustCompile(`^heap\(([^()@]+)[^()]*\)(.*)$`)

// plainField is a field, or other memory, in words: what is allocated at a place is named
// by that.
func plainField(f string) string {
	f = madeAt.ReplaceAllString(f, "")
	m := heapName.FindStringSubmatch(f)
	switch {
	case m == nil:
		return strings.TrimPrefix(f, "struct ")
	case m[2] == "":
		return "memory allocated at " + m[1]
	}
	return strings.TrimPrefix(m[2], ".") + " of the memory allocated at " + m[1]
}

// Plain is the name of memory or of a lock in words.
func Plain(name string) string { return plainField(name) }

// madeAt matches the lines in names of what a Go program makes, as in counter(line 35).mu:
// the places that are shown say it better.
var madeAt = regexp.MustCompile(`\(line \d+\)`)

// Holding says which locks an access holds; where none is known to guard what is accessed,
// that, and where one was taken that is held.
func Holding(a diag.Access) string {
	switch {
	case len(a.Locks) > 0:
		return strings.Join(plainLocks(a.Locks), ", ")
	case a.Unrelated.Line > 0:
		return fmt.Sprintf("no lock known to guard it (one was taken at line %d)", a.Unrelated.Line)
	}
	return "no locks"
}

// plainLocks are names of locks for people.
func plainLocks(locks []string) []string {
	var out []string
	for _, l := range locks {
		out = append(out, plainField(l))
	}
	return out
}
