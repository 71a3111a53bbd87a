package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Functions that start what they are given:
//
//	func (g *group) Go(f func()) { g.wg.Add(1); go func() { defer g.wg.Done(); f() }() }
//
// All goroutines of a program that has one begin at one go statement. What is known of a
// goroutine (which variables it has, what its maker waits for, whether there is one) is
// known of who calls such a function. So their bodies are put in the place of their calls,
// before the SSA form is made: each caller has a go statement of its own. The same is done
// with functions that count in a WaitGroup which they are given, or wait for it.
//
// A body in the place of a call does what the call does: arguments are evaluated first, in
// order, into variables of its own with the parameters' types, and nothing in it depends
// on being a function (see inlinable). An argument that is the same whenever it is
// evaluated needs no variable (see steady). A file's comments and positions are as they
// were.

// starters are the functions that start what they are given, with the package of their
// source.
type starters struct {
	of    map[*types.Func]*starter
	count int // bodies that were put in the place of calls
	// copies are the declarations of variables that stand for others, in such bodies.
	copies map[*ast.DeclStmt]bool
	moved  map[*ast.FuncLit]Literal
}

type starter struct {
	decl   *ast.FuncDecl
	info   *types.Info
	counts bool // that is all: it starts nothing that it is given
	// literals are the numbers of its own function literals, but for those within others.
	literals map[*ast.FuncLit]int
}

// A Literal says of which function a function literal is, and its number there, from 1.
type Literal struct {
	Of     *types.Func
	Number int
}

const (
	maxStarterNodes = 400  // in the body of a function that is put in the place of calls
	maxStarterCalls = 2000 // of a program
	maxStarterDepth = 3    // of functions that give what they are given to others
)

// inlineStarters replaces the calls of functions that start what they are given. Packages
// are changed in place. It returns the function literals that are copies of others.
func inlineStarters(pkgs []*packages.Package) map[*ast.FuncLit]Literal {
	s, seen := &starters{copies: map[*ast.DeclStmt]bool{}, moved: map[*ast.FuncLit]Literal{}}, map[*types.Func]bool{}
	for range maxStarterDepth {
		found := map[*types.Func]*starter{}
		for _, p := range pkgs {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					fd, ok := d.(*ast.FuncDecl)
					if !ok || fd.Body == nil || !inlinable(fd, p.TypesInfo) {
						continue
					}
					starts := startsGiven(fd, p.TypesInfo)
					if !starts && !countsGiven(fd, p.TypesInfo) {
						continue
					}
					if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok && !seen[fn] {
						found[fn], seen[fn] = &starter{fd, p.TypesInfo, !starts, s.literals(fd)}, true
					}
				}
			}
		}
		withoutCycles(found)
		if len(found) == 0 {
			break
		}
		s.of = found
		for _, p := range pkgs {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
						s.replace(fd, p)
					}
				}
			}
		}
	}
	return s.moved
}

// literals numbers the function literals of a function as the SSA form does, but for those
// within others and those that are copies.
func (s *starters) literals(fd *ast.FuncDecl) map[*ast.FuncLit]int {
	out := map[*ast.FuncLit]int{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if _, moved := s.moved[lit]; ok && !moved {
			out[lit] = len(out) + 1
		}
		return !ok
	})
	return out
}

// withoutCycles leaves out functions that call each other.
func withoutCycles(of map[*types.Func]*starter) {
	calls := func(fn *types.Func) (out []*types.Func) {
		ast.Inspect(of[fn].decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if g, ok := of[fn].info.Uses[id].(*types.Func); ok && of[g] != nil {
					out = append(out, g)
				}
			}
			return true
		})
		return out
	}
	var out []*types.Func
	for fn := range of {
		seen, work := map[*types.Func]bool{}, calls(fn)
		for len(work) > 0 && !seen[fn] {
			g := work[len(work)-1]
			if work = work[:len(work)-1]; !seen[g] {
				seen[g] = true
				work = append(work, calls(g)...)
			}
		}
		if seen[fn] {
			out = append(out, fn)
		}
	}
	for _, fn := range out {
		delete(of, fn)
	}
}

// startsGiven reports whether a function has a go statement that calls, or hands on, a
// function which it is given, by its own name or that of a copy.
func startsGiven(fd *ast.FuncDecl, info *types.Info) bool {
	given := map[types.Object]bool{}
	for _, f := range fd.Type.Params.List {
		for _, id := range f.Names {
			if v := info.Defs[id]; v != nil {
				if _, ok := v.Type().Underlying().(*types.Signature); ok {
					given[v] = true
				}
			}
		}
	}
	starts := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
			for i, e := range v.Values {
				if id, ok := e.(*ast.Ident); ok && given[info.Uses[id]] {
					given[info.Defs[v.Names[i]]] = true
				}
			}
		}
		g, ok := n.(*ast.GoStmt)
		if ok {
			ast.Inspect(g.Call, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				starts = starts || ok && given[info.Uses[id]]
				return true
			})
		}
		return !starts
	})
	return starts
}

