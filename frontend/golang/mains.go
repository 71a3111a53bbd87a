package golang

import "whoop/ir"

// separateMains excludes pairs of entries of different programs: where several main
// packages are analysed at once, what only one of them reaches does not run together with
// what only another one reaches.
func (l *lowering) separateMains() {
	var mains []*ir.Entry
	for _, e := range l.p.Entries {
		if e.Kind == "main" {
			mains = append(mains, e)
		}
	}
	if len(mains) < 2 {
		return
	}
	in := map[*ir.Func]map[int]bool{} // the programs that reach a function
	for i, m := range mains {
		for f := range l.reach(m.Func) {
			if in[f] == nil {
				in[f] = map[int]bool{}
			}
			in[f][i] = true
		}
	}
	for i, a := range l.p.Entries {
		for _, b := range l.p.Entries[i+1:] {
			if apart(in[a.Func], in[b.Func]) {
				l.p.Exclusions = append(l.p.Exclusions, ir.Exclusion{A: a.Name, B: b.Name, Reason: "they belong to different programs"})
			}
		}
	}
}

// apart reports whether two functions are reached by programs, but by no common one.
func apart(a, b map[int]bool) bool {
	for i := range a {
		if b[i] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// reach returns the functions that a run of f may enter, in its own and other goroutines.
// A call of a function value may enter all functions that are values.
func (l *lowering) reach(f *ir.Func) map[*ir.Func]bool {
	seen := map[*ir.Func]bool{}
	work := []*ir.Func{f}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[f] {
			continue
		}
		seen[f] = true
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				var callee ir.Expr
				switch in := in.(type) {
				case *ir.Call:
					callee = in.Callee
				case *ir.Spawn:
					callee = in.Fn
				default:
					continue
				}
				if fa, ok := callee.(ir.FuncAddr); ok {
					work = append(work, fa.Func)
				} else {
					work = append(work, l.codes...)
				}
			}
		}
	}
	return seen
}
