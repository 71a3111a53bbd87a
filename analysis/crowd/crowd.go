package crowd

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"whoop/ir"
)

// Merged is a program in which entries that are alike are one.
type Merged struct {
	Program *ir.Program
	// Of are the instructions that those of Program are copies of; none for what the
	// merged entries add.
	Of map[ir.Instr]ir.Instr
	// Members are the entries of the original program that one of Program stands for, by
	// the functions that they run in Program. Others stand for themselves.
	Members map[*ir.Entry]map[*ir.Func]*ir.Entry
}

// Merge merges the entries of p that are alike. p stays as it is.
func Merge(p *ir.Program) *Merged {
	q, m := ir.CloneWithMap(p)
	q.Seen = p.Seen
	out := &Merged{Program: q, Of: map[ir.Instr]ir.Instr{},
		Members: map[*ir.Entry]map[*ir.Func]*ir.Entry{}}
	for in, c := range m.Instrs {
		out.Of[c] = in
	}
	x := &merger{q: q, starts: startsOf(q), original: map[*ir.Entry]*ir.Entry{}}
	fixed := x.fixed()
	values := valuesOf(q)
	for i, e := range q.Entries {
		x.original[e] = p.Entries[i]
	}
	excluded := map[string]bool{}
	for _, e := range q.Exclusions {
		excluded[e.A], excluded[e.B] = true, true
	}
	for _, kind := range []struct {
		name    string
		started bool
	}{{"users", false}, {"code not seen", true}} {
		var es []*ir.Entry
		if fixed[kind.started] {
			continue
		}
		for _, e := range q.Entries {
			if e.Spawned == kind.started && x.alike(e) && !excluded[e.Name] &&
				!(kind.started && x.anyone && values[e.Func]) {
				es = append(es, e)
			}
		}
		if len(es) > 1 {
			e := x.merge(kind.name, es)
			out.Members[e] = map[*ir.Func]*ir.Entry{}
			for _, f := range es {
				out.Members[e][f.Func] = x.original[f]
			}
		}
	}
	return out
}

type merger struct {
	q        *ir.Program
	starts   map[*ir.Func][]start
	original map[*ir.Entry]*ir.Entry
	// anyone: a thread is started of a function that is not known from the text.
	anyone bool
}

// valuesOf are the functions that a pointer may lead to: their address is had elsewhere
// than where they are called or started by name.
func valuesOf(p *ir.Program) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	mark := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if a, ok := e.(ir.FuncAddr); ok {
				out[a.Func] = true
			}
			return true
		})
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			mark(c.Value)
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ops := ir.Operands(in)
				switch i := in.(type) {
				case *ir.Call:
					if ir.FuncOf(i.Callee) != nil {
						ops = i.Args
					}
				case *ir.Spawn:
					if ir.FuncOf(i.Fn) != nil {
						ops = i.Args
						if i.HandleAddr != nil {
							mark(i.HandleAddr)
						}
					}
				}
				for _, e := range ops {
					mark(e)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				mark(e)
			}
		}
	}
	return out
}

// fixed says whether something in the program names entries by their kinds, names or
// functions in a way that a merged one does not have: of those that are started (true),
// and of the others. Where a thread runs what a pointer leads to, those stay apart that
// one may lead to.
func (x *merger) fixed() map[bool]bool {
	out, names := map[bool]bool{}, map[string]bool{}
	for _, e := range x.q.Entries {
		if names[e.Name] {
			out[false], out[true] = true, true
		}
		names[e.Name] = true
	}
	for _, in := range x.q.Instrs() {
		switch in := in.(type) {
		case *ir.Register:
			if in.Fn != nil || len(in.Kinds) > 0 && !slices.Contains(in.Kinds, ir.KeptKind) {
				out[false], out[true] = true, true
			}
		case *ir.Unregister:
			out[false], out[true] = true, true
		case *ir.Spawn:
			if ir.FuncOf(in.Fn) != nil {
				continue
			}
			x.anyone = true
			if !x.q.TypeSafe { // of any function
				out[true] = true
			}
		}
	}
	return out
}

// start is an instruction that starts a thread; f is the function that it is in, nil
// where what it runs is not known from its text.
type start struct {
	f  *ir.Func
	in *ir.Spawn
}

// startsOf finds what starts threads, by the functions that these run.
func startsOf(p *ir.Program) map[*ir.Func][]start {
	out := map[*ir.Func][]start{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*ir.Spawn)
				if !ok {
					continue
				}
				fn := ir.FuncOf(s.Fn)
				ir.WalkExpr(s.Fn, func(e ir.Expr) bool {
					if a, ok := e.(ir.FuncAddr); ok && a.Func != fn {
						out[a.Func] = append(out[a.Func], start{})
					}
					return true
				})
				if fn != nil {
					out[fn] = append(out[fn], start{f, s})
				}
			}
		}
	}
	return out
}

