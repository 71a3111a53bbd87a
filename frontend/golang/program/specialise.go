package program

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"whoop/frontend/golang/form"
)

// Generic functions in generic code. SSA form has a body for each instance without type
// parameters, and the generic body, which stands for the others. That describes instances
// where a type parameter stands for one of the caller's, of which nobody knows more:
//
//	func New[T any]() *Pool[T] { return &Pool[T]{idle: newStack[*Resource[T]]()} }
//
// It does not describe this one: in newStack, values have no members and lead nowhere, and
// here they are pointers. So the function is copied for such a call, in the syntax, before
// the SSA form is made: newStack[*Resource[T]], with T as its only type parameter. The copy
// is a function of newStack's package. Methods are copied as functions that have the
// receiver as their first parameter. Calls of methods through interfaces, and functions
// that are not called where they are named, stay as they are; a function that calls one of
// such an instance is not understood then.
//
// The copy does what the call does: it has types in the place of type parameters, as an
// instance has, and is type-checked like all else. Types of instances lie in memory by
// themselves (form.General). What users may call on such an instance is in
// world/instances.go.

// specialiser copies generic functions.
type specialiser struct {
	of      map[*types.Func]source // generic functions and methods
	copies  map[string]*copied
	types   *namedTypes
	created int
}

// source is where a function is declared.
type source struct {
	decl *ast.FuncDecl
	file *ast.File
	p    *packages.Package
}

// copied is a copy of a function. It may be called once it has been checked.
type copied struct {
	source
	from   *ast.FuncDecl
	failed bool
}

// called is a call that a copy is for.
type called struct {
	*ast.CallExpr
	in     *packages.Package
	to     *copied
	params []*types.TypeParam
	recv   ast.Expr
}

// maxSpecialised is how many copies a program gets.
const maxSpecialised = 400

// Copied is what the names of such copies begin with, so that nobody else can name them.
const Copied = "·"

// specialise replaces the calls of generic functions with other types than type parameters
// in generic functions. Packages are changed in place; the copies are in files of their
// own, behind those that were there.
func specialise(pkgs []*packages.Package) {
	s := &specialiser{of: map[*types.Func]source{}, copies: map[string]*copied{}}
	s.types = &namedTypes{pkg: types.NewPackage(namesOfTypes, namesOfTypes), names: map[types.Object]string{}}
	s.types.pkg.MarkComplete()
	var work []source
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil {
					continue
				}
				if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok && fn.Signature().TypeParams().Len()+fn.Signature().RecvTypeParams().Len() > 0 {
					s.of[fn] = source{fd, f, p}
					work = append(work, source{fd, f, p})
				}
			}
		}
	}
	for len(work) > 0 {
		var calls []called
		var made []*copied
		for _, at := range work {
			ast.Inspect(at.decl.Body, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					if call, isNew := s.call(c, at.p); call.to != nil {
						calls = append(calls, call)
						if isNew {
							made = append(made, call.to)
						}
					}
				}
				return true
			})
		}
		s.check(made)
		for _, c := range calls {
			c.replace()
		}
		work = nil
		for _, c := range made {
			if !c.failed {
				work = append(work, c.source)
			}
		}
	}
}

