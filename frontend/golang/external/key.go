package external

import (
	"fmt"
	"go/types"
	"strings"
)

// Key tells calls apart whose target is not known: NAME|PARAMETERS/RESULTS|SIGNATURE,
// where the name is that of a method, or "" for function values. In generic code, where
// types are not known, the signature is "".
type Key string

// Anything is the key of calls by reflection, which call every function and method.
const Anything Key = "*"

// FuncKey is the key of calls of function values of a signature.
func FuncKey(sig *types.Signature) Key { return key("", sig) }

// MethodKey is the key of calls of a method of an interface.
func MethodKey(m *types.Func) Key { return key(m.Name(), m.Type().(*types.Signature)) }

func key(name string, sig *types.Signature) Key {
	w := &writer{}
	w.signature(sig)
	text := w.String()
	if w.generic {
		text = ""
	}
	return Key(fmt.Sprintf("%s|%d/%d|%s", name, sig.Params().Len(), sig.Results().Len(), text))
}

// Match reports whether calls of two keys may be of one function.
func (k Key) Match(other Key) bool {
	if k == other || k == Anything || other == Anything {
		return true
	}
	i, j := strings.LastIndexByte(string(k), '|'), strings.LastIndexByte(string(other), '|')
	return k[:i] == other[:j] && (i == len(k)-1 || j == len(other)-1)
}

// method reports whether a key is of method calls.
func (k Key) method() bool { return k != Anything && k[0] != '|' }

// form is what keys of one function have in common: the name and the numbers of
// parameters and results.
func (k Key) form() Key { return k[:strings.LastIndexByte(string(k), '|')+1] }

// writer writes types in one way, without the names of parameters.
type writer struct {
	strings.Builder
	generic bool
}

func (w *writer) signature(sig *types.Signature) {
	w.WriteString("func")
	w.tuple(sig.Params())
	if sig.Variadic() {
		w.WriteString("...")
	}
	w.tuple(sig.Results())
}

func (w *writer) tuple(t *types.Tuple) {
	w.WriteByte('(')
	for i := range t.Len() {
		w.typ(t.At(i).Type())
		w.WriteByte(',')
	}
	w.WriteByte(')')
}

func (w *writer) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			w.WriteString(p.Path() + ".")
		}
		w.WriteString(t.Obj().Name())
		for i := range t.TypeArgs().Len() {
			w.WriteByte('[')
			w.typ(t.TypeArgs().At(i))
			w.WriteByte(']')
		}
		if t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0 {
			w.generic = true
		}
	case *types.Basic:
		name := t.Name()
		if k := t.Kind(); k < types.UnsafePointer { // byte is uint8
			name = types.Typ[k].Name()
		}
		w.WriteString(name)
	case *types.Pointer:
		w.WriteByte('*')
		w.typ(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.typ(t.Elem())
	case *types.Array:
		fmt.Fprintf(w, "[%d]", t.Len())
		w.typ(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.typ(t.Key())
		w.WriteByte(']')
		w.typ(t.Elem())
	case *types.Chan:
		fmt.Fprintf(w, "chan%d ", t.Dir())
		w.typ(t.Elem())
	case *types.Signature:
		w.signature(t)
	case *types.TypeParam:
		w.generic = true
	case *types.Interface:
		w.WriteString("interface{")
		for i := range t.NumMethods() {
			w.WriteString(t.Method(i).Name())
			w.signature(t.Method(i).Type().(*types.Signature))
			w.WriteByte(';')
		}
		w.WriteByte('}')
	case *types.Struct:
		w.WriteString("struct{")
		for i := range t.NumFields() {
			w.WriteString(t.Field(i).Name() + " ")
			w.typ(t.Field(i).Type())
			w.WriteByte(';')
		}
		w.WriteByte('}')
	default:
		w.WriteString(t.String())
	}
}

// maxDepth is how deep in types functions and interfaces are looked for.
const maxDepth = 4

// carries reports whether values of a type may have functions or values with methods in
// them that are followed. Pointers to structs are not: what is stored in a struct to
// which others have a pointer is kept.
func carries(t types.Type) bool { return look(t, 0, nil) }

// FuncKeys lists the keys of functions that may be in values of a type.
func FuncKeys(t types.Type) []Key {
	var out []Key
	look(t, 0, func(s *types.Signature) { out = append(out, FuncKey(s)) })
	return out
}

// look reports whether values of a type carry something, and calls found for each
// function type in it.
func look(t types.Type, depth int, found func(*types.Signature)) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	if depth == maxDepth {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if found != nil {
			found(u)
		}
		return true
	case *types.Interface:
		return true
	case *types.Slice:
		return look(u.Elem(), depth+1, found)
	case *types.Array:
		return look(u.Elem(), depth+1, found)
	case *types.Chan:
		return look(u.Elem(), depth+1, found)
	case *types.Map:
		k := look(u.Key(), depth+1, found)
		return look(u.Elem(), depth+1, found) || k
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return !isStruct && look(u.Elem(), depth+1, found)
	case *types.Struct:
		any := false
		for i := range u.NumFields() {
			any = look(u.Field(i).Type(), depth+1, found) || any
		}
		return any
	case *types.Tuple:
		any := false
		for i := range u.Len() {
			any = look(u.At(i).Type(), depth+1, found) || any
		}
		return any
	}
	return false
}
