package boogie

import (
	"fmt"
	"math/big"
	"strings"

	"whoop/ir"
)

// proc is the translation of one procedure.
type proc struct {
	*program
	f     *ir.Func
	vars  map[*ir.Reg]string
	names namer
	// temps are the variables that the translation adds, by their types; numTemps counts
	// them.
	temps    map[string][]string
	numTemps int
	b        strings.Builder
	indent   int
	// last is the position that was written last in this block.
	last ir.Pos
}

func (t *program) newProc(f *ir.Func) *proc {
	return &proc{program: t, f: f, vars: map[*ir.Reg]string{}, names: namer{}, temps: map[string][]string{}, indent: 1}
}

func (p *proc) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// open begins a nested block, reopen ends one and begins the next, close ends it.
func (p *proc) open(format string, args ...any) {
	p.line(format, args...)
	p.indent++
}

func (p *proc) reopen(format string, args ...any) {
	p.indent--
	p.open(format, args...)
}

func (p *proc) close() {
	p.indent--
	p.line("}")
}

// temp declares a variable for values of type t.
func (p *proc) temp(t ir.Type) string {
	p.numTemps++
	n, b := fmt.Sprintf("$t%d", p.numTemps), boogieType(t)
	p.temps[b] = append(p.temps[b], n)
	return n
}

// arbitrary is a new arbitrary value of a type.
func (p *proc) arbitrary(t ir.Type) val {
	v := p.temp(t)
	p.line("havoc %s;", v)
	p.inRange(v, t)
	return typed(v, t)
}

// value translates an expression to text.
func (p *proc) value(e ir.Expr) string { return p.expr(e).s }

func number64(k int64) val { return constant(big.NewInt(k)) }

// reg is the variable of a register.
func (p *proc) reg(r *ir.Reg) string {
	if g, ok := p.ghosts[r]; ok {
		return g + "[$tid]"
	}
	return p.vars[r]
}

// at says where the source of what follows is.
func (p *proc) at(pos ir.Pos) {
	if pos.Line == 0 || pos.File == p.last.File && pos.Line == p.last.Line {
		return
	}
	p.last = pos
	p.line("assert {:sourcefile %s} {:sourceline %d} true;", attribute(pos.File), pos.Line)
}

// signature is the head of f's procedure; its parameters get the names that params
// returns.
func (t *program) signature(f *ir.Func, params []string) string {
	var b strings.Builder
	attr := ""
	if t.opt.Inline > 0 && len(f.Blocks) > 0 {
		attr = fmt.Sprintf("{:inline %d} ", t.opt.Inline)
	}
	fmt.Fprintf(&b, "procedure %s%s($tid: int", attr, t.name[f])
	for i, r := range f.Params {
		fmt.Fprintf(&b, ", %s: %s", params[i], boogieType(r.Type))
	}
	b.WriteString(")")
	var outs []string
	if _, void := f.Result.(ir.Void); !void {
		outs = append(outs, "$r: "+boogieType(f.Result))
	}
	if t.exits[f] {
		outs = append(outs, "$exit: bool")
	}
	if len(outs) > 0 {
		fmt.Fprintf(&b, " returns (%s)", strings.Join(outs, ", "))
	}
	return b.String()
}

// function translates a function.
func (t *program) function(f *ir.Func) string {
	p := t.newProc(f)
	params := make([]string, len(f.Params))
	for i, r := range f.Params {
		params[i] = p.names.fresh(r.Name)
		p.vars[r] = params[i]
	}
	if len(f.Blocks) == 0 {
		why := "extern: its result is arbitrary"
		if f.Unknown != "" {
			why = "not understood: " + f.Unknown
			t.note("unknown function: %s could not be translated (%s); its calls do nothing but yield an arbitrary value", f.Name, f.Unknown)
		}
		return fmt.Sprintf("// %s\n%s;\n\n", comment(why), t.signature(f, params))
	}
	var decls []string
	assigned := assignedRegs(f)
	for _, r := range f.Params {
		if assigned[r] { // Boogie's parameters are constants
			in := p.vars[r]
			p.vars[r] = p.names.fresh(r.Name)
			decls = append(decls, fmt.Sprintf("var %s: %s;", p.vars[r], boogieType(r.Type)))
			p.line("%s := %s;", p.vars[r], in)
		}
	}
	for _, r := range f.Regs {
		p.vars[r] = p.names.fresh(r.Name)
		decls = append(decls, fmt.Sprintf("var %s: %s;", p.vars[r], boogieType(r.Type)))
	}
	early := readFirst(f)
	for _, r := range f.Regs {
		if early[r] {
			p.inRange(p.vars[r], r.Type)
		}
	}
	if t.exits[f] {
		p.line("$exit := false;")
	}
	p.body()
	return p.finish(fmt.Sprintf("// %s\n%s", comment(f.Pos.String()), t.signature(f, params)), decls)
}

