package report

import (
	"fmt"
	"regexp"
	"strings"
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

// plainLocks are names of locks for people.
func plainLocks(locks []string) []string {
	var out []string
	for _, l := range locks {
		out = append(out, plainField(l))
	}
	return out
}
