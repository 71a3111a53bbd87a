package entry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Apply infers the entry points of p, unless the file says infer: false or p has some
// already, and then makes the changes that the file asks for. Names the program does not
// have are errors, with file:line.
func (c *Config) Apply(p *ir.Program, m *models.Set) error {
	if len(p.Entries) == 0 && (c.Infer == nil || *c.Infer) {
		if err := Infer(p, m, Options{}); err != nil && len(c.Entries) == 0 {
			return err
		}
	}
	p.Assume("entry-points", ir.Pos{File: c.file}, "entry points and what is serialised are as %s says", c.file)
	for i, n := range c.Remove {
		e := p.EntryByName(n)
		if e == nil {
			return c.at("remove", i, "there is no entry point %s to remove; %s", n, entryNames(p))
		}
		p.Entries = slices.DeleteFunc(p.Entries, func(x *ir.Entry) bool { return x == e })
		p.Exclusions = slices.DeleteFunc(p.Exclusions, func(x ir.Exclusion) bool { return x.A == n || x.B == n })
	}
	for i := range c.Entries {
		if err := c.entry(p, i); err != nil {
			return err
		}
	}
	for _, f := range []func(*ir.Program) error{c.overlaps, c.serials, c.aliases, c.initials} {
		if err := f(p); err != nil {
			return err
		}
	}
	if c.Infer != nil && !*c.Infer {
		(&inferrer{p: p, m: m, cg: newCallGraph(p)}).narrow()
	}
	if len(p.Entries) == 0 {
		return fmt.Errorf("%s:1: no entry points are left; name some under entries", c.file)
	}
	return nil
}

// entry adds or changes one entry.
func (c *Config) entry(p *ir.Program, i int) error {
	x := c.Entries[i]
	e := p.EntryByName(x.name())
	if e == nil {
		f := p.FuncByName(x.Func)
		switch {
		case f == nil:
			return c.at("entries", i, "the program has no function %s; %s", x.Func, funcNames(p, x.Func))
		case f.Extern:
			return c.at("entries", i, "%s is only declared; an entry point needs a body in the files given", x.Func)
		}
		e = &ir.Entry{Name: x.name(), Func: f, Pos: f.Pos, Kind: "entry", Multi: true}
		p.Entries = append(p.Entries, e)
	} else if e.Func.Name != x.Func && (x.Name != "" || !p.TypeSafe) { // in Go programs, the entry's name will do
		return c.at("entries", i, "the entry point %s is the function %s, not %s; give it another name", e.Name, e.Func.Name, x.Func)
	}
	if x.Kind != "" {
		e.Kind = x.Kind
	}
	for _, b := range []struct {
		to   *bool
		from *bool
	}{{&e.Multi, x.Multi}, {&e.Spawned, x.Spawned}, {&e.Init, x.Init}, {&e.Exit, x.Exit}} {
		if b.from != nil {
			*b.to = *b.from
		}
	}
	if n := count(e.Init, e.Exit, e.Spawned); n > 1 {
		return c.at("entries", i, "%s is already %s; set what no longer holds to false", x.Func, flags(e))
	}
	if x.Holds != nil {
		e.Holds = slices.Clone(*x.Holds)
	}
	if x.Private != nil {
		for _, n := range *x.Private {
			if n < 0 || n >= len(e.Func.Params) {
				return c.at("entries", i, "%s has %d parameters; private names number %d (the first is 0)", x.Func, len(e.Func.Params), n)
			}
			if !ir.IsPtr(e.Func.Params[n].Type) {
				return c.at("entries", i, "parameter %d of %s is no pointer; nothing of it can be private", n, x.Func)
			}
		}
		e.Private = slices.Clone(*x.Private)
	}
	return nil
}

func count(bs ...bool) int {
	n := 0
	for _, b := range bs {
		if b {
			n++
		}
	}
	return n
}

func flags(e *ir.Entry) string {
	var out []string
	for _, f := range []struct {
		on   bool
		name string
	}{{e.Init, "init"}, {e.Exit, "exit"}, {e.Spawned, "spawned"}} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, " and ")
}

func (c *Config) overlaps(p *ir.Program) error {
	for i, o := range c.Overlap {
		for _, n := range o {
			if p.EntryByName(n) == nil {
				return c.at("overlap", i, "there is no entry point %s; %s", n, entryNames(p))
			}
		}
		p.Exclusions = slices.DeleteFunc(p.Exclusions, func(x ir.Exclusion) bool {
			return x.A == o[0] && x.B == o[1] || x.A == o[1] && x.B == o[0]
		})
		if o[0] == o[1] {
			p.EntryByName(o[0]).Multi = true
		}
	}
	return nil
}