// countsGiven reports whether a function calls a method of a WaitGroup that it is given,
// or that is a member of what it is given.
func countsGiven(fd *ast.FuncDecl, info *types.Info) bool {
	counts := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		f, ok := n.(*ast.SelectorExpr)
		if !ok {
			return !counts
		}
		m, ok := info.Uses[f.Sel].(*types.Func)
		if !ok || m.Pkg() == nil || m.Pkg().Path() != "sync" || m.Signature().Recv() == nil ||
			deref(m.Signature().Recv().Type()).String() != "sync.WaitGroup" {
			return !counts
		}
		x := f.X
		for {
			s, ok := ast.Unparen(x).(*ast.SelectorExpr)
			if !ok {
				break
			}
			x = s.X
		}
		id, ok := ast.Unparen(x).(*ast.Ident)
		v, isVar := info.Uses[id].(*types.Var)
		counts = counts || ok && isVar && v.Kind() != types.LocalVar && v.Kind() != types.PackageVar
		return !counts
	})
	return counts
}

// inlinable reports whether the body of a function does in the place of a call what the
// call does. It has no results, and none of what is bound to its function: returns,
// deferred calls, labels, calls of recover and of itself. It declares variables only, and
// has no loops, whose variables would be those of the caller's version of Go.
func inlinable(fd *ast.FuncDecl, info *types.Info) bool {
	fn, _ := info.Defs[fd.Name].(*types.Func)
	if fn == nil {
		return false
	}
	sig := fn.Signature()
	if sig.Results().Len() > 0 || sig.Variadic() || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false
	}
	ok, nodes := true, 0
	var visit func(n ast.Node, inside bool)
	visit = func(n ast.Node, inside bool) { // inside a function literal
		ast.Inspect(n, func(n ast.Node) bool {
			nodes++
			switch n := n.(type) {
			case *ast.FuncLit:
				if !inside {
					visit(n.Body, true)
					return false
				}
			case *ast.ReturnStmt, *ast.DeferStmt:
				ok = ok && inside
			case *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt, *ast.TypeSwitchStmt:
				ok = false
			case *ast.BranchStmt:
				ok = ok && n.Label == nil
			case *ast.GenDecl:
				ok = ok && n.Tok == token.VAR
			case *ast.Ident:
				switch o := info.Uses[n].(type) {
				case *types.Builtin:
					ok = ok && (o.Name() != "recover" || inside)
				case *types.Func:
					ok = ok && o != fn
				}
			}
			return ok
		})
	}
	visit(fd.Body, false)
	return ok && nodes <= maxStarterNodes
}

// replace replaces the calls in a function.
func (s *starters) replace(fd *ast.FuncDecl, p *packages.Package) {
	self, _ := p.TypesInfo.Defs[fd.Name].(*types.Func)
	changed := assigned(fd, p.TypesInfo)
	list := func(stmts []ast.Stmt) {
		for i, st := range stmts {
			e, ok := st.(*ast.ExprStmt)
			if !ok {
				continue
			}
			call, ok := ast.Unparen(e.X).(*ast.CallExpr)
			if !ok {
				continue
			}
			if b := s.body(call, p, self, changed); b != nil && s.count < maxStarterCalls {
				s.count++
				stmts[i] = b
			}
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		}
		return true
	})
}

