package c

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// Program is one of the programs that some C files are.
type Program struct {
	*ir.Program
	// Main is the file with its main function; "" where there is one program alone.
	Main string
}

// Programs reads C files, and divides them. Files of which one at most has a main
// function are one program. Of a directory or a compilation database with several main
// functions, each is a program with all files that have none. Files that are named one by
// one are one program.
func Programs(paths []string, m *models.Set, opts Options) ([]Program, error) {
	jobs, err := allSources(paths, opts)
	if err != nil {
		return nil, err
	}
	units, err := parseAll(jobs)
	if err != nil {
		return nil, err
	}
	var mains, rest []*Unit
	var listed []ir.Pos
	for i, u := range units {
		at, ok := u.mainFunc()
		if !ok {
			rest = append(rest, u)
			continue
		}
		mains = append(mains, u)
		if jobs[i].listed {
			listed = append(listed, at)
		}
	}
	if len(listed) > 1 {
		return nil, fmt.Errorf("there are two main functions, at %s and %s: these are two programs; give the files of one", listed[0], listed[1])
	}
	if len(mains) < 2 {
		p, err := linked(units, m, opts)
		if err != nil {
			return nil, err
		}
		p.Name = strings.Join(paths, " ")
		return []Program{{Program: p}}, nil
	}
	var out []Program
	for _, u := range mains {
		p, err := linked(append([]*Unit{u}, rest...), m, opts)
		if err != nil {
			return nil, fmt.Errorf("the program of %s: %w", u.Path, err)
		}
		p.Name = u.Path
		out = append(out, Program{p, u.Path})
	}
	return out, nil
}

// allSources lists the files of all inputs, each once.
func allSources(paths []string, opts Options) ([]source, error) {
	var out []source
	seen := map[string]bool{}
	for _, path := range paths {
		jobs, err := sources(path, opts)
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			if key := filepath.Clean(j.path); !seen[key] {
				seen[key] = true
				out = append(out, j)
			}
		}
	}
	if opts.Text != nil && len(out) != 1 {
		return nil, fmt.Errorf("%s: a text stands for a single file", strings.Join(paths, " "))
	}
	return out, nil
}

// linked is the program that some files are.
func linked(units []*Unit, m *models.Set, opts Options) (*ir.Program, error) {
	if err := conflict(units); err != nil {
		return nil, err
	}
	return Lower(units, NewTypes(opts.DataModel), m, opts)
}

// mainFunc is where the file defines main.
func (u *Unit) mainFunc() (ir.Pos, bool) {
	for tu := u.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if d := tu.ExternalDeclaration; d.Case == cc.ExternalDeclarationFuncDef && d.FunctionDefinition.Declarator.Name() == "main" {
			return pos(d.FunctionDefinition.Declarator.Position()), true
		}
	}
	for _, d := range u.Degraded {
		if d.Name == "main" {
			return d.Pos, true
		}
	}
	return ir.Pos{}, false
}

// symbol is something with external linkage, as a file first declares it or as it defines
// it.
type symbol struct {
	at      ir.Pos
	t       cc.Type
	defined bool // a function with a body, a variable with an initialiser
	weak    bool
}

// conflict reports what keeps files from being one program: two definitions of a name, or
// declarations of different kinds.
func conflict(units []*Unit) error {
	if len(units) < 2 {
		return nil
	}
	all := map[string]symbol{}
	for _, u := range units {
		own := (&unit{u: u}).symbols()
		for _, name := range slices.Sorted(maps.Keys(own)) {
			s := own[name]
			o, known := all[name]
			switch {
			case !known:
				all[name] = s
			case s.defined && o.defined && !s.weak && !o.weak:
				return fmt.Errorf("%s is defined twice, at %s and %s: files of one program define it once (or static); give the files of one program", name, o.at, s.at)
			case !linkable(o.t, s.t):
				return fmt.Errorf("%s has conflicting types: %s at %s, %s at %s", name, o.t, o.at, s.t, s.at)
			case s.defined && (!o.defined || o.weak):
				all[name] = s
			}
		}
	}
	return nil
}

// symbols are what a file declares with external linkage.
func (u *unit) symbols() map[string]symbol {
	out, weak, inline := map[string]symbol{}, u.weak(), map[string]bool{}
	note := func(d *cc.Declarator, defined bool) {
		if d == nil || d.IsTypename() || d.IsStatic() || d.Name() == "" {
			return
		}
		inline[d.Name()] = inline[d.Name()] || d.IsInline()
		if s, known := out[d.Name()]; !known || defined && !s.defined {
			out[d.Name()] = symbol{at: pos(d.Position()), t: d.Type(), defined: defined, weak: weak[d.Name()]}
		}
	}
	u.each(func(d *cc.ExternalDeclaration) {
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			f := d.FunctionDefinition.Declarator
			note(f, !f.IsInline()) // an inline one may be in several files
		case cc.ExternalDeclarationDecl:
			for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				note(l.InitDeclarator.Declarator, l.InitDeclarator.Initializer != nil)
			}
		}
	})
	for _, d := range u.u.Degraded {
		if s, known := out[d.Name]; known && !inline[d.Name] {
			s.defined, s.at = true, d.Pos
			out[d.Name] = s
		}
	}
	return out
}

// linkable reports whether two declarations can be of one thing: both functions, or
// objects of one kind and size. Structs are not compared: what a file does not use of one
// it may declare in another way. Nor are the parameters of functions: compilers do not,
// either.
func linkable(a, b cc.Type) bool {
	if a == nil || b == nil {
		return true
	}
	kind := func(t cc.Type) string {
		switch {
		case t.Kind() == cc.Function:
			return "function"
		case t.Kind() == cc.Array:
			return "array"
		case t.Kind() == cc.Ptr:
			return "pointer"
		case isStruct(t):
			return "struct"
		case cc.IsScalarType(t):
			return "number"
		}
		return ""
	}
	ka, kb := kind(a), kind(b)
	switch {
	case ka == "" || kb == "":
		return true
	case ka != kb:
		return false
	case ka == "number":
		return a.Size() == b.Size()
	case ka == "array":
		return linkable(a.(*cc.ArrayType).Elem(), b.(*cc.ArrayType).Elem())
	}
	return true
}
