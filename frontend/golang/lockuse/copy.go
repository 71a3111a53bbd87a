package lockuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"whoop/diag"
	"whoop/frontend/golang/program"
)

// Rule names.
const (
	ruleCopy  = "lock-copy"
	ruleBlock = "lock-held-blocking"
	ruleAdd   = "waitgroup-add"
	ruleSend  = "close-send"
	ruleClose = "double-close"
	ruleNil   = "nil-channel"
)

// Find returns the findings of the packages that were asked for.
func Find(src *program.Source) []diag.Finding {
	var out []diag.Finding
	for _, p := range src.Packages {
		if p.Given {
			c := &copies{src: src, info: p.Info, pkg: p.SSA.Pkg, held: map[types.Type]string{}}
			for _, f := range p.Files {
				c.file(f)
			}
			out = append(out, c.out...)
		}
	}
	out = append(out, blocking(src)...)
	rep := diag.Report{}
	rep.AddFindings(out...)
	return rep.Findings
}

// copies looks for copied locks in one package.
type copies struct {
	src  *program.Source
	info *types.Info
	pkg  *types.Package
	out  []diag.Finding
	fn   string
	held map[types.Type]string
}

func (c *copies) file(f *ast.File) {
	for _, d := range f.Decls {
		c.fn = ""
		if fd, ok := d.(*ast.FuncDecl); ok {
			c.fn = funcName(fd)
		}
		ast.Inspect(d, c.node)
	}
}

// funcName is a declared function's name: run, (*T).run.
func funcName(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	return "(" + types.ExprString(fd.Recv.List[0].Type) + ")." + fd.Name.Name
}

func (c *copies) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		c.fields(n.Recv, "the receiver")
		c.fields(n.Type.Params, "the parameter")
	case *ast.FuncLit:
		c.fields(n.Type.Params, "the parameter")
	case *ast.AssignStmt:
		for i, x := range n.Rhs {
			if len(n.Lhs) == len(n.Rhs) && !isBlank(n.Lhs[i]) {
				c.value(x, "this assignment copies")
			}
		}
	case *ast.ValueSpec:
		for i, x := range n.Values {
			if len(n.Names) == len(n.Values) && n.Names[i].Name != "_" {
				c.value(x, "this variable is a copy of")
			}
		}
	case *ast.CompositeLit:
		for _, x := range n.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			c.value(x, "this literal copies")
		}
	case *ast.CallExpr:
		c.call(n)
	case *ast.ReturnStmt:
		for _, x := range n.Results {
			c.value(x, "this return copies")
		}
	case *ast.SendStmt:
		c.value(n.Value, "this send copies")
	case *ast.RangeStmt:
		for _, x := range []ast.Expr{n.Key, n.Value} {
			if x != nil && !isBlank(x) {
				c.copied(x.Pos(), c.info.TypeOf(x), "this range clause copies")
			}
		}
	}
	return true
}

// call looks at the arguments of a call; those that are only measured are not copied.
func (c *copies) call(n *ast.CallExpr) {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := c.info.Uses[id].(*types.Builtin); ok && b.Name() != "append" {
			return // len, cap, new, …
		}
	}
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		if b, ok := c.info.Uses[s.Sel].(*types.Builtin); ok && b.Pkg() == types.Unsafe {
			return // Sizeof, …
		}
	}
	if tv, ok := c.info.Types[n.Fun]; ok && tv.IsType() {
		return // the conversion's own use is looked at
	}
	for _, x := range n.Args {
		c.value(x, "this argument is a copy of")
	}
}

// value reports an expression whose value is a lock that exists already: composite
// literals and the results of calls are new ones, and what a call's result points to may
// be.
func (c *copies) value(x ast.Expr, what string) {
	x = ast.Unparen(x)
	if star, ok := x.(*ast.StarExpr); ok {
		if _, ok := ast.Unparen(star.X).(*ast.CallExpr); ok {
			return
		}
	}
	if call, ok := x.(*ast.CallExpr); ok {
		if tv := c.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
			c.value(call.Args[0], what)
		}
		return
	}
	tv, ok := c.info.Types[x]
	if !ok || !tv.IsValue() {
		return
	}
	switch x.(type) {
	case *ast.CompositeLit, *ast.FuncLit:
		return
	}
	c.copied(x.Pos(), tv.Type, what)
}

// fields reports parameters that are passed by value.
func (c *copies) fields(l *ast.FieldList, what string) {
	if l == nil {
		return
	}
	for _, f := range l.List {
		name := ""
		if len(f.Names) > 0 {
			name = " " + f.Names[0].Name
		}
		c.copied(f.Type.Pos(), c.info.TypeOf(f.Type), what+name+" is passed by value, a copy of")
	}
}

func (c *copies) copied(at token.Pos, t types.Type, what string) {
	if t == nil {
		return
	}
	path := c.lockIn(t)
	if path == "" {
		return
	}
	name := types.TypeString(t, types.RelativeTo(c.pkg))
	msg := fmt.Sprintf("%s a %s, which contains a %s: the copy is a lock of its own", what, name, path)
	if path == types.TypeString(t, nil) {
		msg = fmt.Sprintf("%s a %s: the copy is a lock of its own", what, path)
	}
	c.out = append(c.out, diag.Finding{Kind: ruleCopy, Level: diag.Warning, Pos: c.src.Position(at), Function: c.fn, Subject: name, Message: msg})
}

// lockIn names the type of the lock that a value of type t holds, or "".
func (c *copies) lockIn(t types.Type) string {
	if s, ok := c.held[t]; ok {
		return s
	}
	c.held[t] = "" // types may be recursive through arrays of type parameters
	s := c.look(t)
	c.held[t] = s
	return s
}

func (c *copies) look(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && noCopy(n) {
		return types.TypeString(t, nil)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if s := c.lockIn(u.Field(i).Type()); s != "" {
				return s
			}
		}
	case *types.Array:
		if u.Len() > 0 {
			return c.lockIn(u.Elem())
		}
	}
	return ""
}

// noCopy reports whether values of a type must not be copied once they are used: the
// types of package sync that are or hold locks.
func noCopy(n *types.Named) bool {
	if _, ok := n.Underlying().(*types.Interface); ok {
		return false
	}
	if p := n.Obj().Pkg(); p != nil && p.Path() == "sync" {
		switch n.Obj().Name() {
		case "Mutex", "RWMutex", "Once", "WaitGroup", "Cond", "Map", "Pool":
			return true
		}
	}
	return false
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}
