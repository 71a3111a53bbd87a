package c

// Options configure reading C.
type Options struct {
	// IncludeDirs are searched for headers after the file's own directory; Defines are
	// NAME or NAME=VALUE; Includes are files included before the source.
	IncludeDirs, Defines, Includes []string
	// Undefines are names that are no macros, though the compiler would define them.
	Undefines []string
	// C23: bool, nullptr and others are keywords. A file that is rejected otherwise is
	// tried so, too.
	C23 bool
	// DataModel is "LP64" (default) or "ILP32".
	DataModel string
	// KernelHeaders offers the embedded kernel headers; they are offered too where the
	// source includes <linux/…>.
	KernelHeaders bool
	// SystemHeaders searches the system's headers before the embedded ones.
	SystemHeaders bool
	// NoSystemHeaders leaves the system's headers out: what the embedded ones do not have
	// is missing.
	NoSystemHeaders bool
	// IgnoreExterns: unmodelled external functions do nothing, instead of whatever they
	// could with their arguments.
	IgnoreExterns bool
	// Overflow asserts before every signed operation that its result fits its type, with
	// the tags TagOverflow and TagUnclear. Casts and stores to narrower types are no
	// operations; arithmetic on pointers is none on integers.
	Overflow bool
	// Text, if not nil, is read in place of the contents of the input, which is a single
	// file.
	Text []byte
}
