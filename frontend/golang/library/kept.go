package library

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

func IsEffect(op Op) bool {
	for _, e := range effects {
		if e == op {
			return true
		}
	}
	return false
}

// KeptWith lists the packages whose functions use what functions of a package keep: that
// itself, and package log with what slog.SetDefault does.
func KeptWith(p *types.Package, prog *ssa.Program) []*types.Package {
	out := []*types.Package{p}
	if p.Path() == "log/slog" {
		if log := prog.ImportedPackage("log"); log != nil {
			out = append(out, log.Pkg)
		}
	}
	return out
}

// KeptType is the type of what a function with such a model keeps.
func (m *Func) KeptType(sig *types.Signature) types.Type {
	if m.Keeps == "result" {
		return sig.Results().At(0).Type()
	}
	i, _ := strconv.Atoi(m.Keeps)
	return form.ParamTypes(sig)[i]
}

// IsSetter reports whether a function of that name keeps what it is given for later
// calls.
func IsSetter(name string) bool {
	if slices.Contains([]string{"Var", "TextVar", "Func", "BoolFunc", "Init"}, name) {
		return true
	}
	return slices.ContainsFunc([]string{"Set", "Reset", "Split", "Use", "Register", "Add", "On"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// ReadsLater reports whether what a library function makes reads the slice that the
// function is given.
func ReadsLater(f *ssa.Function) bool {
	name := Name(f)
	return name == "bytes.NewReader" || name == "(*bytes.Reader).Reset"
}

// IsCommandLine reports whether a value is that of the variable flag.CommandLine: what it
// keeps, the functions of package flag use.
func IsCommandLine(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == "CommandLine" && g.Pkg.Pkg.Path() == "flag"
}

// ReadsState reports whether a method only reads the state of such objects.
func ReadsState(name string) bool {
	switch name {
	case "Sum", "Sum32", "Sum64", "Size", "BlockSize", "Len":
		return true
	}
	return false
}

// Wraps reports whether a library function may return a value in an interface that keeps
// what it was given.
func Wraps(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		if it, ok := sig.Results().At(i).Type().Underlying().(*types.Interface); ok && MayWrap(it) {
			return true
		}
	}
	return false
}

// HandsOnInside reports whether a library function may return a value in an interface
// that keeps what the objects do which it is given: one whose methods are given
// something, not only asked, as those of net.Addr.
func HandsOnInside(sig *types.Signature) bool {
	for _, t := range form.ComponentTypes(sig.Results()) {
		if it, ok := t.Underlying().(*types.Interface); ok && MayWrap(it) && Takes(it) {
			return true
		}
	}
	return false
}

func Takes(it *types.Interface) bool {
	for i := range it.NumMethods() {
		if it.Method(i).Signature().Params().Len() > 0 {
			return true
		}
	}
	return false
}

// MayWrap reports whether wrapping values are looked for behind an interface: errors and
// contexts are followed otherwise.
func MayWrap(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	for i := range it.NumMethods() {
		if name := it.Method(i).Name(); name == "Error" || name == "Deadline" {
			return false
		}
	}
	return true
}
