package golang

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// A library method that hands out a part of its receiver, such as
// (*cobra.Command).OutOrStdout, calls nothing that the receiver keeps, and what it
// returns is such a part or what it was given, not something new that wraps them. Which
// methods these are their source says, if it is there: read without types, and only what
// is obviously so counts.

// librarySource is the syntax of a library package.
type librarySource struct {
	funcs map[string][]*ast.FuncDecl // functions and methods by their names alone
	// of struct fields, parameters and declared variables: a call of such a name may be
	// of a function value
	names map[string]bool
	plain map[string]bool // what is known: see getter
	known []string        // the names in plain, in order
	in    *ast.FuncDecl   // the one that is looked at
}

// getter reports whether a library function only selects a part of what it is given.
func (l *lowering) getter(f *ssa.Function) bool {
	src := l.sourceOf(f)
	return src != nil && src.getter(f.Name())
}

// sourceOf is the source of the package of a library method; nil where it is not there.
func (l *lowering) sourceOf(f *ssa.Function) *librarySource {
	if f.Signature.Recv() == nil || f.Object() == nil || len(f.TypeArgs()) > 0 {
		return nil
	}
	file := l.prog.Fset.Position(f.Object().Pos()).Filename
	if rest, std := strings.CutPrefix(file, "$GOROOT"); std {
		file = build.Default.GOROOT + rest
	}
	if !strings.HasSuffix(file, ".go") {
		return nil
	}
	dir := filepath.Dir(file)
	src, ok := l.librarySources[dir]
	if !ok {
		src = readSource(dir)
		if l.librarySources == nil {
			l.librarySources = map[string]*librarySource{}
		}
		l.librarySources[dir] = src
	}
	return src
}

// readSource parses the files of a package, for all systems; nil: they are not there, or
// not Go as we know it.
func readSource(dir string) *librarySource {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil
	}
	src := &librarySource{funcs: map[string][]*ast.FuncDecl{}, names: map[string]bool{}, plain: map[string]bool{}}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				src.funcs[fd.Name.Name] = append(src.funcs[fd.Name.Name], fd)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				src.note(n.Names)
			case *ast.ValueSpec:
				src.note(n.Names)
			}
			return true
		})
	}
	return src
}

func (s *librarySource) note(ids []*ast.Ident) {
	for _, id := range ids {
		s.names[id.Name] = true
	}
}

// getter reports whether all functions of a name only return, after comparing, what
// selecting from what they are given yields, or other such functions.
func (s *librarySource) getter(name string) bool {
	if yes, ok := s.plain[name]; ok {
		return yes
	}
	fs := s.funcs[name]
	if len(fs) == 0 || s.names[name] {
		return false
	}
	n := len(s.known)
	s.set(name, true) // while it is looked at: calling itself changes nothing
	defer func(old *ast.FuncDecl) { s.in = old }(s.in)
	for _, f := range fs {
		s.in = f
		if f.Body == nil || !s.statements(f.Body.List) {
			for _, other := range s.known[n:] { // was looked at meanwhile, and may rest on this one
				delete(s.plain, other)
			}
			s.known = s.known[:n]
			s.set(name, false)
			return false
		}
	}
	return true
}

func (s *librarySource) set(name string, yes bool) {
	s.plain[name] = yes
	s.known = append(s.known, name)
}

func (s *librarySource) statements(list []ast.Stmt) bool {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.ReturnStmt:
			if !s.all(st.Results) {
				return false
			}
		case *ast.IfStmt:
			if st.Init != nil || !s.expr(st.Cond) || !s.statements(st.Body.List) {
				return false
			}
			if st.Else != nil && !s.statements([]ast.Stmt{st.Else}) {
				return false
			}
		case *ast.BlockStmt:
			if !s.statements(st.List) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (s *librarySource) all(es []ast.Expr) bool {
	for _, e := range es {
		if !s.expr(e) {
			return false
		}
	}
	return true
}

func (s *librarySource) expr(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return s.expr(e.X)
	case *ast.SelectorExpr:
		return s.expr(e.X)
	case *ast.StarExpr:
		return s.expr(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && s.expr(e.X)
	case *ast.BinaryExpr:
		return s.expr(e.X) && s.expr(e.Y)
	case *ast.CallExpr:
		switch f := e.Fun.(type) {
		case *ast.Ident:
			return (f.Name == "len" || s.getter(f.Name)) && s.all(e.Args)
		case *ast.SelectorExpr:
			return (!f.Sel.IsExported() || s.ofReceiver(f)) && s.getter(f.Sel.Name) && s.expr(f.X) && s.all(e.Args)
		}
	}
	return false
}

// looksFurther reports whether a getter reads more than members of its receiver.
func (s *librarySource) looksFurther(name string) bool {
	further := false
	for _, f := range s.funcs[name] {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.StarExpr:
				further = true
			case *ast.SelectorExpr:
				_, direct := n.X.(*ast.Ident)
				further = further || !direct
			}
			return !further
		})
	}
	return further
}