// finish puts the procedure together.
func (p *proc) finish(head string, decls []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n{\n", head)
	for _, typ := range sorted(p.temps) {
		decls = append(decls, fmt.Sprintf("var %s: %s;", strings.Join(p.temps[typ], ", "), typ))
	}
	for _, d := range decls {
		fmt.Fprintf(&b, "  %s\n", d)
	}
	b.WriteString(p.b.String())
	b.WriteString("}\n\n")
	return b.String()
}

// body translates the blocks.
func (p *proc) body() {
	labels, names := map[*ir.Block]string{}, namer{}
	for _, b := range p.f.Blocks {
		labels[b] = names.fresh(b.Name)
	}
	for _, b := range p.f.Blocks {
		fmt.Fprintf(&p.b, "%s:\n", labels[b])
		p.last = ir.Pos{}
		for _, in := range b.Instrs {
			p.at(in.At())
			p.yieldBefore(in)
			p.checkRaces(in)
			p.instr(in)
		}
		p.term(b.Term, labels)
	}
}

func (p *proc) term(term ir.Term, labels map[*ir.Block]string) {
	switch i := term.(type) {
	case *ir.Goto:
		var to []string
		for _, b := range i.Targets {
			to = append(to, labels[b])
		}
		p.line("goto %s;", strings.Join(to, ", "))
	case *ir.Branch:
		p.at(i.Pos)
		p.line("if (%s) { goto %s; }", bare(p.value(i.Cond)), labels[i.Then])
		p.line("goto %s;", labels[i.Else])
	case *ir.Return:
		if i.Val != nil {
			p.at(i.Pos)
			p.line("$r := %s;", bare(p.value(i.Val)))
		}
		p.line("return;")
	case *ir.Stop:
		p.at(i.Pos)
		p.stop(i.Kind)
	}
}

// stop ends the thread by a result that callers look at. The end of the program is an
// assumption that is false: what happens before is found in executions in which this
// thread does not go on from the yield.
func (p *proc) stop(kind string) {
	switch kind {
	case "exit":
		p.line("$exit := true;")
		p.line("return;")
	case "abort":
		p.line("yield;")
		p.line("assume false; // the program ends")
		p.line("return;")
	default:
		p.line("assume false; // not reachable")
		p.line("return;")
	}
}

// assignedRegs are the registers that some instruction of f writes.
func assignedRegs(f *ir.Func) map[*ir.Reg]bool {
	out := map[*ir.Reg]bool{}
	for in := range f.Instrs() {
		for _, r := range ir.Defs(in) {
			out[r] = true
		}
	}
	return out
}

// readFirst are the registers that may be read before they are written: those live at the
// entry.
func readFirst(f *ir.Func) map[*ir.Reg]bool {
	live := map[*ir.Block]map[*ir.Reg]bool{}
	for changed := true; changed; {
		changed = false
		for k := len(f.Blocks) - 1; k >= 0; k-- {
			b := f.Blocks[k]
			now := map[*ir.Reg]bool{}
			for _, s := range b.Succs() {
				for r := range live[s] {
					now[r] = true
				}
			}
			reads(ir.TermOperands(b.Term), now)
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				for _, r := range ir.Defs(b.Instrs[i]) {
					delete(now, r)
				}
				reads(ir.Operands(b.Instrs[i]), now)
			}
			changed = changed || len(now) != len(live[b])
			live[b] = now
		}
	}
	return live[f.Blocks[0]]
}

func reads(es []ir.Expr, into map[*ir.Reg]bool) {
	for _, e := range es {
		ir.WalkExpr(e, func(x ir.Expr) bool {
			if u, ok := x.(ir.Use); ok {
				into[u.Reg] = true
			}
			return true
		})
	}
}
