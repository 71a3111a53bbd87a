package c

import (
	"reflect"

	"modernc.org/cc/v4"
)

// tokenSearch looks at the tokens of syntax trees. cc.NodeSource, which writes them as
// text, is ten times slower, too slow for each declaration of a header.
type tokenSearch struct {
	fields map[reflect.Type][]int // of each struct that was met, those with tokens or nodes
}

func newTokenSearch() tokenSearch { return tokenSearch{fields: map[reflect.Type][]int{}} }

var (
	tokenType = reflect.TypeFor[cc.Token]()
	nodeType  = reflect.TypeFor[cc.Node]()
)

// any reports whether f holds for the text of a token below n. The tokens are those of
// cc.NodeSource, in no order.
func (s tokenSearch) any(n cc.Node, f func(text []byte) bool) bool {
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && s.below(v, f)
}

// below is any for a pointer to a node.
func (s tokenSearch) below(v reflect.Value, f func(text []byte) bool) bool {
	if v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return false
	}
	v = v.Elem()
	fields, known := s.fields[v.Type()]
	if !known {
		fields = looked(v.Type())
		s.fields[v.Type()] = fields
	}
	for _, i := range fields {
		x := v.Field(i)
		if x.Type() == tokenType {
			if t := x.Addr().Interface().(*cc.Token); t.Seq() != 0 && f(t.Src()) {
				return true
			}
			continue
		}
		if x.Kind() == reflect.Interface {
			x = x.Elem()
		}
		if x.Kind() == reflect.Pointer && s.below(x, f) {
			return true
		}
	}
	return false
}

// looked are the fields of a struct in which there may be tokens.
func looked(t reflect.Type) []int {
	var out []int
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() && (f.Type == tokenType || f.Type.Implements(nodeType)) {
			out = append(out, i)
		}
	}
	return out
}