// call finds the copy for a call of a generic function with other types than type
// parameters, some of which depend on type parameters. isNew: it is yet to be checked.
func (s *specialiser) call(c *ast.CallExpr, p *packages.Package) (out called, isNew bool) {
	info := p.TypesInfo
	var fn *types.Func
	var args []types.Type
	fun := ast.Unparen(c.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(f.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(f.X)
	}
	out = called{CallExpr: c, in: p}
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ = info.Uses[f].(*types.Func)
		args = slices.Collect(info.Instances[f].TypeArgs.Types())
	case *ast.SelectorExpr:
		sel := info.Selections[f]
		if sel == nil {
			fn, _ = info.Uses[f.Sel].(*types.Func)
			args = slices.Collect(info.Instances[f.Sel].TypeArgs.Types())
			break
		}
		m, ok := sel.Obj().(*types.Func)
		if !ok || sel.Kind() != types.MethodVal || m.Signature().Recv() == nil {
			return out, false
		}
		n, ok := types.Unalias(deref(m.Signature().Recv().Type())).(*types.Named)
		if !ok || !wanted(slices.Collect(n.TypeArgs().Types())) {
			return out, false
		}
		fn, args = m, slices.Collect(n.TypeArgs().Types())
		if out.recv = receiver(f, sel, m, info); out.recv == nil {
			return out, false
		}
	}
	if fn == nil || !wanted(args) {
		return out, false
	}
	src, ok := s.of[fn.Origin()]
	if !ok || info.Types[c.Fun].Type == nil {
		return out, false
	}
	out.params = paramsIn(args...)
	for i := 0; i < len(out.params); i++ { // and those that their constraints depend on
		for _, p := range paramsIn(out.params[i].Constraint()) {
			if !slices.Contains(out.params, p) {
				out.params = append(out.params, p)
			}
		}
	}
	out.to, isNew = s.copyOf(fn.Origin(), src, args, out.params)
	return out, isNew
}

// wanted reports whether a generic body does not describe an instance that SSA form has no
// body for.
func wanted(args []types.Type) bool {
	return slices.ContainsFunc(args, mentionsParam) && !form.OnlyParams(args)
}

// replace calls the copy.
func (c called) replace() {
	info := c.in.TypesInfo
	to, ok := c.to.p.TypesInfo.Defs[c.to.decl.Name].(*types.Func)
	if !ok || c.to.failed || to.Signature().TypeParams().Len() != len(c.params) {
		return
	}
	var args []types.Type
	for _, p := range c.params {
		args = append(args, p)
	}
	sig, err := types.Instantiate(nil, to.Type(), args, false)
	if err != nil {
		return
	}
	id := &ast.Ident{NamePos: c.Fun.Pos(), Name: to.Name()}
	tv := info.Types[c.Fun]
	tv.Type = sig
	info.Uses[id], info.Types[id] = to, tv
	info.Instances[id] = types.Instance{TypeArgs: typeList(args), Type: sig}
	c.Fun = id
	if c.recv != nil {
		c.Args = append([]ast.Expr{c.recv}, c.Args...)
	}
}

// typeList is a list of types as package types has them: there is no other way to one.
func typeList(ts []types.Type) *types.TypeList {
	n := types.NewNamed(types.NewTypeName(token.NoPos, nil, "list", nil), types.NewStruct(nil, nil), nil)
	var params []*types.TypeParam
	for range ts {
		params = append(params, types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type()))
	}
	n.SetTypeParams(params)
	out, err := types.Instantiate(nil, n, ts, false)
	if err != nil {
		return nil
	}
	return out.(*types.Named).TypeArgs()
}

// copyOf is the copy of a function for some type arguments, which mention type parameters;
// nil where it cannot be copied.
func (s *specialiser) copyOf(fn *types.Func, src source, args []types.Type, params []*types.TypeParam) (c *copied, isNew bool) {
	e := &typeExprs{pkg: src.p.Types, named: s.types, params: ownNames(src.decl, src.p.TypesInfo, params), at: src.decl.Pos()}
	var exprs, constraints []ast.Expr
	key, list := fn.FullName(), ""
	for _, a := range args {
		x := e.of(a)
		exprs = append(exprs, x)
		key += ", " + types.ExprString(x)
		list += ", " + types.TypeString(a, func(p *types.Package) string {
			if p == src.p.Types {
				return ""
			}
			return p.Name()
		})
	}
	for _, p := range params {
		x := e.of(p.Constraint())
		constraints = append(constraints, x)
		key += "; " + e.params[p] + " " + types.ExprString(x)
	}
	if c, ok := s.copies[key]; ok {
		return c, false
	}
	s.copies[key] = nil
	if e.failed || s.created == maxSpecialised || !specialisable(src, fn) {
		return nil, false
	}
	s.created++
	name := copiedName(fn, strings.TrimPrefix(list, ", "))
	for n := 2; src.p.Types.Scope().Lookup(name) != nil; n++ { // parameters with other constraints
		name = fmt.Sprintf("%s#%d", name, n)
	}
	decl := &ast.FuncDecl{Name: e.ident(name), Type: &ast.FuncType{Func: e.at, TypeParams: &ast.FieldList{}}}
	for i, p := range params {
		decl.Type.TypeParams.List = append(decl.Type.TypeParams.List, &ast.Field{Names: []*ast.Ident{e.ident(e.params[p])}, Type: constraints[i]})
	}
	s.fill(decl, fn, src, exprs, e)
	if e.failed {
		return nil, false
	}
	s.copies[key] = &copied{source: source{decl, src.file, src.p}, from: src.decl}
	return s.copies[key], true
}