func (c *Config) serials(p *ir.Program) error {
	for i, s := range c.Serial {
		for _, n := range []string{s.A, s.B} {
			if p.EntryByName(n) == nil {
				return c.at("serial", i, "there is no entry point %s; %s", n, entryNames(p))
			}
		}
		x := ir.Exclusion{A: s.A, B: s.B, Reason: s.Reason}
		if x.Reason == "" {
			x.Reason = "as " + c.file + " says"
		}
		p.Exclusions = slices.DeleteFunc(p.Exclusions, func(y ir.Exclusion) bool {
			return y.A == x.A && y.B == x.B || y.A == x.B && y.B == x.A
		})
		p.Exclusions = append(p.Exclusions, x)
	}
	return nil
}

// Param is a parameter of an entry point.
type Param struct {
	Entry string
	Index int
}

// Aliases returns the groups of parameters that may point to the same object, after Apply
// has checked them.
func (c *Config) Aliases() [][]Param {
	var out [][]Param
	for _, g := range c.Alias {
		var ps []Param
		for _, s := range g {
			if e, n, err := splitParam(s); err == nil {
				i, _ := strconv.Atoi(n)
				ps = append(ps, Param{e, i})
			}
		}
		out = append(out, ps)
	}
	return out
}

func (c *Config) aliases(p *ir.Program) error {
	for i, g := range c.Alias {
		for _, s := range g {
			name, n, err := splitParam(s)
			if err != nil {
				return c.at("alias", i, "%q: %v", s, err)
			}
			e := p.EntryByName(name)
			if e == nil {
				return c.at("alias", i, "there is no entry point %s; %s", name, entryNames(p))
			}
			k, err := strconv.Atoi(n)
			if err != nil {
				return c.at("alias", i, "%q: %v", s, errNoParam)
			}
			if k < 0 || k >= len(e.Func.Params) || !ir.IsPtr(e.Func.Params[k].Type) {
				return c.at("alias", i, "%s has no pointer parameter number %d (the first is 0)", name, k)
			}
			if slices.Contains(e.Private, k) {
				return c.at("alias", i, "parameter %d of %s is private, so it aliases nothing; take it out of private", k, name)
			}
		}
	}
	return nil
}

// initials sets initial values.
func (c *Config) initials(p *ir.Program) error {
	for i, in := range c.Initial {
		name, rest, _ := strings.Cut(in.Var, ".")
		g := p.GlobalByName(name)
		if g == nil {
			return c.at("initial", i, "the program has no global variable %s", name)
		}
		if g.Extern {
			return c.at("initial", i, "%s is only declared; its value is unknown, and code not seen may change it", name)
		}
		t, off := g.Type, int64(0)
		for rest != "" {
			var m string
			m, rest, _ = strings.Cut(rest, ".")
			s, ok := t.(*ir.Struct)
			if !ok || s.FieldAt(m) < 0 {
				return c.at("initial", i, "%s: there is no member %s", in.Var, m)
			}
			f := s.Fields[s.FieldAt(m)]
			if f.BitWidth != 0 {
				return c.at("initial", i, "%s is a bit-field; initial values of these are not supported", in.Var)
			}
			t, off = f.Type, off+f.Offset
		}
		it, ok := t.(ir.Int)
		if !ok {
			return c.at("initial", i, "%s is no integer; only integers can have an initial value here", in.Var)
		}
		g.Init = slices.DeleteFunc(g.Init, func(x ir.InitCell) bool { return x.Offset == off })
		if in.Value != 0 {
			g.Init = append(g.Init, ir.InitCell{Offset: off, Type: it, Value: ir.IntConst(it, in.Value), Pos: g.Pos})
		}
	}
	return nil
}

func entryNames(p *ir.Program) string {
	var out []string
	for _, e := range p.Entries {
		out = append(out, e.Name)
	}
	if len(out) == 0 {
		return "there is none; add it under entries"
	}
	return "the entry points are " + shorten(out)
}

// funcNames suggests functions with a body, those that resemble name first.
func funcNames(p *ir.Program, name string) string {
	var like, other []string
	stem := strings.ToLower(name[:(len(name)+1)/2])
	for _, f := range p.Funcs {
		switch {
		case f.Extern:
		case strings.Contains(strings.ToLower(f.Name), stem):
			like = append(like, f.Name)
		default:
			other = append(other, f.Name)
		}
	}
	if len(like)+len(other) == 0 {
		return "it defines none"
	}
	return "it defines " + shorten(append(like, other...))
}

func shorten(names []string) string {
	if len(names) > 10 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:10], ", "), len(names)-10)
	}
	return strings.Join(names, ", ")
}
