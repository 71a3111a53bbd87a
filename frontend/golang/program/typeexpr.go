package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"whoop/frontend/golang/form"
)

// namedTypes is a package that has names for types of all packages.
type namedTypes struct {
	pkg   *types.Package
	names map[types.Object]string
}

// namesOfTypes is the name and the path by which it is imported.
const namesOfTypes = "·"

// name is the name of a type of which o is the object.
func (n *namedTypes) name(o types.Object, t types.Type) string {
	name := n.names[o]
	if name == "" {
		name = "T" + strconv.Itoa(len(n.names))
		n.names[o] = name
		n.pkg.Scope().Insert(types.NewTypeName(token.NoPos, n.pkg, name, t))
	}
	return name
}

// typeExprs writes types as expressions that mean them in a package, whatever is declared
// there.
type typeExprs struct {
	pkg    *types.Package
	named  *namedTypes
	params map[*types.TypeParam]string // names of type parameters
	at     token.Pos
	failed bool
}

// maxTypeDepth is how deep types are that are written.
const maxTypeDepth = 20

// of is an expression for a type; failed is set for types that are declared in functions,
// and very deep ones.
func (e *typeExprs) of(t types.Type) ast.Expr { return e.expr(t, 0) }

func (e *typeExprs) expr(t types.Type, depth int) ast.Expr {
	if depth++; depth > maxTypeDepth {
		e.failed = true
		return e.ident("_")
	}
	part := func(t types.Type) ast.Expr { return e.expr(t, depth) }
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return e.name(types.Unsafe.Scope().Lookup("Pointer"), t)
		}
		return e.name(types.Universe.Lookup(t.Name()), t)
	case *types.TypeParam:
		if n := e.params[t]; n != "" {
			return e.ident(n)
		}
	case *types.Pointer:
		return &ast.StarExpr{Star: e.at, X: part(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: e.at, Elt: part(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Lbrack: e.at, Len: e.number(t.Len()), Elt: part(t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}
		return &ast.ChanType{Begin: e.at, Dir: dir[t.Dir()], Value: part(t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: e.at, Key: part(t.Key()), Value: part(t.Elem())}
	case *types.Named:
		return e.instance(t, part)
	case *types.Struct:
		return e.structure(t, part)
	case *types.Signature:
		if t.TypeParams().Len() == 0 {
			return e.function(t, part)
		}
	case *types.Interface:
		return e.iface(t, part)
	case *types.Union:
		return e.union(t, part)
	}
	e.failed = true
	return e.ident("_")
}

func (e *typeExprs) ident(name string) *ast.Ident { return &ast.Ident{NamePos: e.at, Name: name} }

func (e *typeExprs) number(n int64) ast.Expr {
	return &ast.BasicLit{ValuePos: e.at, Kind: token.INT, Value: strconv.FormatInt(n, 10)}
}

// name is an expression for a type that has a name.
func (e *typeExprs) name(o types.Object, t types.Type) ast.Expr {
	if o == nil {
		e.failed = true
		return e.ident("_")
	}
	return &ast.SelectorExpr{X: e.ident(namesOfTypes), Sel: e.ident(e.named.name(o, t))}
}

func (e *typeExprs) instance(t *types.Named, part func(types.Type) ast.Expr) ast.Expr {
	o := t.Obj()
	if o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
		e.failed = true // declared in a function
		return e.ident("_")
	}
	out := e.name(o, t.Origin())
	var args []ast.Expr
	for a := range t.TypeArgs().Types() {
		args = append(args, part(a))
	}
	switch len(args) {
	case 0:
		return out
	case 1:
		return &ast.IndexExpr{X: out, Lbrack: e.at, Index: args[0]}
	}
	return &ast.IndexListExpr{X: out, Lbrack: e.at, Indices: args}
}

// structure is a struct type without a name. Its members belong to the package that wrote
// it, which only an expression in that package can say where they are not exported.
func (e *typeExprs) structure(t *types.Struct, part func(types.Type) ast.Expr) ast.Expr {
	list := &ast.FieldList{Opening: e.at}
	for i := range t.NumFields() {
		f := t.Field(i)
		if f.Embedded() || !f.Exported() && f.Pkg() != e.pkg {
			e.failed = true
		}
		field := &ast.Field{Names: []*ast.Ident{e.ident(f.Name())}, Type: part(f.Type())}
		if tag := t.Tag(i); tag != "" {
			field.Tag = &ast.BasicLit{ValuePos: e.at, Kind: token.STRING, Value: strconv.Quote(tag)}
		}
		list.List = append(list.List, field)
	}
	return &ast.StructType{Struct: e.at, Fields: list}
}

func (e *typeExprs) function(t *types.Signature, part func(types.Type) ast.Expr) *ast.FuncType {
	list := func(vars *types.Tuple, variadic bool) *ast.FieldList {
		out := &ast.FieldList{Opening: e.at}
		for i := range vars.Len() {
			f := &ast.Field{}
			if s, ok := vars.At(i).Type().(*types.Slice); ok && variadic && i == vars.Len()-1 {
				f.Type = &ast.Ellipsis{Ellipsis: e.at, Elt: part(s.Elem())}
			} else {
				f.Type = part(vars.At(i).Type())
			}
			out.List = append(out.List, f)
		}
		return out
	}
	return &ast.FuncType{Func: e.at, Params: list(t.Params(), t.Variadic()), Results: list(t.Results(), false)}
}

func (e *typeExprs) iface(t *types.Interface, part func(types.Type) ast.Expr) ast.Expr {
	list := &ast.FieldList{Opening: e.at}
	for m := range t.ExplicitMethods() {
		if !m.Exported() && m.Pkg() != e.pkg {
			e.failed = true
		}
		list.List = append(list.List, &ast.Field{Names: []*ast.Ident{e.ident(m.Name())}, Type: e.function(m.Signature(), part)})
	}
	for t := range t.EmbeddedTypes() {
		list.List = append(list.List, &ast.Field{Type: part(t)})
	}
	return &ast.InterfaceType{Interface: e.at, Methods: list}
}

func (e *typeExprs) union(t *types.Union, part func(types.Type) ast.Expr) ast.Expr {
	var out ast.Expr
	for term := range t.Terms() {
		x := part(term.Type())
		if term.Tilde() {
			x = &ast.UnaryExpr{OpPos: e.at, Op: token.TILDE, X: x}
		}
		if out != nil {
			x = &ast.BinaryExpr{X: out, OpPos: e.at, Op: token.OR, Y: x}
		}
		out = x
	}
	return out
}

// mentionsParam reports whether a type mentions a type parameter.
func mentionsParam(t types.Type) bool { return len(paramsIn(t)) > 0 }

// paramsIn lists the type parameters that a type mentions, each once.
func paramsIn(ts ...types.Type) []*types.TypeParam {
	var out []*types.TypeParam
	seen := map[types.Type]bool{}
	var visit func(types.Type)
	visit = func(t types.Type) {
		t = types.Unalias(t)
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.TypeParam:
			out = append(out, t)
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				visit(a)
			}
		case *types.Struct:
			for f := range t.Fields() {
				visit(f.Type())
			}
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				visit(m.Signature())
			}
			for e := range t.EmbeddedTypes() {
				visit(e)
			}
		case *types.Union:
			for term := range t.Terms() {
				visit(term.Type())
			}
		default:
			for _, e := range form.Parts(t) {
				visit(e)
			}
		}
	}
	for _, t := range ts {
		visit(t)
	}
	return out
}
