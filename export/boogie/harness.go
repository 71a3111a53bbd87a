package boogie

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
)

// pseudoLocks are the names of the locks that entries hold around their runs, and of
// pairs of entries that exclude each other.
func (t *program) pseudoLocks() []string {
	names := map[string]bool{}
	for _, e := range t.ir.Entries {
		for _, h := range t.holds(e) {
			names[h] = true
		}
	}
	return sorted(names)
}

// holds are the pseudo-locks of an entry.
func (t *program) holds(e *ir.Entry) []string {
	hs := slices.Clone(e.Holds)
	for _, x := range t.ir.Exclusions {
		if x.A == e.Name || x.B == e.Name {
			hs = append(hs, "exclusion of "+x.A+" and "+x.B)
		}
	}
	sort.Strings(hs)
	return slices.Compact(hs)
}

// started are the entries that main starts: the pair, or those that nothing else starts.
func (t *program) started() []*ir.Entry {
	if len(t.pair) > 0 {
		return t.pair
	}
	var out []*ir.Entry
	for _, e := range t.ir.Entries {
		if e.Func == nil || e.Init || e.Spawned {
			continue
		}
		out = append(out, e)
		if e.Multi {
			out = append(out, e)
		}
	}
	return out
}

// harness is the procedure main, and one for each entry it starts.
func (t *program) harness() (string, error) {
	p := t.newProc(nil)
	p.line("$tid := 1;")
	p.line("call $init();")
	p.threadLocals()
	procs := ""
	if f := t.ir.FuncByName("main"); f != nil && len(t.pair) == 0 {
		p.runMain(f)
	} else {
		var err error
		if procs, err = p.runEntries(); err != nil {
			return "", err
		}
	}
	return p.finish("procedure {:entrypoint} main()", []string{"var $tid: int;"}) + procs, nil
}

// runMain runs the program's main, whose end is that of the program: see proc.stop.
func (p *proc) runMain(f *ir.Func) {
	args := p.inputs(f, nil, map[string]string{})
	p.invoke(f, args, nil)
	if p.exits[f] {
		p.open("if (!%s) {", p.lastTemp())
	}
	p.line("yield;")
	p.line("assume false; // the program ends")
	if p.exits[f] {
		p.close()
	}
}

// lastTemp is the variable declared last.
func (p *proc) lastTemp() string { return fmt.Sprintf("$t%d", p.numTemps) }

// runEntries runs the init entries, one after the other, then starts the others.
func (p *proc) runEntries() (string, error) {
	shared := map[string]string{}
	for _, e := range p.ir.Entries {
		if e.Init && e.Func != nil && !slices.Contains(p.pair, e) {
			p.line("// init entry %s", comment(e.Name))
			p.invoke(e.Func, p.inputs(e.Func, e.Private, shared), nil)
		}
	}
	es := p.started()
	if len(es) == 0 {
		return "", fmt.Errorf("the program has neither a function main nor entry points")
	}
	procs, made := "", map[*ir.Entry]string{}
	for _, e := range es {
		if made[e] == "" {
			made[e] = fmt.Sprintf("$entry.%d", len(made)+1)
			procs += p.entryProc(e, made[e])
		}
		args := ""
		for _, a := range p.inputs(e.Func, e.Private, shared) {
			args += ", " + a.s
		}
		p.line("async call %s(%s%s); // %s", made[e], p.newThread(), args, comment(e.Name))
	}
	return procs, nil
}

// waitsForInit reports whether an init entry is one of the pair: then the other starts
// when it has registered something.
func (t *program) waitsForInit() bool {
	if t.feat.registers && slices.ContainsFunc(t.pair, func(e *ir.Entry) bool { return e.Init }) {
		t.use("$registered")
		return true
	}
	return false
}

// inputs are arbitrary arguments. Pointers are null, to an object of their own, or to one
// that all arguments of the same type can share; those at private are never shared.
func (p *proc) inputs(f *ir.Func, private []int, shared map[string]string) []operand {
	var out []operand
	for k, r := range f.Params {
		if !ir.IsPtr(r.Type) {
			out = append(out, operand{p.arbitrary(r.Type), r.Type})
			continue
		}
		key, v := r.Type.String(), p.temp(r.Type)
		p.line("call %s := %s(); // %s: %s", v, p.use("$alloc"), comment(r.Name), comment(key))
		if !slices.Contains(private, k) {
			if shared[key] == "" {
				shared[key] = p.temp(r.Type)
				p.line("%s := %s;", shared[key], v)
			}
			p.line("if (*) { %s := %s; }", v, shared[key])
		}
		p.line("if (*) { %s := 0; }", v)
		out = append(out, operand{typed(v, r.Type), r.Type})
	}
	return out
}