// body is what stands for a call; nil where that is not the call of a starter, or one
// whose receiver or arguments are not given one by one.
func (s *starters) body(call *ast.CallExpr, p *packages.Package, self *types.Func, changed map[types.Object]bool) *ast.BlockStmt {
	info := p.TypesInfo
	var fn *types.Func
	var recv ast.Expr
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ = info.Uses[f].(*types.Func)
	case *ast.SelectorExpr:
		sel := info.Selections[f]
		switch {
		case sel == nil:
			fn, _ = info.Uses[f.Sel].(*types.Func)
		case sel.Kind() == types.MethodVal:
			fn, _ = sel.Obj().(*types.Func)
			if s.of[fn] != nil {
				recv = receiver(f, sel, fn, info)
			}
		}
	}
	st := s.of[fn]
	if st == nil || fn == self || (st.decl.Recv != nil) != (recv != nil) {
		return nil
	}
	var names []*ast.Ident
	values := call.Args
	if recv != nil {
		values = append([]ast.Expr{recv}, values...)
		names = paramNames(st.decl.Recv)
	}
	names = append(names, paramNames(st.decl.Type.Params)...)
	if len(names) != len(values) || call.Ellipsis.IsValid() || st.counts && !slices.ContainsFunc(values, func(e ast.Expr) bool { return ofLocal(e, info) }) {
		return nil
	}
	out := &ast.BlockStmt{Lbrace: call.Pos(), Rbrace: call.End()}
	c := newCopier(st.info, info, p.Types)
	set, uses := assigned(st.decl, st.info), s.usesOf(st.decl, st.info)
	declare := func(id *ast.Ident, e ast.Expr) *ast.DeclStmt {
		v := &ast.ValueSpec{Names: []*ast.Ident{id}, Values: []ast.Expr{e}}
		d := &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: e.Pos(), Tok: token.VAR, Specs: []ast.Spec{v}}}
		out.List = append(out.List, d)
		return d
	}
	for i, id := range names {
		if id != nil && id.Name != "_" {
			v := st.info.Defs[id]
			same := types.Identical(v.Type(), info.TypeOf(values[i]))
			if same && !set[v] && steady(values[i], info, changed, uses[v] == 1) {
				for _, id := range pointersIn(values[i], info) {
					if own := c.copies; own[info.Uses[id]] == nil {
						own[info.Uses[id]] = types.NewVar(id.Pos(), p.Types, id.Name, info.TypeOf(id))
						to := &ast.Ident{NamePos: id.Pos(), Name: id.Name}
						info.Defs[to] = own[info.Uses[id]]
						s.copies[declare(to, id)] = true
					}
				}
				c.stands[v] = values[i]
				continue
			}
		}
		declare(c.param(id, fn, i, values[i].Pos()), values[i])
	}
	c.declare(st.decl.Body)
	c.skips = s.standAlike(st, c)
	body := c.copy(reflect.ValueOf(st.decl.Body)).Interface().(*ast.BlockStmt)
	c.facts()
	for old, n := range c.nodes {
		switch old := old.(type) {
		case *ast.DeclStmt:
			if s.copies[old] {
				s.copies[n.Interface().(*ast.DeclStmt)] = true
			}
		case *ast.FuncLit:
			lit, moved := s.moved[old]
			if k := st.literals[old]; !moved && k > 0 {
				lit, moved = Literal{fn, k}, true
			}
			if moved {
				s.moved[n.Interface().(*ast.FuncLit)] = lit
			}
		}
	}
	out.List = append(out.List, body.List...)
	return out
}

// standAlike lets what stands for a parameter stand for its copies, too, and returns the
// declarations of these.
func (s *starters) standAlike(st *starter, c *copier) map[*ast.DeclStmt]bool {
	skips := map[*ast.DeclStmt]bool{}
	ast.Inspect(st.decl.Body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeclStmt)
		if !ok || !s.copies[d] {
			return true
		}
		v := d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if e := c.stands[st.info.Uses[v.Values[0].(*ast.Ident)]]; e != nil {
			c.stands[st.info.Defs[v.Names[0]]], skips[d] = e, true
		}
		return false
	})
	return skips
}

// steady reports whether an argument is the same whenever it is evaluated, now or when the
// body comes to it: a function, the address of a variable or of a part of one, a variable
// of a pointer's type that is set where it is declared, a method of such a one, a function
// literal that is evaluated once.
func steady(e ast.Expr, info *types.Info, changed map[types.Object]bool, once bool) bool {
	variable := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || changed[v] || v.Kind() == types.ResultVar || v.Kind() == types.PackageVar {
			return false
		}
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Signature, *types.Chan:
			return true
		}
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return once
	case *ast.Ident:
		_, isFunc := info.Uses[e].(*types.Func)
		return isFunc || variable(e)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil || sel.Kind() != types.MethodVal || len(sel.Index()) > 1 || !variable(e.X) {
			return false
		}
		r := sel.Obj().(*types.Func).Signature().Recv()
		_, ptr := r.Type().Underlying().(*types.Pointer)
		return ptr && once
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return false
		}
		for x := ast.Unparen(e.X); ; {
			switch y := x.(type) {
			case *ast.Ident:
				_, isVar := info.Uses[y].(*types.Var)
				_, ptr := info.TypeOf(y).Underlying().(*types.Pointer)
				return isVar && (x == ast.Unparen(e.X) || !ptr || variable(y))
			case *ast.SelectorExpr:
				sel := info.Selections[y]
				if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) > 1 {
					return false
				}
				x = ast.Unparen(y.X)
				if _, ptr := info.TypeOf(x).Underlying().(*types.Pointer); ptr && !variable(x) {
					return false
				}
			default:
				return false
			}
		}
	}
	return false
}

