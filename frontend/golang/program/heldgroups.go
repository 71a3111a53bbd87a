package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// WaitGroups, and structs with one, that a variable holds the address of:
//
//	wg := &sync.WaitGroup{}     g := new(group)
//
// What is known of a WaitGroup that is a variable of its function is not known of one that
// lies on the heap. Where such a variable is never assigned to again, and nobody takes its
// address, it stands for the object, and each execution of its declaration makes another
// one. So the object becomes the variable, and the variable's uses its address:
//
//	var wg sync.WaitGroup       go work(&wg, …)
//
// and members that the literal sets are assigned to, in its order.
//
// That is the same program: a declaration makes a new variable each time, as the literal
// made a new object, and the object has no other name until one is made of its address.
// What is returned, stored, converted or compared stays as it was, since objects that
// leave their function are better told apart as objects. Variables of loops stay, too: an
// iteration gets a copy of them.

// inlineHeldGroups makes variables of such objects. Packages are changed in place.
func inlineHeldGroups(pkgs []*packages.Package) {
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					if held := heldIn(fd, p.TypesInfo); len(held) > 0 {
						held.replace(fd, p.TypesInfo)
					}
				}
			}
		}
	}
}

// heldGroups are the variables that become objects, by those that hold their addresses.
type heldGroups map[types.Object]*types.Var

// heldIn finds the variables of a function.
func heldIn(fd *ast.FuncDecl, info *types.Info) heldGroups {
	out, set := heldGroups{}, assigned(fd, info)
	astutil.Apply(fd.Body, func(c *astutil.Cursor) bool {
		id, value := declares(c)
		if id == nil || !madeByName(made(value, info)) {
			return true
		}
		v, ok := info.Defs[id].(*types.Var)
		if !ok || set[v] || id.Name == "_" {
			return true
		}
		if t := deref(v.Type()); holdsGroup(t, 0) {
			out[v] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), t)
			out[v].SetKind(types.LocalVar)
		}
		return true
	}, nil)
	astutil.Apply(fd.Body, func(c *astutil.Cursor) bool {
		if id, ok := c.Node().(*ast.Ident); ok && out[info.Uses[id]] != nil && !usesHeld(c, info) {
			delete(out, info.Uses[id])
		}
		return true
	}, nil)
	return out
}

// usesHeld reports whether a variable is used for a member or method of what it leads to,
// or as an argument of a call.
func usesHeld(c *astutil.Cursor, info *types.Info) bool {
	switch p := c.Parent().(type) {
	case *ast.SelectorExpr:
		return c.Name() == "X" && info.Selections[p] != nil
	case *ast.CallExpr:
		tv := info.Types[p.Fun]
		return c.Name() == "Args" && !tv.IsType() && !tv.IsBuiltin()
	}
	return false
}

// made is the literal, or the type, of the object that an expression makes and yields the
// address of; nil for others.
func made(e ast.Expr, info *types.Info) ast.Expr {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return lit
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 && info.Types[e.Fun].IsBuiltin() && info.Types[e.Args[0]].IsType() {
			if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "new" {
				return e.Args[0]
			}
		}
	}
	return nil
}

// madeByName reports whether an object is made of a type that is named, and of members
// that are, so that each can be assigned to instead. No member has statements in it.
func madeByName(e ast.Expr) bool {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return e != nil
	}
	for _, x := range lit.Elts {
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		plain := true
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			lit, elided := n.(*ast.CompositeLit)
			_, statements := n.(*ast.FuncLit)
			plain = plain && !statements && !(elided && lit.Type == nil)
			return plain
		})
		if !plain {
			return false
		}
	}
	return lit.Type != nil
}

// holdsGroup reports whether a type is a WaitGroup, or a struct with one in it.
func holdsGroup(t types.Type, depth int) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil &&
		n.Obj().Pkg().Path() == "sync" && n.Obj().Name() == "WaitGroup" {
		return true
	}
	for f := range st.Fields() {
		if holdsGroup(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// replace rewrites the declarations and uses in a function.
func (h heldGroups) replace(fd *ast.FuncDecl, info *types.Info) {
	typed := func(e, like ast.Expr, t types.Type) ast.Expr {
		tv := info.Types[like]
		tv.Type = t
		info.Types[e] = tv
		return e
	}
	var pointer ast.Expr // an expression of the kind of an address
	astutil.Apply(fd.Body, func(c *astutil.Cursor) bool {
		name, value := declares(c)
		v := h[info.Defs[name]]
		if name == nil || v == nil {
			return true
		}
		pointer = value
		info.Defs[name] = v
		t := made(value, info)
		lit, _ := t.(*ast.CompositeLit)
		if lit != nil {
			t = lit.Type
		}
		spec := &ast.ValueSpec{Names: []*ast.Ident{name}, Type: t}
		for _, e := range slices.Backward(elementsOf(lit)) {
			kv := e.(*ast.KeyValueExpr)
			field := kv.Key.(*ast.Ident)
			id := &ast.Ident{NamePos: kv.Pos(), Name: name.Name}
			info.Uses[id] = v
			to := &ast.SelectorExpr{X: id, Sel: field}
			sel, _ := types.LookupSelection(v.Type(), true, info.Uses[field].Pkg(), field.Name)
			info.Selections[to] = &sel
			typed(id, value, v.Type())
			typed(to, value, info.Uses[field].Type())
			c.InsertAfter(&ast.AssignStmt{Lhs: []ast.Expr{to}, TokPos: kv.Colon, Tok: token.ASSIGN, Rhs: []ast.Expr{kv.Value}})
		}
		c.Replace(&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: name.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}})
		return true
	}, nil)
	astutil.Apply(fd.Body, func(c *astutil.Cursor) bool {
		id, ok := c.Node().(*ast.Ident)
		v := h[info.Uses[id]]
		if !ok || v == nil {
			return true
		}
		was := info.Uses[id].Type()
		info.Uses[id] = v
		typed(id, id, v.Type())
		if sel, ok := c.Parent().(*ast.SelectorExpr); ok {
			o := info.Selections[sel].Obj()
			now, _ := types.LookupSelection(v.Type(), true, o.Pkg(), o.Name())
			info.Selections[sel] = &now
		} else {
			c.Replace(typed(&ast.UnaryExpr{OpPos: id.Pos(), Op: token.AND, X: id}, pointer, was))
		}
		return true
	}, nil)
}

// declares is the only variable that a statement of a list declares, and its value.
func declares(c *astutil.Cursor) (*ast.Ident, ast.Expr) {
	if c.Index() < 0 {
		return nil, nil
	}
	switch n := c.Node().(type) {
	case *ast.AssignStmt:
		if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			return id, n.Rhs[0]
		}
	case *ast.DeclStmt:
		d, ok := n.Decl.(*ast.GenDecl)
		if !ok || len(d.Specs) != 1 {
			break
		}
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok && v.Type == nil && len(v.Names) == 1 && len(v.Values) == 1 {
			return v.Names[0], v.Values[0]
		}
	}
	return nil, nil
}

func elementsOf(lit *ast.CompositeLit) []ast.Expr {
	if lit == nil {
		return nil
	}
	return lit.Elts
}
