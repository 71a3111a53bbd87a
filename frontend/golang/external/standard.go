package external

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What functions of the standard library do. Those that start goroutines are listed in
// the models (Library). All others call what they are given before they return. They keep
// it where what they return, or their receiver, has room for it.

// library is what a function of the standard library does to its argument i.
func (t *tracer) library(g *ssa.Function, i int, arg types.Type) Bits {
	if !carries(arg) {
		return 0
	}
	if at, _, ok := t.x.lib.Starts(FuncName(g)); ok && at == i {
		return Go
	}
	if done[FuncName(g)] {
		return Now
	}
	b := Now
	if g.Pkg != nil && t.x.lib.Reflects(g.Pkg.Pkg.Path()) && FuncName(g) != "reflect.TypeOf" {
		b |= Looked
	}
	for j := range g.Signature.Results().Len() {
		if r := g.Signature.Results().At(j).Type(); !types.Identical(r, types.Universe.Lookup("error").Type()) && (carries(r) || isStructPointer(r)) {
			b |= Kept
		}
	}
	if r := g.Signature.Recv(); r != nil && i > 0 && isStructPointer(r.Type()) {
		b |= Kept
	}
	return b
}

// done are functions with receivers or results that have room for what they are given,
// and do not keep it.
var done = map[string]bool{
	"(*sync.Once).Do": true, "(*sync.Map).Range": true, "slices.DeleteFunc": true, "slices.SortedFunc": true,
	"(*flag.FlagSet).Visit": true, "(*flag.FlagSet).VisitAll": true, "bytes.Map": true, "bytes.FieldsFunc": true,
}

// standard notes what a call of a function of the standard library runs.
func (t *tracer) standard(in ssa.CallInstruction, g *ssa.Function, isGo bool) {
	name := FuncName(g)
	c := in.Common()
	now := &t.out.Dyn
	if isGo {
		now = &t.out.GoDyn
	}
	at, field, starts := t.x.lib.Starts(name)
	for i, a := range c.Args {
		to := now
		if starts && at == i {
			to = &t.out.GoDyn
			if field != "" {
				*to = append(*to, fieldKeys(a.Type(), field)...)
			}
		}
		if !t.known(a, nil) {
			*to = append(*to, FuncKeys(a.Type())...)
		}
		*to = append(*to, t.methodKeys(a)...)
		if i == 0 && g.Signature.Recv() != nil && field == "" {
			*to = append(*to, fieldKeys(a.Type(), "*")...)
		}
	}
	if strings.HasPrefix(name, "(reflect.Value).Call") || strings.Contains(name, "/template.Template).Execute") ||
		strings.HasPrefix(name, "(*net/rpc.Server).") {
		*now = append(*now, Anything)
	}
}

// methodKeys lists the keys of methods that a library function may call of an argument:
// those of its interface, or those that are found by reflection.
func (t *tracer) methodKeys(v ssa.Value) []Key {
	typ := v.Type()
	if s, ok := typ.Underlying().(*types.Slice); ok {
		typ = s.Elem()
	}
	it, ok := typ.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if it.NumMethods() == 0 {
		return slices.Clone(asked)
	}
	return interfaceKeys(it)
}

func interfaceKeys(it *types.Interface) []Key {
	var out []Key
	for i := range it.NumMethods() {
		out = append(out, MethodKey(it.Method(i)))
	}
	return out
}

// asked are the methods that printing, encoding and storing find in any value.
var asked = []Key{"String|0/1|func()(string,)", "Error|0/1|func()(string,)", "GoString|0/1|func()(string,)",
	"Format|2/0|func(fmt.State,int32,)()", "LogValue|0/1|func()(log/slog.Value,)", "MarshalJSON|0/2|func()([]uint8,error,)",
	"UnmarshalJSON|1/1|func([]uint8,)(error,)", "MarshalText|0/2|func()([]uint8,error,)", "UnmarshalText|1/1|func([]uint8,)(error,)",
	"MarshalBinary|0/2|func()([]uint8,error,)", "UnmarshalBinary|1/1|func([]uint8,)(error,)",
	"MarshalXML|2/1|func(*encoding/xml.Encoder,encoding/xml.StartElement,)(error,)",
	"UnmarshalXML|2/1|func(*encoding/xml.Decoder,encoding/xml.StartElement,)(error,)",
	"GobEncode|0/2|func()([]uint8,error,)", "GobDecode|1/1|func([]uint8,)(error,)", "Scan|1/1|func(interface{},)(error,)",
	"Value|0/2|func()(database/sql/driver.Value,error,)", "Unwrap|0/1|func()(error,)", "Is|1/1|func(error,)(bool,)", "As|1/1|func(interface{},)(bool,)"}

// fieldKeys lists the keys of what is called in the fields of a struct, and of structs in
// there: in one of them, or all ("*").
func fieldKeys(t types.Type, field string) []Key {
	var out []Key
	seen := map[types.Type]bool{}
	var in func(t types.Type, field string, depth int)
	in = func(t types.Type, field string, depth int) {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || seen[t] || depth == 3 {
			return
		}
		seen[t] = true
		for i := range st.NumFields() {
			f := st.Field(i)
			switch u := f.Type().Underlying().(type) {
			case *types.Signature:
				out = append(out, FuncKey(u))
			case *types.Interface:
				if field == "*" || f.Name() == field {
					out = append(out, interfaceKeys(u)...)
				}
			case *types.Pointer, *types.Struct:
				if field == "*" {
					in(f.Type(), field, depth+1)
				}
			}
		}
	}
	in(t, field, 0)
	return out
}
