package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Sessions. A transaction that a database begins, or gives to a function of its user,
// belongs to the goroutine that has it: its type has no lock, and its documentation does
// not promise that several goroutines may use it. So its methods are no entry points, of
// which any two may run on one value, but are run by who gets it: any of them, any number
// of times, where a method of another type returns it, or where a function of the user is
// given it. What they do to what is shared is compared with what all others do, under the
// locks that are held then.

// sessionFlag finds the parameter, a flag, that tells an entry which sessions it begins,
// such as whether the transaction writes: the place of its value among the arguments, and
// its name. Such an entry is looked at once for each value, since which locks are held
// afterwards depends on it. -1 for others.
func (l *lowering) sessionFlag(sf *ssa.Function) (int, string) {
	flag, at, name := -1, 0, ""
	for i, t := range form.ParamTypes(sf.Signature) {
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			if flag >= 0 {
				return -1, ""
			}
			flag, name = at, sf.Params[i].Name()
		}
		at += len(l.lay.Of(t).Leaves)
	}
	if flag < 0 || !slices.ContainsFunc(form.ComponentTypes(sf.Signature.Results()), l.IsSessionValue) {
		return -1, ""
	}
	return flag, name
}
