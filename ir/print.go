package ir

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Print writes p in the textual form that Parse reads back; docs/reference/ir.md
// describes it.
func Print(w io.Writer, p *Program) error {
	pr := &printer{}
	pr.program(p)
	_, err := w.Write(pr.Bytes())
	return err
}

// String returns what Print writes.
func String(p *Program) string {
	pr := &printer{}
	pr.program(p)
	return pr.String()
}

// FuncString returns the printed form of one function.
func FuncString(f *Func) string {
	pr := &printer{}
	pr.fn(f)
	return pr.String()
}

// ExprString returns the printed form of an expression.
func ExprString(e Expr) string {
	pr := &printer{}
	pr.expr(e)
	return pr.String()
}

// printer accumulates text; file is the file of the last position printed.
type printer struct {
	bytes.Buffer
	file string
}

func (w *printer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// s writes strings and expressions as they come.
func (w *printer) s(parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			w.WriteString(p)
		case Type:
			w.WriteString(typeText(p))
		case Expr:
			w.expr(p)
		case nil:
			w.WriteString("<nil>")
		default:
			w.f("%v", p)
		}
	}
}

// flag writes " name" where on is set.
func (w *printer) flag(on bool, name string) {
	if on {
		w.s(" ", name)
	}
}

// as prints what an access stands for, if it is not one of the program's memory.
func (w *printer) as(op Operation) {
	if op != "" {
		w.s(" as ", nameText(string(op)))
	}
}

func (w *printer) pos(sep string, p Pos) {
	if p == (Pos{}) {
		return
	}
	w.s(sep, "@")
	lines := p.Line != 0 || p.Col != 0
	if p.File != w.file || !lines {
		w.file = p.File
		w.s(Quote(p.File))
		if lines {
			w.s(":")
		}
	}
	if lines {
		w.s(p.Line)
		if p.Col != 0 {
			w.s(":", p.Col)
		}
	}
}

func (w *printer) program(p *Program) {
	w.s("program ", Quote(p.Name))
	w.flag(p.TypeSafe, "typesafe")
	w.flag(p.NarrowPointers, "narrow")
	w.s("\n")
	for _, s := range p.Structs {
		w.structure(s)
	}
	for _, r := range p.Ghosts {
		w.s("ghost ", regText(r), ": ", typeText(r.Type))
		w.pos(" ", r.Pos)
		w.s("\n")
	}
	for _, g := range p.Globals {
		w.global(g)
	}
	for _, f := range p.Funcs {
		w.s("\n")
		w.fn(f)
	}
	if len(p.Entries) > 0 {
		w.s("\n")
	}
	for _, e := range p.Entries {
		w.entry(e)
	}
	for _, x := range p.Exclusions {
		w.s("exclude ", nameText(x.A), ", ", nameText(x.B), " ", Quote(x.Reason), "\n")
	}
	for _, a := range p.Assumptions {
		w.s("assumption ", nameText(a.Kind), " ", Quote(a.Text))
		w.pos(" ", a.Pos)
		w.s("\n")
	}
}

func (w *printer) structure(s *Struct) {
	kind := "struct "
	if s.Union {
		kind = "union "
	}
	w.s(kind, nameText(s.Name), " size ", s.Bytes)
	w.flag(s.Prints, "prints")
	w.flag(s.Sum, "sum")
	w.flag(s.Whole, "whole")
	w.flag(s.Closed, "closed")
	w.s(" {\n")
	for _, f := range s.Fields {
		w.s("  ", nameText(f.Name), ": ", typeText(f.Type), " @", f.Offset)
		if f.BitOffset != 0 || f.BitWidth != 0 {
			w.s(" bits ", f.BitOffset, ":", f.BitWidth)
		}
		w.flag(f.Hidden, "hidden")
		w.flag(f.Own, "own")
		w.flag(f.Const, "const")
		w.s("\n")
	}
	w.s("}\n")
}

