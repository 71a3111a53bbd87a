package external

import "strings"

// Bits say what may happen to a value.
type Bits uint8

// The bits of a value.
const (
	// Now: it is called before the function returns that it is given to, or that has it.
	Now Bits = 1 << iota
	// Go: it is called in a goroutine that the function starts.
	Go
	// Kept: it is stored where others find it, or returned.
	Kept
	// Looked: it is printed, encoded or looked into by reflection before the function
	// returns.
	Looked
)

// All is what happens to a value of which nothing is known.
const All = Now | Go | Kept | Looked

// Ref names a function: the path of its package, a space, and its name as package ssa
// writes it, without type arguments.
type Ref string

func ref(pkg, name string) Ref { return Ref(pkg + " " + name) }

// Package is the path of the function's package.
func (r Ref) Package() string {
	p, _, _ := strings.Cut(string(r), " ")
	return p
}

func (r Ref) name() string {
	_, n, _ := strings.Cut(string(r), " ")
	return n
}

// Package has the facts of a package.
type Package struct {
	Path  string
	Funcs map[string]*Func // by name
	// Boxes are the methods of types that the package puts into interfaces, by their
	// keys.
	Boxes map[Key][]Ref `json:",omitempty"`
	// Unknown says why nothing is known of the package; then its functions do everything.
	Unknown string `json:",omitempty"`
}

// Func has the facts of a function.
type Func struct {
	Calls  []Ref `json:",omitempty"` // functions that it calls, known by name
	Starts []Ref `json:",omitempty"` // functions that it starts as goroutines
	Dyn    []Key `json:",omitempty"` // what it calls that is not known by name
	GoDyn  []Key `json:",omitempty"` // what it starts so
	// Values are the functions that are values in it, with the nodes of these.
	Values []Value `json:",omitempty"`
	// Passed are values of unknown origin that it gives to parameters.
	Passed []Passed         `json:",omitempty"`
	Nodes  map[string]*Node `json:",omitempty"`
}

// Value is a function as a value: a closure, or a function that is not called where it is
// named.
type Value struct {
	Ref  Ref
	Node string
	Key  Key
}

// Passed is a value of unknown origin, in which functions of the keys may be, that goes
// to a parameter.
type Passed struct {
	Keys []Key
	To   Edge
}

// Node is a parameter (p0, the receiver first), a captured variable (f0) or a function
// value (v0) of a function.
type Node struct {
	Bits Bits   `json:",omitempty"` // what the function itself does to it
	To   []Edge `json:",omitempty"` // where it goes
	// Keys are the functions that may be in a parameter or captured variable, which
	// callers that are not known give.
	Keys []Key `json:",omitempty"`
}

// Edge leads to a node of another function.
type Edge struct {
	Func Ref
	Node string
	// Go: that function is started as a goroutine.
	Go bool `json:",omitempty"`
	// Via is the node, of the function where the edge starts, of the closure that
	// captures the value; "" for parameters.
	Via string `json:",omitempty"`
}
