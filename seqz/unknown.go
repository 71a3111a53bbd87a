package seqz

import (
	"fmt"
	"slices"
	"sort"

	"whoop/ir"
)

// NotUnderstood lists why a function is not fully understood: what its own instructions
// run that has no body, or is not known. What it calls is not looked at.
func NotUnderstood(f *ir.Func, res Resolver) []ir.Assumption {
	var out []ir.Assumption
	note := func(pos ir.Pos, format string, args ...any) {
		a := ir.Assumption{Kind: "not-understood", Pos: pos, Text: fmt.Sprintf(format, args...)}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if len(f.Blocks) == 0 {
		note(f.Pos, "entry point %s has no body (%s)", f.Name, reason(f))
	}
	for in := range f.Instrs() {
		switch in := in.(type) {
		case *ir.Call:
			fns, complete := calleesOf(in, res)
			if !complete {
				note(in.Pos, "the indirect call may reach functions that are not known")
			}
			for _, g := range fns {
				if len(g.Blocks) == 0 && g.Unknown != "" {
					note(in.Pos, "%s is not understood: %s", g.Title(), g.Unknown)
				}
			}
		case *ir.Once:
			fns := res.Funcs(in.Fn, f)
			if len(fns) == 0 {
				note(in.Pos, "the function run once is not known")
			}
			for _, g := range fns {
				if len(g.Blocks) == 0 {
					note(in.Pos, "%s, run once, is not understood: %s", g.Title(), reason(g))
				}
			}
		}
	}
	return out
}

func reason(f *ir.Func) string {
	if f.Unknown != "" {
		return f.Unknown
	}
	return "external function"
}

// calleesOf are what a call may run, by their names; complete: there are no others.
func calleesOf(c *ir.Call, res Resolver) (fns []*ir.Func, complete bool) {
	if d, ok := c.Callee.(ir.FuncAddr); ok {
		return []*ir.Func{d.Func}, true
	}
	fns, complete = res.Callees(c)
	fns = slices.Clone(fns)
	sort.Slice(fns, func(i, j int) bool { return fns[i].Name < fns[j].Name })
	return fns, complete
}

// Outside reports whether a call may run something that has no body: what it accesses is
// then the call's own.
func Outside(c *ir.Call, res Resolver) bool {
	fns, _ := calleesOf(c, res)
	return len(fns) == 0 || slices.ContainsFunc(fns, func(f *ir.Func) bool { return len(f.Blocks) == 0 })
}

// note adds to the present procedure what is not understood of a function.
func (u *unfolder) note(f *ir.Func) {
	as, known := u.notes[f]
	if !known {
		as = NotUnderstood(f, u.res)
		u.notes[f] = as
	}
	for _, a := range as {
		if !slices.Contains(u.now.Unknown, a) {
			u.now.Unknown = append(u.now.Unknown, a)
		}
		if key := a.Text + a.Pos.String(); !u.seen[key] {
			u.seen[key] = true
			u.seq.Unknown = append(u.seq.Unknown, a)
		}
	}
}
