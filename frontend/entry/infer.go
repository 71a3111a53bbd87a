package entry

import (
	"fmt"
	"sort"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Options of the inference.
type Options struct{}

type inferrer struct {
	p     *ir.Program
	m     *models.Set
	found map[*ir.Func]*ir.Entry
	table map[*ir.Entry]*models.OpTable
	field map[*ir.Entry]string
}

// Infer fills p.Entries and p.Exclusions. A program without main, spawns or operation tables is an error that says what
// to do.
func Infer(p *ir.Program, m *models.Set, _ Options) error {
	x := &inferrer{p: p, m: m, found: map[*ir.Func]*ir.Entry{}, table: map[*ir.Entry]*models.OpTable{}, field: map[*ir.Entry]string{}}
	x.threads()
	for _, g := range p.Globals {
		for _, c := range g.Init {
			if f, ok := funcOf(c.Value); ok {
				x.cell(g, c.Offset, f)
			}
		}
	}
	x.code()
	if len(x.found) == 0 {
		return fmt.Errorf("%s: no entry points found: there is no main, no thread is started and no operation table is filled; name them in an ep.yaml (--entry-points)", p.Name)
	}
	for _, f := range p.Funcs {
		if e := x.found[f]; e != nil {
			p.Entries = append(p.Entries, e)
		}
	}
	sort.SliceStable(p.Entries, func(i, j int) bool { return p.Entries[i].Pos.Less(p.Entries[j].Pos) })
	x.exclusions()
	return nil
}

func funcOf(e ir.Expr) (*ir.Func, bool) {
	switch e := e.(type) {
	case ir.FuncAddr:
		return e.Func, true
	case ir.Cast:
		return funcOf(e.X)
	}
	return nil, false
}

func (x *inferrer) add(f *ir.Func, kind string) *ir.Entry {
	if e := x.found[f]; e != nil {
		e.Multi = true
		return e
	}
	e := &ir.Entry{Name: f.Name, Func: f, Pos: f.Pos, Kind: kind}
	x.found[f] = e
	return e
}

// threads finds main and what is spawned.
func (x *inferrer) threads() {
	if f := x.p.FuncByName("main"); f != nil && !f.Extern {
		x.add(f, "main")
	}
	x.instrs(func(in ir.Instr, _ *ir.Func) {
		s, ok := in.(*ir.Spawn)
		if !ok {
			return
		}
		if f, ok := funcOf(s.Fn); ok {
			e := x.add(f, "thread")
			e.Spawned, e.Multi = true, true
			return
		}
		x.p.Assume("spawn", s.Pos, "the thread's function is not known here: any function whose address is taken and whose type fits may run")
		for _, f := range x.taken() {
			e := x.add(f, "thread")
			e.Spawned, e.Multi = true, true
		}
	})
}

func (x *inferrer) instrs(f func(ir.Instr, *ir.Func)) {
	for _, fn := range x.p.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f(in, fn)
			}
		}
	}
}

// taken lists the functions with one pointer parameter whose address is taken.
func (x *inferrer) taken() []*ir.Func {
	set := map[*ir.Func]bool{}
	note := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if fa, ok := e.(ir.FuncAddr); ok && len(fa.Func.Blocks) > 0 && len(fa.Func.Params) == 1 && ir.IsPtr(fa.Func.Params[0].Type) {
				set[fa.Func] = true
			}
			return true
		})
	}
	for _, g := range x.p.Globals {
		for _, c := range g.Init {
			note(c.Value)
		}
	}
	x.instrs(func(in ir.Instr, _ *ir.Func) {
		es := ir.Operands(in)
		if c, ok := in.(*ir.Call); ok {
			es = c.Args
		}
		for _, e := range es {
			note(e)
		}
	})
	var out []*ir.Func
	for _, f := range x.p.Funcs {
		if set[f] {
			out = append(out, f)
		}
	}
	return out
}

