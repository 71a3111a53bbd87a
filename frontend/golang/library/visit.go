package library

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A visitKind says which methods are called.
type Visit int

const (
	Printing Visit = iota
	Encoding
	Scanning
	Storing // package database/sql
	Templating
)

// VisitOf is how a library function goes through values of any type.
func VisitOf(f *ssa.Function) Visit {
	path := ""
	if o := f.Object(); o != nil && o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	switch {
	case path == "text/template", path == "html/template", path == "testing/quick", path == "reflect", path == "testing" && f.Name() == "Fuzz":
		return Templating
	case path == "fmt" && strings.Contains(strings.ToLower(f.Name()), "scan"):
		return Scanning
	case path == "fmt", path == "log", path == "testing":
		return Printing
	case path == "database/sql":
		return Storing
	}
	return Encoding
}

// Visited reports whether a visit calls methods of that name.
func (k Visit) Visited(name string) bool {
	switch k {
	case Printing:
		return slices.Contains(Formatters, name)
	case Scanning:
		return name == "Scan"
	case Storing:
		return name == "Scan" || name == "Value"
	case Templating:
		return true
	}
	return slices.Contains(Formatters, name) || slices.Contains(Coders, name)
}
