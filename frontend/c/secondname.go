package c

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Second names of functions and variables: the attributes alias and weakref, and labels
// of the assembler (extern int e __asm__("d")). The linker makes both names one place.
// Rule: where the program defines what the second name stands for, the name is resolved to
// that definition, once all files are declared and before any body is lowered. A function
// whose type is another one than that of its definition is not understood, and neither is
// one with the attribute ifunc, which a function chooses when the program is loaded. What
// the program does not define keeps its own name: the C library's headers give functions
// labels.

var (
	aliasName = regexp.MustCompile(`\b(?:alias|weakref|__alias__|__weakref__)\s*\(\s*((?:"[^"]*"\s*)+)\)`)
	asmName   = regexp.MustCompile(`\b(?:asm|__asm|__asm__)\s*\(\s*((?:"[^"]*"\s*)+)\)`)
	ifuncAttr = regexp.MustCompile(`\b(?:ifunc|__ifunc__)\s*\(\s*"`)
)

// beginsSecondName reports whether a token may begin a match of one of them.
func beginsSecondName(text []byte) bool {
	switch string(text) {
	case "alias", "weakref", "__alias__", "__weakref__", "asm", "__asm", "__asm__", "ifunc", "__ifunc__":
		return true
	}
	return false
}

// secondNames resolves the names that a unit gives to what the program defines.
func (u *unit) secondNames() {
	tokens := newTokenSearch()
	u.each(func(d *cc.ExternalDeclaration) {
		if d.Case != cc.ExternalDeclarationDecl || !tokens.any(d.Declaration, beginsSecondName) {
			return
		}
		for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			in := l.InitDeclarator
			if in.Declarator == nil || in.Declarator.IsTypename() {
				continue
			}
			text := cc.NodeSource(in)
			if l == d.Declaration.InitDeclaratorList && l.InitDeclaratorList == nil {
				text = cc.NodeSource(d.Declaration)
			}
			u.secondName(in.Declarator, text)
		}
	})
}

// secondName resolves one declared name; text is how it is declared.
func (u *unit) secondName(d *cc.Declarator, text string) {
	name := d.Name()
	fn := d.Type().Kind() == cc.Function
	if fn && ifuncAttr.MatchString(text) {
		if f := u.function(name); f != nil && f.Extern {
			u.giveUp(f, pos(d.Position()), "which function it is another one chooses (ifunc)")
		}
		return
	}
	m := aliasName.FindStringSubmatch(text)
	if m == nil {
		m = asmName.FindStringSubmatch(text)
	}
	if m == nil || d.IsRegister() {
		return
	}
	first := strings.TrimSpace(strings.ReplaceAll(m[1], `"`, ""))
	switch {
	case first == name:
	case fn:
		u.sameFunction(d, name, first)
		u.sameFunction(d, first, name) // the definition has the label
	default:
		u.sameVariable(d, name, first)
		u.sameVariable(d, first, name)
	}
}

// sameFunction makes a declared function the one that is defined under another name.
func (u *unit) sameFunction(d *cc.Declarator, name, defined string) {
	f, def := u.function(name), u.function(defined)
	switch {
	case def == nil || def.Extern || f == def || f == nil || !f.Extern:
		return
	case !sameParams(f, def):
		u.giveUp(f, pos(d.Position()), "it is "+defined+", which has another type")
		return
	}
	if u.funcs[name] == f || u.funcs[defined] == def {
		u.funcs[name] = def
	}
	if u.program.funcs[name] == f {
		u.program.funcs[name] = def
	}
}

// sameParams reports whether functions are called in the same way.
func sameParams(f, g *ir.Func) bool {
	if len(f.Params) != len(g.Params) || f.Variadic != g.Variadic ||
		f.Result.String() != g.Result.String() {
		return false
	}
	for i, p := range f.Params {
		if p.Type.String() != g.Params[i].Type.String() {
			return false
		}
	}
	return true
}

// sameVariable makes a declared variable the one that has another name.
func (u *unit) sameVariable(d *cc.Declarator, name, defined string) {
	g, def := u.global(name), u.global(defined)
	if def == nil || g == nil || g == def || !g.Extern { // g is one of its own
		return
	}
	if g.Type == nil || def.Type == nil || g.Type.String() != def.Type.String() {
		u.p.Assume("unmodelled", pos(d.Position()), "%s is %s under a second name and "+
			"another type: what is done to it by that name is not looked at", name, defined)
		return
	}
	if u.globals[name] == g || u.globals[defined] == def {
		u.globals[name] = def
	}
	if u.program.globals[name] == g {
		u.program.globals[name] = def
	}
}
