package entry

import (
	"slices"
	"strings"

	"whoop/ir"
)

// Files of a module. The kernel has a reference to a module while one of its files is
// open, where the table's member owner says so (filesystems/vfs.rst; fs/char_dev.c), and
// calls the unload function when there is none (kernel-hacking/hacking.rst,
// "try_module_get"). So when it is called, no function in such a table runs, nor will one.
//
// Then release has been called, last, for each file that was opened: where only functions
// of files start a handler, and release stops it on every path, it has been stopped. Each
// start was by a call on a file whose release came later. A start by an open that then
// fails is followed by no release, so that such an open does not start it.

// closedFiles makes the instructions that say this at the start of an unload function.
func (x *inferrer) closedFiles() func(ir.Pos) []ir.Instr {
	none := func(ir.Pos) []ir.Instr { return nil }
	files := map[*ir.Entry]bool{}
	for _, e := range x.p.Entries {
		if !strings.HasPrefix(e.Kind, "file_operations.") {
			continue
		}
		if !x.owned(e) {
			return none
		}
		files[e] = true
	}
	if len(files) == 0 {
		return none
	}
	kinds := []string{"file_operations"}
	for _, e := range x.p.Entries {
		if e.Stop != "" && !e.Multi && x.stoppedByRelease(e, files) {
			kinds = append(kinds, e.Kind)
		}
	}
	return func(pos ir.Pos) (out []ir.Instr) {
		for _, k := range kinds {
			out = append(out, &ir.Unregister{Base: ir.Base{Pos: pos}, API: "the last release", Kinds: []string{k}})
		}
		return out
	}
}

// owned reports whether all tables that a file's function is in name their module.
func (x *inferrer) owned(e *ir.Entry) bool {
	return len(x.roles[e.Func]) > 0 && !slices.ContainsFunc(x.roles[e.Func], func(r role) bool {
		if r.global == "" || r.holder == nil || r.kind == "" || !strings.HasPrefix(r.kind, "file_operations.") {
			return true
		}
		for _, g := range x.p.Globals {
			if g.Name != r.global {
				continue
			}
			return !slices.ContainsFunc(g.Init, func(c ir.InitCell) bool {
				return !ir.IsNull(c.Value) && slices.ContainsFunc(r.holder.Fields, func(f ir.Field) bool { return f.Name == "owner" && r.base+f.Offset == c.Offset })
			})
		}
		return true
	})
}

// stoppedByRelease reports whether a handler is started by functions of files alone, and
// each release stops it.
func (x *inferrer) stoppedByRelease(e *ir.Entry, files map[*ir.Entry]bool) bool {
	starts := func(s site) bool {
		r, ok := s.in.(*ir.Register)
		return ok && !slices.Contains(r.Kinds, ir.KeptKind) && x.mayRegister(r, e)
	}
	found := false
	for _, s := range x.cg.sites {
		if !starts(s) {
			continue
		}
		run := false
		for _, o := range x.p.Entries {
			if o.Func == nil || !x.cg.reachable(o.Func)[s.fn] {
				continue
			}
			run = true
			switch {
			case o == e:
			case !files[o] || o.Kind == "file_operations.release":
				return false
			case o.Kind == "file_operations.open" && !x.succeeds(o.Func, s):
				return false
			}
		}
		found = found || run
		if !run {
			return false // who runs it is not known
		}
	}
	releases := 0
	for o := range files {
		if o.Kind != "file_operations.release" {
			continue
		}
		releases++
		if !slices.ContainsFunc(x.cg.sites, func(s site) bool {
			u, ok := s.in.(*ir.Unregister)
			return ok && u.Object == "" && len(u.Kinds) > 0 && u.Kinds[0] != noKind && ir.Covers(u.Kinds, e.Kind) && x.always(o.Func, s)
		}) {
			return false
		}
	}
	return found && releases == 1 && x.oneTable(files)
}

// oneTable reports whether all functions of files are in one table.
func (x *inferrer) oneTable(files map[*ir.Entry]bool) bool {
	instance := ""
	for o := range files {
		for _, r := range x.roles[o.Func] {
			if instance != "" && r.instance != instance {
				return false
			}
			instance = r.instance
		}
	}
	return true
}

// always reports whether each run of f executes what is at a site, in f or in what it
// calls.
func (x *inferrer) always(f *ir.Func, s site) bool {
	for range x.p.Funcs {
		if avoidable(s.fn, s.block) {
			return false
		}
		if s.fn == f {
			return true
		}
		cs := slices.DeleteFunc(slices.Clone(x.cg.calls[s.fn]), func(c site) bool { return !x.cg.reachable(f)[c.fn] })
		if len(cs) != 1 {
			return false
		}
		s = cs[0]
	}
	return false
}

// succeeds reports whether f returns 0 whenever it has executed what is at a site.
func (x *inferrer) succeeds(f *ir.Func, s site) bool {
	seen := map[*ir.Func]bool{}
	var up func(s site) bool
	up = func(s site) bool {
		if s.fn == f {
			return returnsZero(s.block)
		}
		if seen[s.fn] || x.cg.taken[s.fn] {
			return false
		}
		seen[s.fn] = true
		return !slices.ContainsFunc(x.cg.calls[s.fn], func(c site) bool { return x.cg.reachable(f)[c.fn] && !up(c) })
	}
	return up(s)
}

// returnsZero reports whether all returns that a block leads to are of the constant 0.
func returnsZero(b *ir.Block) bool {
	seen := map[*ir.Block]bool{b: true}
	work := []*ir.Block{b}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if r, ok := k.Term.(*ir.Return); ok {
			if n, isConst := ir.IntOf(ir.Uncast(r.Val)); r.Val == nil || !isConst || n != 0 {
				return false
			}
		}
		for _, s := range k.Succs() {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}
