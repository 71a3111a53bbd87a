package world

// Open says what open calls are taken to do; see docs/reference/golang.md.
type Open string

const (
	// OpenConfined: they access what they are given only while they run, in the goroutine
	// that calls them, and only in ways that their types let one expect. This is the
	// default.
	OpenConfined Open = "confined"
	// OpenAny: they may read, write and keep all that their arguments lead to, and hand
	// it out again.
	OpenAny Open = "any"
)

// Confined reports whether open calls are so.
func (w *World) Confined() bool { return w.Open != OpenAny && !w.Exact }