// cell looks whether a function address in a global is an entry of an operation table.
func (x *inferrer) cell(g *ir.Global, off int64, f *ir.Func) {
	for prefix, what := range x.m.Initcalls {
		if strings.HasPrefix(g.Name, prefix) {
			e := x.add(f, what)
			e.Init, e.Exit = what == "init", what == "exit"
			return
		}
	}
	t := g.Type
	for {
		switch s := t.(type) {
		case ir.Array:
			if s.Elem.Size() == 0 {
				return
			}
			t, off = s.Elem, off%s.Elem.Size()
			continue
		case *ir.Struct:
			i := memberAt(s, off)
			if i < 0 {
				return
			}
			if tab := x.m.Tables[s.Name]; tab != nil {
				x.member(tab, s.Fields[i].Name, f)
				return
			}
			t, off = s.Fields[i].Type, off-s.Fields[i].Offset
			continue
		}
		return
	}
}

func memberAt(s *ir.Struct, off int64) int {
	for i, f := range s.Fields {
		if off >= f.Offset && off < f.Offset+max(f.Type.Size(), 1) {
			return i
		}
	}
	return -1
}

func in(list []string, s string) bool {
	for _, t := range list {
		if t == s || t == "*" {
			return true
		}
	}
	return false
}

// member adds the entry for a member of an operation table.
func (x *inferrer) member(tab *models.OpTable, field string, f *ir.Func) {
	if in(tab.Ignore, field) || (len(tab.Entry) > 0 && !in(tab.Entry, field) && !in(tab.Init, field) && !in(tab.Exit, field)) {
		return
	}
	e := x.add(f, tab.Struct+"."+field)
	x.table[e], x.field[e] = tab, field
	e.Init, e.Exit = in(tab.Init, field), in(tab.Exit, field)
	e.Multi = !e.Init && !e.Exit && !in(tab.NotSelf, field)
	for lock, members := range tab.Holds {
		if in(members, field) && !in(e.Holds, lock) {
			e.Holds = append(e.Holds, lock)
		}
	}
	sort.Strings(e.Holds)
	e.Private = tab.Private[field]
}

// code finds table members filled by code, and registered callbacks.
func (x *inferrer) code() {
	x.instrs(func(i ir.Instr, _ *ir.Func) {
		switch i := i.(type) {
		case *ir.Store:
			f, ok := funcOf(i.Val)
			fa, isField := i.Addr.(ir.FieldAddr)
			if ok && isField {
				if tab := x.m.Tables[fa.S.Name]; tab != nil {
					x.member(tab, fa.S.Fields[fa.Index].Name, f)
				}
			}
		case *ir.Register:
			if f, ok := funcOf(i.Fn); ok && len(i.Kinds) > 0 && len(f.Blocks) > 0 {
				e := x.add(f, i.Kinds[0])
				k := x.m.CallbackKinds[i.Kinds[0]]
				e.Multi = e.Multi || !k.NotSelf
				e.Holds = append(e.Holds, k.Holds...)
			}
		}
	})
}

// exclusions lists the pairs that tables and rules serialise.
func (x *inferrer) exclusions() {
	es := x.p.Entries
	for i, a := range es {
		for _, b := range es[i:] {
			if why := x.excluded(a, b); why != "" {
				x.p.Exclusions = append(x.p.Exclusions, ir.Exclusion{A: a.Name, B: b.Name, Reason: why})
			}
		}
	}
}

func (x *inferrer) excluded(a, b *ir.Entry) string {
	for _, r := range x.m.Rules {
		if (kind(a, r.A) && kind(b, r.B)) || (kind(a, r.B) && kind(b, r.A)) {
			return r.Reason
		}
	}
	if x.table[a] != nil && x.table[a] == x.table[b] && a != b {
		for _, group := range x.table[a].Serial {
			if in(group, x.field[a]) && in(group, x.field[b]) {
				return "the kernel serialises them"
			}
		}
	}
	if a != b && (a.Init || a.Exit) && (b.Init || b.Exit) {
		return "initialisation and removal do not overlap"
	}
	return ""
}

func kind(e *ir.Entry, prefix string) bool {
	return e.Kind == prefix || strings.HasPrefix(e.Kind, prefix+".")
}