// entryProc is the procedure of a thread that runs an entry, with the locks its
// environment holds.
func (t *program) entryProc(e *ir.Entry, name string) string {
	p := t.newProc(nil)
	params, args := "$tid: int", []operand{}
	for k, r := range e.Func.Params {
		n := fmt.Sprintf("a%d", k)
		params += fmt.Sprintf(", %s: %s", n, boogieType(r.Type))
		args = append(args, operand{typed(n, r.Type), r.Type})
	}
	rec := ""
	if t.feat.recursive {
		rec = ", false"
	}
	p.line("yield;")
	if t.waitsForInit() && !e.Init {
		p.line("assume $registered;")
	}
	p.threadLocals()
	hs := t.holds(e)
	for _, h := range hs {
		p.line("call %s($tid, %s%s); // %s", p.use("$lock"), p.address(h), rec, comment(h))
		p.line("yield;")
	}
	p.invoke(e.Func, args, nil)
	for _, h := range slices.Backward(hs) {
		p.line("yield;")
		p.line("call %s($tid, %s);", p.use("$unlock"), p.address(h))
	}
	return p.finish(fmt.Sprintf("// Entry point %s.\nprocedure %s(%s)", comment(e.Name), name, params), nil)
}

// threadLocals makes the running thread's copies of the thread-local variables.
func (p *proc) threadLocals() {
	if len(p.tls) > 0 {
		p.line("call $init_thread($tid);")
	}
}

// initProcs are the procedures that make the state at the start of the program, and of a
// thread.
func (t *program) initProcs() string {
	p := t.newProc(nil)
	p.line("$next := %d;", t.firstAddress())
	for _, g := range t.ir.Globals {
		if _, local := t.tls[g]; !local {
			p.initGlobal(g, t.addr[g])
		}
	}
	for _, s := range t.state() {
		p.line("%s", s)
	}
	out := p.finish("// The state at the start.\nprocedure {:inline 1} $init()", nil)
	if len(t.tls) == 0 {
		return out
	}
	p = t.newProc(nil)
	for _, g := range t.ir.Globals {
		if i, local := t.tls[g]; local {
			p.initGlobal(g, p.tlsAddr(i))
		}
	}
	return out + p.finish("// A thread's copies of the thread-local variables.\nprocedure {:inline 1} $init_thread($tid: int)", nil)
}

// initGlobal writes the initial cells of a variable at addr.
func (p *proc) initGlobal(g *ir.Global, addr string) {
	if g.Extern {
		return
	}
	for _, c := range p.mem.holding(func(o *alias.Object) bool { return o.Global == g }) {
		if !g.ThreadLocal {
			p.address(g)
		}
		cells, ok := p.initCells(c, g)
		if !ok {
			p.line("// %s in %s: arbitrary, its initial values are of other types than its accesses", comment(g.Name), c.name)
			p.note("initial values are arbitrary where a variable's initialiser and its accesses are of different types")
			continue
		}
		if k, scalar := c.only(g); scalar && len(cells) <= 1 {
			if len(cells) == 0 {
				cells = []string{fmt.Sprintf("%s[%s] := 0;", c.name, at(addr, k))}
			}
		} else {
			p.zeroObject(c, addr)
		}
		for _, s := range cells {
			p.line("%s", strings.ReplaceAll(s, "@", addr))
		}
	}
}

func at(addr string, off int64) string {
	if off == 0 {
		return addr
	}
	return fmt.Sprintf("(%s + %d)", addr, off)
}

// only returns the offset of the one cell of g in a class, where there is one only.
func (c *class) only(g *ir.Global) (off int64, ok bool) {
	for _, r := range c.in {
		if !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return o.Global == g }) {
			continue
		}
		if ok || !c.cell || !r.Exact || r.Elem != 0 {
			return 0, false
		}
		off, ok = r.Offset, true
	}
	return off, ok
}

// initCells are the stores of the initial values of g that the class holds; "@" stands
// for g's address. It fails where a value falls on part of a cell.
func (p *proc) initCells(c *class, g *ir.Global) (out []string, ok bool) {
	for _, i := range g.Init {
		n := i.Type.Size()
		place := at("@", i.Offset)
		v := p.expr(i.Value)
		if !c.cell {
			if n == 0 || n > 16 {
				return nil, false
			}
			out = append(out, fmt.Sprintf("%s := %s(%s, %s, %s);", c.name, p.storeBytes(n), c.name, place, v.s))
			continue
		}
		hit, part := c.cellAt(g, i.Offset, n)
		if part {
			return nil, false
		}
		if hit {
			if it, isInt := c.typ.(ir.Int); isInt {
				v = p.wrap(it, v)
			}
			out = append(out, fmt.Sprintf("%s[%s] := %s;", c.name, place, v.s))
		}
	}
	return out, true
}

// cellAt reports whether the n bytes of g at an offset are a cell of the class, or
// overlap with one otherwise.
func (c *class) cellAt(g *ir.Global, off, n int64) (hit, part bool) {
	for _, r := range c.in {
		if !slices.ContainsFunc(r.Objects, func(o *alias.Object) bool { return o.Global == g }) {
			continue
		}
		d := off - r.Offset
		if r.Elem > 0 {
			d = ((off-r.ArrayStart-r.Offset)%r.Elem + r.Elem) % r.Elem
			if d+n > r.Elem { // wraps around to the next element's cell
				part = true
			}
		}
		switch {
		case d == 0 && n == c.size:
			hit = true
		case d < c.size && d+n > 0:
			part = true
		}
	}
	return hit, part && !hit
}
