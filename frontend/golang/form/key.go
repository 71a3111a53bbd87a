package form

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Key is a name that all types have which are identical, and no others. It is written as
// package types writes it, but for aliases (identical types may be spelt any and
// interface{}, or byte and uint8), and for types that functions declare: these have their
// position, and what they are, since several may have one name.
func Key(t types.Type) string {
	var k typeKey
	k.write(t)
	return k.String()
}

// OpenKey is Key but for the names of type parameters: types that are Renamed have one.
// open tells whether there is a type parameter in the type.
func OpenKey(t types.Type) (key string, open bool) {
	k := typeKey{nameless: true}
	k.write(t)
	return k.String(), k.open
}

type typeKey struct {
	strings.Builder
	local    bool // within what a type is that a function declares
	nameless bool // type parameters have no names
	open     bool // there was a type parameter
}

func (k *typeKey) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			k.WriteString(t.String())
			return
		}
		k.WriteString(types.Typ[t.Kind()].Name())
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil {
			k.WriteString(o.Pkg().Path() + ".")
		}
		k.WriteString(o.Name())
		if o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			k.declared(t)
		}
		if t.TypeArgs().Len() > 0 {
			k.list("[", t.TypeArgs().Len(), ",", "]", func(i int) { k.write(t.TypeArgs().At(i)) })
		} else if t.TypeParams().Len() > 0 {
			sep := ", "
			if k.nameless {
				sep = ","
			}
			k.list("[", t.TypeParams().Len(), sep, "]", func(i int) { k.param(t.TypeParams().At(i)) })
		}
	case *types.TypeParam:
		k.param(t)
	case *types.Pointer:
		k.WriteString("*")
		k.write(t.Elem())
	case *types.Slice:
		k.WriteString("[]")
		k.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(&k.Builder, "[%d]", t.Len())
		k.write(t.Elem())
	case *types.Map:
		k.WriteString("map[")
		k.write(t.Key())
		k.WriteString("]")
		k.write(t.Elem())
	case *types.Chan:
		k.channel(t)
	case *types.Struct:
		k.list("struct{", t.NumFields(), "; ", "}", func(i int) { k.field(t.Field(i), t.Tag(i)) })
	case *types.Tuple:
		k.tuple(t, false)
	case *types.Signature:
		k.WriteString("func")
		k.signature(t)
	case *types.Interface:
		k.iface(t)
	default: // unions
		k.WriteString(types.TypeString(t, nil))
	}
}

func (k *typeKey) param(t *types.TypeParam) {
	k.open = true
	if k.nameless {
		k.WriteString("$")
	} else {
		k.WriteString(types.TypeString(t, nil))
	}
}

// declared says which of the types of its name a type is that a function declares: an
// instance of a generic function has others than the next.
func (k *typeKey) declared(t *types.Named) {
	fmt.Fprintf(&k.Builder, "@%d", t.Obj().Pos())
	if !k.local {
		k.local = true
		k.write(t.Underlying())
		k.local = false
	}
}

func (k *typeKey) list(open string, n int, sep, end string, item func(int)) {
	k.WriteString(open)
	for i := range n {
		if i > 0 {
			k.WriteString(sep)
		}
		item(i)
	}
	k.WriteString(end)
}

func (k *typeKey) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		k.WriteString("chan<- ")
	case types.RecvOnly:
		k.WriteString("<-chan ")
	default:
		k.WriteString("chan ")
		if c, ok := types.Unalias(t.Elem()).(*types.Chan); ok && c.Dir() == types.RecvOnly {
			k.WriteString("(")
			k.write(c)
			k.WriteString(")")
			return
		}
	}
	k.write(t.Elem())
}

// field writes a member of a struct: the package belongs to the name of one that is not
// exported.
func (k *typeKey) field(f *types.Var, tag string) {
	if !f.Embedded() {
		if !f.Exported() && f.Pkg() != nil {
			k.WriteString(f.Pkg().Path() + ".")
		}
		k.WriteString(f.Name() + " ")
	}
	k.write(f.Type())
	if tag != "" {
		fmt.Fprintf(&k.Builder, " %q", tag)
	}
}

func (k *typeKey) tuple(t *types.Tuple, variadic bool) {
	k.list("(", t.Len(), ", ", ")", func(i int) {
		if s, ok := t.At(i).Type().(*types.Slice); ok && variadic && i == t.Len()-1 {
			k.WriteString("...")
			k.write(s.Elem())
			return
		}
		k.write(t.At(i).Type())
	})
}

func (k *typeKey) signature(t *types.Signature) {
	k.tuple(t.Params(), t.Variadic())
	switch t.Results().Len() {
	case 0:
	case 1:
		k.WriteString(" ")
		k.write(t.Results().At(0).Type())
	default:
		k.WriteString(" ")
		k.tuple(t.Results(), false)
	}
}

// iface writes an interface by all its methods, in order; one that says more, of the types
// that have it, as it is written.
func (k *typeKey) iface(t *types.Interface) {
	if t.Empty() {
		k.WriteString("any")
		return
	}
	if !t.IsMethodSet() {
		k.open = true // not looked into
		k.WriteString(types.TypeString(t, nil))
		return
	}
	var ms []*types.Func
	for m := range t.Methods() {
		ms = append(ms, m)
	}
	slices.SortFunc(ms, func(a, b *types.Func) int { return strings.Compare(a.Id(), b.Id()) })
	k.list("interface{", len(ms), "; ", "}", func(i int) {
		k.WriteString(ms[i].Id())
		k.signature(ms[i].Signature())
	})
}
