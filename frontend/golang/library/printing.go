package library

import (
	"go/types"
	"slices"
)

// PrintPackage reports whether the functions of a package print their variadic arguments
// as package fmt does.
func PrintPackage(path string) bool { return path == "fmt" || path == "log" || path == "testing" }

// FollowedByPrint reports whether a value of a type is, for package fmt, what it leads
// to.
func FollowedByPrint(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Array, *types.Slice, *types.Map:
			return true
		}
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// HasFormatter reports whether a type has a method by which package fmt prints values.
func HasFormatter(t types.Type) bool {
	ms := types.NewMethodSet(t)
	return ms.Lookup(nil, "Error") != nil || ms.Lookup(nil, "String") != nil || ms.Lookup(nil, "Format") != nil
}

// Formatters are the methods by which values that functions get as any are turned into
// text or bytes.
var Formatters = []string{"Error", "String", "GoString", "Format", "LogValue", "MarshalJSON", "MarshalText", "MarshalBinary", "MarshalXML", "GobEncode"}

// Formatted reports whether a type has such a method that is not promoted.
func Formatted(t types.Type) bool {
	ms := types.NewMethodSet(types.NewPointer(t))
	return slices.ContainsFunc(Formatters, func(name string) bool {
		m := ms.Lookup(nil, name)
		return m != nil && len(m.Index()) == 1
	})
}

// encoders are the packages that look into values of any type, but only into members that
// they can name, and coders the methods of values that they call instead.
var (
	Encoders = []string{"encoding/json", "encoding/xml", "encoding/gob"}
	Coders   = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr",
		"GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"}
)

// MayPrint reports whether a value may be one that is printed: then hidden members are
// read, too.
func MayPrint(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	it, ok := t.Underlying().(*types.Interface)
	return ok && it.NumMethods() == 0
}