// ofLocal reports whether an argument is the address of a variable of the caller, or of a
// part of one.
func ofLocal(e ast.Expr, info *types.Info) bool {
	a, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || a.Op != token.AND {
		return false
	}
	x := ast.Unparen(a.X)
	for {
		s, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		x = ast.Unparen(s.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := info.Uses[id].(*types.Var)
	return ok && v.Kind() == types.LocalVar && isStruct(v.Type())
}

// pointersIn are the variables that a steady argument reads, but for a function literal,
// which has captured its own.
func pointersIn(e ast.Expr, info *types.Info) (out []*ast.Ident) {
	if _, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			out = append(out, pointersIn(n.X, info)...)
			return false
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && id != nil {
				return false // the address of a variable
			}
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && v.Kind() != types.PackageVar && !isStruct(v.Type()) {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// assigned are the variables that a function assigns to, or takes the address of, after
// their declaration.
func assigned(fd *ast.FuncDecl, info *types.Info) map[types.Object]bool {
	out := map[types.Object]bool{}
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if o := info.Uses[id]; o != nil {
				out[o] = true
			}
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.SelectorExpr: // a method that takes the address
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				if r := sel.Obj().(*types.Func).Signature().Recv(); types.Identical(r.Type(), types.NewPointer(info.TypeOf(n.X))) {
					note(n.X)
				}
			}
		case *ast.RangeStmt, *ast.ForStmt:
			for _, id := range loopVariables(n) {
				out[info.ObjectOf(id)] = true
			}
		case *ast.DeclStmt:
			d, ok := n.Decl.(*ast.GenDecl)
			if !ok {
				break
			}
			for _, sp := range d.Specs {
				if v, ok := sp.(*ast.ValueSpec); ok && len(v.Values) == 0 {
					for _, id := range v.Names { // what is declared without a value is set later
						out[info.Defs[id]] = true
					}
				}
			}
		}
		return true
	})
	return out
}

// loopVariables are the variables of a loop.
func loopVariables(n ast.Node) (out []*ast.Ident) {
	note := func(es ...ast.Expr) {
		for _, e := range es {
			if e == nil {
				continue
			}
			if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				out = append(out, id)
			}
		}
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		note(n.Key, n.Value)
	case *ast.ForStmt:
		if a, ok := n.Init.(*ast.AssignStmt); ok {
			note(a.Lhs...)
		}
	}
	return out
}

// usesOf counts where variables are used in a function. The uses of a copy are those of
// what it is a copy of.
func (s *starters) usesOf(fd *ast.FuncDecl, info *types.Info) map[types.Object]int {
	out := map[types.Object]int{}
	var copies []*ast.ValueSpec
	defer func() {
		for _, v := range slices.Backward(copies) {
			out[info.Uses[v.Values[0].(*ast.Ident)]] += out[info.Defs[v.Names[0]]] - 1
		}
	}()
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeclStmt); ok && s.copies[d] {
			copies = append(copies, d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec))
		}
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			out[info.Uses[id]]++
		}
		return true
	})
	return out
}

// paramNames are the names of parameters; nil for one without.
func paramNames(fs *ast.FieldList) (out []*ast.Ident) {
	for _, f := range fs.List {
		if len(f.Names) == 0 {
			out = append(out, nil)
		}
		out = append(out, f.Names...)
	}
	return out
}

// receiver is the receiver of a method that a selector names, as the method takes it.
func receiver(f *ast.SelectorExpr, sel *types.Selection, fn *types.Func, info *types.Info) ast.Expr {
	r := fn.Signature().Recv()
	if r == nil || types.IsInterface(r.Type()) {
		return nil
	}
	method := info.Types[ast.Expr(f)]
	value := func(e ast.Expr, t types.Type) ast.Expr {
		tv := method // a value that is no constant
		tv.Type = t
		info.Types[e] = tv
		return e
	}
	cur, t := f.X, sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		v := st.Field(i)
		part, ok := types.LookupSelection(t, true, v.Pkg(), v.Name())
		if !ok || part.Obj() != v {
			return nil
		}
		id := &ast.Ident{NamePos: f.X.End(), Name: v.Name()}
		info.Uses[id] = v
		next := &ast.SelectorExpr{X: cur, Sel: id}
		info.Selections[next] = &part
		cur, t = value(next, v.Type()), v.Type()
	}
	_, want := r.Type().Underlying().(*types.Pointer)
	_, have := t.Underlying().(*types.Pointer)
	switch {
	case want && !have:
		return value(&ast.UnaryExpr{OpPos: cur.Pos(), Op: token.AND, X: cur}, types.NewPointer(t))
	case have && !want:
		return value(&ast.StarExpr{Star: cur.Pos(), X: cur}, deref(t))
	}
	return cur
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
