package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
)

// A copier copies syntax with what is known of it. The variables of the copy are its own.
type copier struct {
	from, to *types.Info
	pkg      *types.Package
	objs     map[types.Object]types.Object
	nodes    map[any]reflect.Value     // copies by what they are of
	stands   map[types.Object]ast.Expr // what stands for uses of a variable
	// copies are variables that stand for the caller's in there: so the caller's own are
	// not captured.
	copies map[types.Object]types.Object
	skips  map[*ast.DeclStmt]bool // declarations of variables for which something stands
}

func newCopier(from, to *types.Info, pkg *types.Package) *copier {
	return &copier{from: from, to: to, pkg: pkg, objs: map[types.Object]types.Object{},
		nodes: map[any]reflect.Value{}, stands: map[types.Object]ast.Expr{}, copies: map[types.Object]types.Object{}}
}

// standsFor is a copy of what stands for a variable.
func (c *copier) standsFor(e ast.Expr) ast.Expr {
	if _, ok := e.(*ast.FuncLit); ok {
		return e // it is used once
	}
	d := newCopier(c.to, c.to, c.pkg)
	d.objs = c.copies
	out := d.copy(reflect.ValueOf(e)).Interface().(ast.Expr)
	d.facts()
	return out
}

// param declares the variable of a parameter, number i with the receiver.
func (c *copier) param(id *ast.Ident, fn *types.Func, i int, at token.Pos) *ast.Ident {
	out := &ast.Ident{NamePos: at, Name: "_"}
	sig := fn.Signature()
	v := sig.Recv()
	if v == nil {
		v = sig.Params().At(i)
	} else if i > 0 {
		v = sig.Params().At(i - 1)
	}
	if id != nil {
		out.Name = id.Name
	}
	own := types.NewVar(v.Pos(), c.pkg, out.Name, v.Type())
	if id != nil && c.from.Defs[id] != nil {
		c.objs[c.from.Defs[id]] = own
	}
	c.to.Defs[out] = own
	return out
}

// declare makes the variables of a copy.
func (c *copier) declare(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := c.from.Defs[id].(*types.Var); ok && !v.IsField() {
				c.objs[v] = types.NewVar(v.Pos(), c.pkg, v.Name(), v.Type())
			}
		}
		return true
	})
}

var nodeType = reflect.TypeFor[ast.Node]()

// copy copies what a value of package ast leads to.
func (c *copier) copy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		if id, ok := v.Interface().(*ast.Ident); ok {
			if e := c.stands[c.from.Uses[id]]; e != nil {
				out.Set(reflect.ValueOf(c.standsFor(e)))
				return out
			}
		}
		out.Set(c.copy(v.Elem()))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), 0, v.Len())
		for i := range v.Len() {
			if d, ok := v.Index(i).Interface().(*ast.DeclStmt); !ok || !c.skips[d] {
				out = reflect.Append(out, c.copy(v.Index(i)))
			}
		}
		return out
	case reflect.Pointer:
		if v.IsNil() || !v.Type().Implements(nodeType) {
			return v // objects and scopes of the parser's are not used
		}
		if n, ok := c.nodes[v.Interface()]; ok {
			return n
		}
		out := reflect.New(v.Type().Elem())
		c.nodes[v.Interface()] = out
		for i := range v.Elem().NumField() {
			out.Elem().Field(i).Set(c.copy(v.Elem().Field(i)))
		}
		return out
	}
	return v
}

// facts are what is known of the copies.
func (c *copier) facts() {
	own := func(o types.Object) types.Object {
		if n := c.objs[o]; n != nil {
			return n
		}
		return o
	}
	for old, n := range c.nodes {
		switch now := n.Interface().(type) {
		case *ast.Ident:
			id := old.(*ast.Ident)
			if o, ok := c.from.Defs[id]; ok {
				c.to.Defs[now] = own(o)
			}
			if o, ok := c.from.Uses[id]; ok {
				c.to.Uses[now] = own(o)
			}
			if x, ok := c.from.Instances[id]; ok {
				c.to.Instances[now] = x
			}
		case *ast.SelectorExpr:
			if x, ok := c.from.Selections[old.(*ast.SelectorExpr)]; ok {
				c.to.Selections[now] = x
			}
		}
		if e, ok := n.Interface().(ast.Expr); ok {
			if tv, ok := c.from.Types[old.(ast.Expr)]; ok {
				c.to.Types[e] = tv
			}
		}
		if x, ok := c.from.Implicits[old.(ast.Node)]; ok {
			c.to.Implicits[n.Interface().(ast.Node)] = own(x)
		}
	}
}
