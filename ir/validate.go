package ir

import (
	"errors"
	"fmt"
)

// Validate checks that p is a well-formed program and returns all problems found, joined,
// or nil. Every pass's result must be valid; tests check it. Pointers to different types
// are taken as compatible.
func Validate(p *Program) error {
	v := &validator{p: p, structs: map[*Struct]bool{}, globals: map[*Global]bool{}, funcs: map[*Func]bool{},
		seen: map[Instr]bool{}}
	for _, s := range p.Structs {
		v.structs[s] = true
	}
	for _, g := range p.Globals {
		v.globals[g] = true
	}
	for _, f := range p.Funcs {
		v.funcs[f] = true
	}
	v.names()
	for _, s := range p.Structs {
		v.structure(s)
	}
	for _, g := range p.Globals {
		v.global(g)
	}
	for _, f := range p.Funcs {
		v.fn(f)
	}
	v.fnow, v.where = nil, ""
	for _, e := range p.Entries {
		v.entry(e)
	}
	for _, x := range p.Exclusions {
		for _, n := range []string{x.A, x.B} {
			if p.EntryByName(n) == nil {
				v.errorf("exclusion names %q, which is no entry", n)
			}
		}
	}
	return errors.Join(v.errs...)
}

type validator struct {
	p       *Program
	structs map[*Struct]bool
	globals map[*Global]bool
	funcs   map[*Func]bool
	seen    map[Instr]bool
	errs    []error
	fnow    *Func         // current function
	regs    map[*Reg]bool // its registers and the ghosts
	blocks  map[*Block]bool
	where   string // prefix of messages
}

func (v *validator) errorf(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("%s%s", v.where, fmt.Sprintf(format, args...)))
}

func unique[T any](v *validator, what string, xs []T, name func(T) string) {
	seen := map[string]bool{}
	for _, x := range xs {
		n := name(x)
		if seen[n] {
			v.errorf("two %s are called %q", what, n)
		}
		seen[n] = true
	}
}

func (v *validator) names() {
	unique(v, "structs", v.p.Structs, func(s *Struct) string { return s.Name })
	unique(v, "globals", v.p.Globals, func(g *Global) string { return g.Name })
	unique(v, "functions", v.p.Funcs, func(f *Func) string { return f.Name })
	unique(v, "entries", v.p.Entries, func(e *Entry) string { return e.Name })
	unique(v, "ghosts", v.p.Ghosts, func(r *Reg) string { return r.Name })
	for _, r := range v.p.Ghosts {
		if !r.Ghost {
			v.errorf("the ghost %q is not marked as one", r.Name)
		}
		v.scalar("the ghost "+r.Name, r.Type, true)
	}
}

// typ checks that t is built of known parts.
func (v *validator) typ(what string, t Type) {
	switch t := t.(type) {
	case nil:
		v.errorf("%s has no type", what)
	case Int:
		if t.Bits < 1 || t.Bits > 128 {
			v.errorf("%s: an integer of %d bits", what, t.Bits)
		}
	case Ptr:
		v.typ(what, t.Elem)
	case Array:
		if t.Len < 0 {
			v.errorf("%s: an array of length %d", what, t.Len)
		}
		v.typ(what, t.Elem)
	case FuncType:
		v.typ(what, t.Result)
		for _, p := range t.Params {
			v.typ(what, p)
		}
	case *Struct:
		if !v.structs[t] {
			v.errorf("%s: the struct %q is not the program's", what, t.Name)
		}
	}
}

// scalar checks that t is a type of values that registers and (unless reg is set: no
// Bool) memory cells hold.
func (v *validator) scalar(what string, t Type, reg bool) {
	v.typ(what, t)
	if !isScalar(t) || !reg && Equal(t, Bool{}) {
		v.errorf("%s cannot have type %s", what, typeText(t))
	}
}

func isScalar(t Type) bool {
	switch t.(type) {
	case Int, Bool, Ptr, Opaque:
		return true
	}
	return false
}

// compatible reports whether a value of type b can stand where one of type a is wanted.
func compatible(a, b Type) bool { return IsPtr(a) && IsPtr(b) || Equal(a, b) }

func (v *validator) structure(s *Struct) {
	v.where = fmt.Sprintf("struct %q: ", s.Name)
	defer func() { v.where = "" }()
	if s.Bytes < 0 {
		v.errorf("size %d", s.Bytes)
	}
	for _, f := range s.Fields {
		v.typ("member "+f.Name, f.Type)
		if f.Offset < 0 || s.Bytes > 0 && f.Offset > s.Bytes {
			v.errorf("member %q is at offset %d of %d bytes", f.Name, f.Offset, s.Bytes)
		}
		if f.BitOffset < 0 || f.BitWidth < 0 {
			v.errorf("member %q has bits %d:%d", f.Name, f.BitOffset, f.BitWidth)
		}
	}
}