// ownNames are names for type parameters that mean nothing else in a function.
func ownNames(fd *ast.FuncDecl, info *types.Info, params []*types.TypeParam) map[*types.TypeParam]string {
	used := map[string]bool{}
	for _, n := range []ast.Node{fd.Type, fd.Body} {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o, ok := info.ObjectOf(id).(*types.TypeName); !ok || !form.IsParam(o.Type()) {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	out := map[*types.TypeParam]string{}
	for _, p := range params {
		name := p.Obj().Name()
		for used[name] || name == "_" {
			name += "·"
		}
		out[p], used[name] = name, true
	}
	return out
}

// copiedName is the name of a copy of a function, with its type arguments.
func copiedName(fn *types.Func, args string) string {
	r := fn.Signature().Recv()
	if r == nil {
		return fmt.Sprintf("%s%s[%s]", Copied, fn.Name(), args)
	}
	star := ""
	if form.IsPointer(r.Type()) {
		star = "*"
	}
	return fmt.Sprintf("%s(%s%s[%s]).%s", Copied, star, types.Unalias(deref(r.Type())).(*types.Named).Obj().Name(), args, fn.Name())
}

// fill copies a function, with types in the place of its type parameters.
func (s *specialiser) fill(decl *ast.FuncDecl, fn *types.Func, src source, types_ []ast.Expr, e *typeExprs) {
	c := newCopier(src.p.TypesInfo, src.p.TypesInfo, src.p.Types)
	own := fn.Signature().RecvTypeParams()
	if own.Len() == 0 {
		own = fn.Signature().TypeParams()
	}
	for i := range own.Len() {
		c.stands[own.At(i).Obj()] = types_[i]
	}
	decl.Type.Params = c.copy(reflect.ValueOf(src.decl.Type.Params)).Interface().(*ast.FieldList)
	if src.decl.Type.Results != nil {
		decl.Type.Results = c.copy(reflect.ValueOf(src.decl.Type.Results)).Interface().(*ast.FieldList)
	}
	decl.Body = c.copy(reflect.ValueOf(src.decl.Body)).Interface().(*ast.BlockStmt)
	r := fn.Signature().Recv()
	if r == nil {
		return
	}
	n, ok := types.Unalias(deref(r.Type())).(*types.Named)
	if !ok {
		e.failed = true
		return
	}
	var t ast.Expr = &ast.IndexListExpr{X: e.name(n.Obj(), n.Origin()), Lbrack: e.at, Indices: types_}
	if len(types_) == 1 {
		t = &ast.IndexExpr{X: e.name(n.Obj(), n.Origin()), Lbrack: e.at, Index: types_[0]}
	}
	if form.IsPointer(r.Type()) {
		t = &ast.StarExpr{Star: e.at, X: t}
	}
	f := &ast.Field{Type: t}
	if id := paramNames(src.decl.Recv)[0]; id != nil {
		f.Names = []*ast.Ident{e.ident(id.Name)}
	}
	if f.Names == nil && len(decl.Type.Params.List) > 0 && decl.Type.Params.List[0].Names != nil {
		f.Names = []*ast.Ident{e.ident("_")}
	}
	if params := decl.Type.Params.List; f.Names != nil && len(params) > 0 && params[0].Names == nil {
		for _, p := range params {
			p.Names = []*ast.Ident{e.ident("_")}
		}
	}
	decl.Type.Params.List = append([]*ast.Field{f}, decl.Type.Params.List...)
}

// specialisable reports whether a function can be copied: it declares no types, which
// would be others in each copy, and has one list of type parameters.
func specialisable(src source, fn *types.Func) bool {
	ok := fn.Signature().RecvTypeParams().Len() == 0 || fn.Signature().TypeParams().Len() == 0
	for _, i := range src.file.Imports {
		ok = ok && i.Path.Value != `"C"`
	}
	ast.Inspect(src.decl.Body, func(n ast.Node) bool {
		if _, is := n.(*ast.TypeSpec); is {
			ok = false
		}
		return ok
	})
	return ok
}

// check type-checks copies, those from one file in a file that imports what that does.
func (s *specialiser) check(made []*copied) {
	files := map[*ast.File][]*copied{}
	var order []*ast.File
	for _, c := range made {
		if files[c.file] == nil {
			order = append(order, c.file)
		}
		files[c.file] = append(files[c.file], c)
	}
	for _, f := range order {
		s.checkFile(f, files[f])
	}
}

func (s *specialiser) checkFile(from *ast.File, made []*copied) {
	p := made[0].p
	file := &ast.File{Package: from.Package, Name: from.Name, GoVersion: from.GoVersion, FileStart: from.FileStart, FileEnd: from.FileEnd}
	imports := &ast.GenDecl{TokPos: from.Package, Tok: token.IMPORT}
	for _, i := range from.Imports {
		imports.Specs = append(imports.Specs, &ast.ImportSpec{Name: i.Name, Path: i.Path})
	}
	imports.Specs = append(imports.Specs, &ast.ImportSpec{Name: &ast.Ident{NamePos: from.Package, Name: namesOfTypes},
		Path: &ast.BasicLit{ValuePos: from.Package, Kind: token.STRING, Value: strconv.Quote(namesOfTypes)}})
	file.Decls = append(file.Decls, imports)
	for _, spec := range imports.Specs {
		file.Imports = append(file.Imports, spec.(*ast.ImportSpec))
	}
	for _, c := range made {
		file.Decls = append(file.Decls, c.decl)
	}
	conf := &types.Config{Importer: known{p, s.types.pkg}, Sizes: p.TypesSizes, DisableUnusedImportCheck: true, Error: func(err error) {
		e, ok := err.(types.Error)
		for _, c := range made {
			c.failed = c.failed || !ok || !e.Soft && c.from.Pos() <= e.Pos && e.Pos <= c.from.End()
		}
	}}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	// the checker sets what is known of the whole package to what is in this file
	was, order := p.Types.Imports(), slices.Clone(p.TypesInfo.InitOrder)
	// what it says of errors is noted above
	_ = types.NewChecker(conf, p.Fset, p.Types, p.TypesInfo).Files([]*ast.File{file})
	p.Types.SetImports(was)
	p.TypesInfo.InitOrder = order
	if v, ok := p.TypesInfo.FileVersions[from]; ok { // loops' variables depend on it
		p.TypesInfo.FileVersions[file] = v
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		return slices.ContainsFunc(made, func(c *copied) bool { return c.failed && c.decl == d })
	})
	p.Syntax = append(p.Syntax, file)
}

// known imports what a package imports.
type known struct {
	p     *packages.Package
	types *types.Package
}

func (k known) Import(name string) (*types.Package, error) {
	if name == namesOfTypes {
		return k.types, nil
	}
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if i := k.p.Imports[name]; i != nil && i.Types != nil {
		return i.Types, nil
	}
	for _, i := range k.p.Types.Imports() {
		if i.Path() == name || path.Base(i.Path()) == name {
			return i, nil
		}
	}
	return nil, fmt.Errorf("package %s is not among those that %s imports", name, k.p.PkgPath)
}
