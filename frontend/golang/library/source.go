package library

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Source is the syntax of a library package.
type Source struct {
	funcs map[string][]*ast.FuncDecl // functions and methods by their names alone
	// of struct fields, parameters and declared variables: a call of such a name may be
	// of a function value
	names map[string]bool
	plain map[string]bool // what is known: see getter
	known []string        // the names in plain, in order
	in    *ast.FuncDecl   // the one that is looked at
}

// Sources has the source of packages that was looked at, by directory; nil where
// there is none.
type Sources map[string]*Source

// Getter reports whether a library function only selects a part of what it is given.
func (l Sources) Getter(f *ssa.Function) bool {
	src := l.SourceOf(f)
	return src != nil && src.Getter(f.Name())
}

// SourceOf is the source of the package of a library method; nil where it is not there.
func (l Sources) SourceOf(f *ssa.Function) *Source {
	if f.Signature.Recv() == nil || f.Object() == nil || len(f.TypeArgs()) > 0 {
		return nil
	}
	file := f.Prog.Fset.Position(f.Object().Pos()).Filename
	if rest, std := strings.CutPrefix(file, "$GOROOT"); std {
		file = build.Default.GOROOT + rest
	}
	if !strings.HasSuffix(file, ".go") {
		return nil
	}
	dir := filepath.Dir(file)
	src, ok := l[dir]
	if !ok {
		src = ReadSource(dir)
		l[dir] = src
	}
	return src
}

// ReadSource parses the files of a package, for all systems; nil: they are not there, or
// not Go as we know it.
func ReadSource(dir string) *Source {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil
	}
	src := &Source{funcs: map[string][]*ast.FuncDecl{}, names: map[string]bool{}, plain: map[string]bool{}}
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

func (s *Source) note(ids []*ast.Ident) {
	for _, id := range ids {
		s.names[id.Name] = true
	}
}

// Getter reports whether all functions of a name only return, after comparing, what
// selecting from what they are given yields, or other such functions.
func (s *Source) Getter(name string) bool {
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

func (s *Source) set(name string, yes bool) {
	s.plain[name] = yes
	s.known = append(s.known, name)
}

func (s *Source) statements(list []ast.Stmt) bool {
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

func (s *Source) all(es []ast.Expr) bool {
	for _, e := range es {
		if !s.expr(e) {
			return false
		}
	}
	return true
}

func (s *Source) expr(e ast.Expr) bool {
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
			return (f.Name == "len" || s.Getter(f.Name)) && s.all(e.Args)
		case *ast.SelectorExpr:
			return (!f.Sel.IsExported() || s.ofReceiver(f)) && s.Getter(f.Sel.Name) && s.expr(f.X) && s.all(e.Args)
		}
	}
	return false
}

// LooksFurther reports whether a getter reads more than members of its receiver.
func (s *Source) LooksFurther(name string) bool {
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
func (s *Source) ofReceiver(f *ast.SelectorExpr) bool {
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
