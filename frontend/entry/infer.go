package entry

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Options of the inference. Loaded: which functions a program with a main function
// registers that are loaded from memory is found out later, by points-to analysis.
type Options struct{ Loaded bool }

// role is one reason why a function is an entry point: a table's member, a callback, a
// spawn.
type role struct {
	kind   string
	member string
	table  *models.OpTable // nil for callbacks and threads
	// instance tells tables of one struct type apart: members of different ones belong to
	// different devices.
	instance string
	// global is the variable that holds the table, base where in it that lies; "" where
	// code fills it.
	global     string
	base       int64
	init, exit bool
	// notSelf: this use alone never overlaps itself.
	notSelf bool
	// always: it does not wait for anything to be registered.
	always  bool
	spawned bool
	holds   []string
	private []int
	// holder is the struct of a table, off where in it the member lies.
	holder *ir.Struct
	off    int64
	// site is the instruction that made the role, in fn; nil for an initialiser.
	site ir.Instr
	fn   *ir.Func
}

type inferrer struct {
	p     *ir.Program
	m     *models.Set
	cg    *callGraph
	roles map[*ir.Func][]role
	opt   Options
	// early are the functions that only entries run that set devices up; nil where they
	// are not known yet.
	early map[*ir.Func]bool
	// naming are the names of objects; nil where they are not known yet.
	naming *objects
	// buses are the tables of buses that the models do not know, by their structs' tags.
	buses map[string]*models.OpTable
	// constants are the places that were asked for, without their names: see constant.
	constants map[place]bool
}

// Infer fills p.Entries and p.Exclusions. It also narrows Unregister instructions that
// stop one of several callbacks of a kind: which one is not followed, so that they then
// stop none. A program without main, spawns or operation tables is an error that says
// what to do.
func Infer(p *ir.Program, m *models.Set, opt Options) error {
	x := &inferrer{p: p, m: m, cg: newCallGraph(p), roles: map[*ir.Func][]role{}, opt: opt}
	x.threads()
	x.globals()
	x.code()
	x.unknownTables()
	x.releases()
	x.parameters()
	if len(x.roles) == 0 {
		if x.exported(); len(p.Assumptions) > 0 && p.Assumptions[len(p.Assumptions)-1].Kind == "exported" {
			return nil // a library of the kernel: others call it
		}
		return noEntries(p)
	}
	var added []*ir.Entry
	for _, f := range p.Funcs {
		if len(x.roles[f]) > 0 {
			added = append(added, x.entry(f))
		}
	}
	sort.SliceStable(added, func(i, j int) bool { return added[i].Pos.Less(added[j].Pos) })
	p.Entries = append(p.Entries, added...)
	x.handedOver()
	x.madeKnownLater()
	x.named()
	x.armed()
	x.multi()
	x.lateInit()
	x.exclusions()
	x.withDriver()
	x.byPlace()
	x.narrow()
	x.objects()
	x.release()
	x.failed()
	x.unload()
	x.exported()
	return nil
}

// noEntries is the error for a program that nothing seems to start.
func noEntries(p *ir.Program) error {
	var names []string
	for _, f := range p.Funcs {
		if !f.Extern && len(names) < 12 {
			names = append(names, f.Name)
		}
	}
	hint := "it defines no function either"
	if len(names) > 0 {
		hint = fmt.Sprintf("its functions are %s", strings.Join(names, ", "))
	}
	return fmt.Errorf("%s: no entry points found: there is no main, no thread is started, and no operation table is "+
		"filled; write an ep.yaml that names them (entries: [{func: NAME}], see docs/reference/entry-points.md) and give it with "+
		"--entry-points; %s", p.Name, hint)
}

// add notes a role of f; functions without a body belong to the kernel or a library and
// are no entries.
func (x *inferrer) add(f *ir.Func, r role) {
	if f.Extern {
		return
	}
	x.roles[f] = append(x.roles[f], r)
}

// entry merges the roles of f: what holds for all of them holds for the entry.
func (x *inferrer) entry(f *ir.Func) *ir.Entry {
	rs := x.roles[f]
	e := &ir.Entry{Name: f.Name, Func: f, Pos: f.Pos, Kind: rs[0].kind, Init: true, Exit: true, Spawned: true}
	e.Holds, e.Private = rs[0].holds, rs[0].private
	for _, r := range rs {
		e.Init, e.Exit, e.Spawned = e.Init && r.init, e.Exit && r.exit, e.Spawned && r.spawned
		e.Holds = common(e.Holds, r.holds)
		e.Private = common(e.Private, r.private)
		e.Multi = e.Multi || !r.notSelf
		e.Always = e.Always || r.always
	}
	for i, r := range rs {
		e.Multi = e.Multi || slices.ContainsFunc(rs[:i], func(s role) bool { return x.serial(r, s) == "" && x.oneOf(f, r, f, s) == "" })
	}
	e.Private = slices.DeleteFunc(e.Private, func(i int) bool {
		return i < 0 || i >= len(f.Params) || !ir.IsPtr(f.Params[i].Type)
	})
	slices.Sort(e.Holds)
	slices.Sort(e.Private)
	for _, h := range e.Holds {
		x.p.Assume("kernel-lock", f.Pos, "the kernel calls %s (%s) holding the lock %s, which is one for the whole program", f.Name, e.Kind, h)
	}
	return e
}

func common[T comparable](a, b []T) []T {
	var out []T
	for _, v := range a {
		if slices.Contains(b, v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// has reports whether a list of members names m.
func has(list []string, m string) bool { return slices.Contains(list, m) || slices.Contains(list, "*") }