func (w *printer) global(g *Global) {
	w.s("global ", nameText(g.Name), ": ", typeText(g.Type))
	w.flag(g.Static, "static")
	w.flag(g.Const, "const")
	w.flag(g.Extern, "extern")
	w.flag(g.ThreadLocal, "threadlocal")
	w.pos(" ", g.Pos)
	if len(g.Init) > 0 {
		w.s(" = {")
		sep := " "
		if len(g.Init) > 1 {
			sep = "\n  "
		}
		for _, c := range g.Init {
			w.s(sep, c.Offset)
			if c.Value == nil || !Equal(c.Type, c.Value.Type()) {
				w.s(": ", typeText(c.Type))
			}
			w.s(" = ", c.Value)
			w.pos(" ", c.Pos)
		}
		w.s(strings.TrimRight(sep, " "))
		if len(g.Init) == 1 {
			w.s(" ")
		}
		w.s("}")
	}
	w.s("\n")
}

func (w *printer) fn(f *Func) {
	w.s("func ", nameText(f.Name), "(")
	for i, p := range f.Params {
		if i > 0 {
			w.s(", ")
		}
		w.s(nameText(p.Name), ": ", typeText(p.Type))
		w.pos(" ", p.Pos)
	}
	if f.Variadic {
		if len(f.Params) > 0 {
			w.s(", ")
		}
		w.s("...")
	}
	w.s(") ", typeText(f.Result))
	w.flag(f.Extern, "extern")
	w.flag(f.Relays, "relays")
	w.flag(f.Alone, "alone")
	if f.Unknown != "" {
		w.s(" unknown ", Quote(f.Unknown))
	}
	w.pos(" ", f.Pos)
	if len(f.Blocks) == 0 && len(f.Regs) == 0 {
		w.s("\n")
		return
	}
	w.s(" {\n")
	for _, r := range f.Regs {
		w.s("  reg ", nameText(r.Name), ": ", typeText(r.Type))
		w.pos(" ", r.Pos)
		w.s("\n")
	}
	for _, b := range f.Blocks {
		w.block(b)
	}
	w.s("}\n")
}

func (w *printer) block(b *Block) {
	w.s(nameText(b.Name), ":\n")
	for _, in := range b.Instrs {
		w.s("  ")
		w.instr(in)
		if in != nil {
			w.pos("  ", in.At())
		}
		w.s("\n")
	}
	if b.Term != nil {
		w.s("  ")
		w.term(b.Term)
		w.pos("  ", b.Term.At())
		w.s("\n")
	}
}

func (w *printer) entry(e *Entry) {
	w.s("entry ", nameText(e.Name))
	switch {
	case e.Func == nil:
		w.s(" func <nil>")
	case e.Func.Name != e.Name:
		w.s(" func ", nameText(e.Func.Name))
	}
	w.s(" kind ", Quote(e.Kind))
	w.flag(e.Multi, "multi")
	w.flag(e.Spawned, "spawned")
	w.flag(e.Init, "init")
	w.flag(e.Exit, "exit")
	w.flag(e.Always, "always")
	for i, h := range e.Holds {
		w.s(listSep(i, " holds "), nameText(h))
	}
	for i, n := range e.Private {
		w.s(listSep(i, " private "), n)
	}
	for i, n := range e.NonNull {
		w.s(listSep(i, " nonnull "), n)
	}
	for i, n := range e.Serial {
		w.s(listSep(i, " serial "), n)
	}
	for i, g := range e.Given {
		w.s(listSep(i, " given "), g.Param, " in ", nameText(g.S.Name), " at ", g.Off)
	}
	for i, x := range e.Same {
		w.s(listSep(i, " same "), x.Param, " as ", nameText(x.Of), " ", x.OfParam, " at ", x.Off)
	}
	if e.Stop != "" {
		w.s(" stop ", nameText(e.Stop))
	}
	w.pos(" ", e.Pos)
	w.s("\n")
}

// listSep is what precedes the i-th element of a list that begins with a keyword.
func listSep(i int, keyword string) string {
	if i == 0 {
		return keyword
	}
	return ", "
}