func (v *validator) global(g *Global) {
	v.where = fmt.Sprintf("global %q: ", g.Name)
	defer func() { v.where = "" }()
	v.typ("it", g.Type)
	if g.Extern && len(g.Init) > 0 {
		v.errorf("extern, but with initial values")
	}
	v.regs = nil
	for _, c := range g.Init {
		v.typ("a cell", c.Type)
		if c.Offset < 0 {
			v.errorf("a cell at offset %d", c.Offset)
		}
		if c.Value == nil {
			v.errorf("the cell at %d has no value", c.Offset)
			continue
		}
		if v.expr(c.Value) && !compatible(c.Type, c.Value.Type()) {
			v.errorf("the cell at %d of type %s gets %s", c.Offset, typeText(c.Type), ExprString(c.Value))
		}
	}
}

func (v *validator) entry(e *Entry) {
	v.where = fmt.Sprintf("entry %q: ", e.Name)
	defer func() { v.where = "" }()
	if e.Func == nil || !v.funcs[e.Func] {
		v.errorf("its function is not the program's")
		return
	}
	v.passed(e)
	for _, i := range e.Serial {
		if i < 0 || i >= len(e.Func.Params) || !IsPtr(e.Func.Params[i].Type) {
			v.errorf("serial parameter %d is no pointer", i)
		}
	}
	for _, i := range e.Private {
		if i < 0 || i >= len(e.Func.Params) {
			v.errorf("private parameter %d of %d", i, len(e.Func.Params))
		} else if !IsPtr(e.Func.Params[i].Type) {
			v.errorf("private parameter %d is no pointer", i)
		}
	}
}

// passed checks what is said about the arguments that an entry gets.
func (v *validator) passed(e *Entry) {
	ptr := func(f *Func, i int, what string) {
		if i < 0 || i >= len(f.Params) || !IsPtr(f.Params[i].Type) {
			v.errorf("%s: parameter %d is no pointer of %s", what, i, f.Name)
		}
	}
	for _, i := range e.NonNull {
		ptr(e.Func, i, "nonnull")
	}
	for _, g := range e.Given {
		ptr(e.Func, g.Param, "given")
		if g.S == nil || g.Off < 0 || g.Off >= g.S.Bytes {
			v.errorf("given: there is nothing %d bytes into that struct", g.Off)
		}
	}
	for _, x := range e.Same {
		ptr(e.Func, x.Param, "same")
		o := v.p.EntryByName(x.Of)
		if o == nil || o.Func == nil {
			v.errorf("same: there is no entry %q", x.Of)
			continue
		}
		ptr(o.Func, x.OfParam, "same")
	}
}

func (v *validator) fn(f *Func) {
	v.where = fmt.Sprintf("func %q: ", f.Name)
	v.fnow, v.regs, v.blocks = f, map[*Reg]bool{}, map[*Block]bool{}
	v.typ("the result", f.Result)
	if (f.Extern || f.Unknown != "") && len(f.Blocks) > 0 {
		v.errorf("extern or unknown, but with a body")
	}
	if f.Relays && !f.Extern {
		v.errorf("relays, but is not extern")
	}
	if !f.Extern && f.Unknown == "" && len(f.Blocks) == 0 {
		v.errorf("no body, and neither extern nor unknown")
	}
	v.funcRegs(f)
	unique(v, "blocks", f.Blocks, func(b *Block) string { return b.Name })
	for _, b := range f.Blocks {
		v.blocks[b] = true
	}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			v.where = fmt.Sprintf("%sfunc %q, block %q, instruction %d: ", sourceOf(in), f.Name, b.Name, i)
			v.instr(in)
		}
		v.where = fmt.Sprintf("func %q, block %q: ", f.Name, b.Name)
		v.term(b.Term)
	}
}

// sourceOf is the place in the source that an instruction is from, where there is one.
func sourceOf(in Instr) string {
	if in == nil || in.At() == (Pos{}) {
		return ""
	}
	return in.At().String() + ": "
}

// funcRegs checks and collects the registers that f's code may use.
func (v *validator) funcRegs(f *Func) {
	body := len(f.Blocks) > 0
	var named []*Reg
	for _, r := range f.Params {
		v.typ("the parameter "+r.Name, r.Type)
		if body && !isScalar(r.Type) {
			v.errorf("the parameter %q cannot have type %s", r.Name, typeText(r.Type))
		}
		if body || r.Name != "" {
			named = append(named, r)
		}
		v.regs[r] = true
	}
	for _, r := range f.Regs {
		v.scalar("the register "+r.Name, r.Type, true)
		named = append(named, r)
		v.regs[r] = true
	}
	if len(v.regs) != len(f.Params)+len(f.Regs) {
		v.errorf("a register is listed twice")
	}
	for _, r := range v.p.Ghosts {
		v.regs[r] = true
	}
	unique(v, "registers (or ghosts)", append(named, v.p.Ghosts...), func(r *Reg) string { return r.Name })
}