// ofReceiver reports whether a method is one that the type declares of whose receiver it
// is called: others may be those of other packages' types.
func (s *librarySource) ofReceiver(f *ast.SelectorExpr) bool {
	x, ok := f.X.(*ast.Ident)
	if !ok || s.in.Recv == nil || len(s.in.Recv.List[0].Names) == 0 || x.Name != s.in.Recv.List[0].Names[0].Name {
		return false
	}
	return slices.ContainsFunc(s.funcs[f.Sel.Name], func(d *ast.FuncDecl) bool { return receiverName(d) == receiverName(s.in) })
}

// receiverName is the name of the type that a method is of.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// handsOutPart reports whether a call is one of a getter whose results are interfaces and
// plain values.
func (x *fn) handsOutPart(p *prepared) bool {
	if x.exact || p.fn.Object() == nil || x.own[p.fn.Object().Pkg()] || !x.getter(p.fn) {
		return false
	}
	for _, t := range form.ComponentTypes(p.fn.Signature.Results()) {
		if it, ok := t.Underlying().(*types.Interface); form.IsParam(t) || !(ok && it.NumMethods() > 0) && x.hasPointers(t) {
			return false
		}
	}
	return true
}

// part is what such a call returns: it reads its receiver, and what that leads to, where
// it looks there. What objects of libraries without a model are made of is not known: it
// may be whatever they were given.
func (x *fn) part(p *prepared, effect string) value {
	if at := p.args[0][0]; ir.IsPtr(at.Type()) {
		in := &ir.Touch{Base: x.base(), Addr: at, Read: true, Why: x.funcName(p.fn)}
		if in.Deep = x.sourceOf(p.fn).looksFurther(p.fn.Name()); !in.Deep {
			in.Size = x.receiverSize(p.fn.Signature)
		}
		x.emit(in)
	}
	res := p.fn.Signature.Results()
	switch {
	case effect != "touch":
		return x.keep(p, x.outside(res))
	case x.confined():
		return x.keep(p, x.fromOutside(res, x.handsBack(x.funcName(p.fn), x.pointers(p))))
	}
	return x.keep(p, x.fromOutside(res, x.external(x.funcName(p.fn), x.pointers(p))))
}

// orPart makes a result of type t possibly be what the receiver of a getter keeps, or
// what the program put into one of its fields.
func (x *fn) orPart(p *prepared, t types.Type, v value, hs []given) {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || form.IsParam(t) {
		return
	}
	for _, h := range hs {
		if h.kept {
			copy(v, x.either(t, v, h.v))
		}
	}
	n, ok := types.Unalias(form.Deref(p.fn.Signature.Recv().Type())).(*types.Named)
	if !ok || len(x.setFields[n]) == 0 || !ir.IsPtr(p.args[0][0].Type()) {
		return
	}
	st, ok := n.Underlying().(*types.Struct)
	if _, _, special := x.special(n); !ok || special {
		return
	}
	for i := range st.NumFields() {
		ft := st.Field(i).Type()
		if x.setFields[n][i] && types.IsInterface(ft) && types.Implements(ft, it) {
			dst := x.zeroed(t)
			x.when(not(isNil(p.args[0][0])), func() { x.assignAll(dst, x.load(ft, x.member(p.args[0][0], n, i), ir.Plain)) })
			copy(v, x.either(t, v, useAll(dst)))
		}
	}
}