// alike reports whether an entry is run by any number of threads, of which nothing is
// known but that they run it.
func (x *merger) alike(e *ir.Entry) bool {
	if e.Kind == "main" || !e.Multi || e.Init || e.Exit ||
		len(e.Func.Blocks) == 0 || e.Func.Variadic ||
		len(e.Holds)+len(e.Private)+len(e.Given)+len(e.Same)+len(e.NonNull)+len(e.Serial) > 0 {
		return false
	}
	ss := x.starts[e.Func]
	if !e.Spawned {
		return len(ss) == 0
	}
	return e.Kind != "goroutine" && e.Kind != "timer" && len(ss) > 0 &&
		!slices.ContainsFunc(ss, func(s start) bool {
			return s.f == nil || s.in.HandleAddr != nil || s.in.Dst != nil || s.in.OK != nil ||
				len(s.in.Args) != len(e.Func.Params)
		}) && !slices.ContainsFunc(e.Func.Params,
		func(p *ir.Reg) bool { return nothing(p.Type) == nil })
}

// places are the parameters of a merged entry, of what is started at one place with the
// same arguments.
type places struct {
	of   map[string]int // where they begin
	f    *ir.Func
	runs []start
	at   []int
}

// merge makes one entry of es: a thread that runs one of them.
func (x *merger) merge(name string, es []*ir.Entry) *ir.Entry {
	for x.q.FuncByName(name) != nil || x.q.EntryByName(name) != nil {
		name += "'"
	}
	f := &ir.Func{Name: name, Result: ir.Void{}}
	all := &ir.Entry{Name: name, Func: f, Kind: es[0].Kind, Multi: true, Spawned: es[0].Spawned}
	first, end := &ir.Block{Name: "choose"}, &ir.Block{Name: "end", Term: &ir.Return{}}
	choice := &ir.Goto{}
	first.Term = choice
	f.Blocks = append(f.Blocks, first)
	ps := &places{of: map[string]int{}, f: f}
	for i, e := range es {
		call := &ir.Call{Callee: ir.FuncAddr{Func: e.Func}}
		call.Pos = e.Pos
		at := ps.params(e, x.starts[e.Func])
		for k := range e.Func.Params {
			call.Args = append(call.Args, ir.Use{Reg: f.Params[at+k]})
		}
		if _, void := e.Func.Result.(ir.Void); !void {
			call.Dst = &ir.Reg{Name: fmt.Sprintf("result%d", i), Type: e.Func.Result}
			f.Regs = append(f.Regs, call.Dst)
		}
		b := &ir.Block{Name: fmt.Sprint(i), Instrs: []ir.Instr{call},
			Term: &ir.Goto{Targets: []*ir.Block{end}}}
		choice.Targets = append(choice.Targets, b)
		f.Blocks = append(f.Blocks, b)
	}
	f.Blocks = append(f.Blocks, end)
	ps.restart()
	gone := map[*ir.Entry]bool{}
	for _, e := range es {
		gone[e] = true
	}
	x.q.Funcs = append(x.q.Funcs, f)
	x.q.Entries = append(slices.DeleteFunc(x.q.Entries, func(e *ir.Entry) bool { return gone[e] }), all)
	return all
}

// params gives the place of the first parameter of an entry.
func (ps *places) params(e *ir.Entry, ss []start) int {
	key := ""
	if len(ss) == 1 {
		var args []string
		for k, a := range ss[0].in.Args {
			args = append(args, fmt.Sprint(ir.ExprString(a), " ", e.Func.Params[k].Type))
		}
		key = fmt.Sprintf("%p %s", ss[0].f, strings.Join(args, ","))
	}
	at, known := ps.of[key]
	if !known || key == "" {
		at = len(ps.f.Params)
		ps.of[key] = at
		for _, p := range e.Func.Params {
			ps.f.Params = append(ps.f.Params,
				&ir.Reg{Name: fmt.Sprintf("%s%d", p.Name, len(ps.f.Params)), Type: p.Type})
		}
	}
	for _, s := range ss {
		ps.runs, ps.at = append(ps.runs, s), append(ps.at, at)
	}
	return at
}

// restart starts the merged entry where its members were started.
func (ps *places) restart() {
	for i, s := range ps.runs {
		args := make([]ir.Expr, len(ps.f.Params))
		for k, p := range ps.f.Params {
			args[k] = nothing(p.Type)
		}
		copy(args[ps.at[i]:], s.in.Args)
		s.in.Fn, s.in.Args = ir.FuncAddr{Func: ps.f}, args
	}
}

// nothing is a value of a type that leads to nothing; nil where there is none.
func nothing(t ir.Type) ir.Expr {
	switch t := t.(type) {
	case ir.Int:
		return ir.Const{T: t, Val: new(big.Int)}
	case ir.Ptr:
		return ir.Null{T: t}
	case ir.Bool:
		return ir.BoolConst(false)
	}
	return nil
}
