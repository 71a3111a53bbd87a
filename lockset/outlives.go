package lockset

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// endsMemory reports whether an access ends what it accesses: memory, or the whole module.
func endsMemory(in ir.Instr, r *alias.Region) bool {
	if _, free := in.(*ir.Free); free {
		return true
	}
	t, ok := in.(*ir.Touch)
	return ok && t.Write && r.Name == ir.ModuleCode
}

// outlives says that a handler may run after what it works on has ended, and what would
// stop it.
func (f *facts) outlives(end, run *ir.Entry, why string) string {
	if run.Stop == "" || end == run {
		return why
	}
	after := fmt.Sprintf("%s (%s) may run after %s (%s) has ended it", run.Name, run.Kind, end.Name, end.Kind)
	switch in, again := f.mh.Stopped(end, run); {
	case in == nil:
		return fmt.Sprintf("%s: %s is missing", after, run.Stop)
	case again != nil:
		return fmt.Sprintf("%s: %s comes while %s (%s) may start it again", after, in.API, again.Name, again.Kind)
	default:
		return fmt.Sprintf("%s: %s comes later, or not on every path", after, in.API)
	}
}
