package boogie

import (
	"fmt"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
)

// class is a set of regions that one map holds. A scalar access touches one class, so
// that a load need not choose.
type class struct {
	name string
	in   []*alias.Region
	// cell: an address holds a whole value, of size bytes; otherwise an address holds a
	// byte.
	cell bool
	size int64
	// typ is the type of all cells, nil where they differ or are not known.
	typ ir.Type
}

// memory divides the regions of a program into classes.
type memory struct {
	classes []*class
	of      map[*alias.Region]*class
	// unknown: some access may touch memory the analysis has no object for: all is one
	// class.
	unknown bool
}

// scalarAccess reports whether an instruction accesses one cell, and of what type.
func scalarAccess(in ir.Instr) (ir.Type, bool) {
	if s, ok := in.(*ir.Spawn); ok && s.HandleAddr != nil {
		return handleType(s), true
	}
	t := ir.CellType(in)
	return t, t != nil
}

// handleType is the type of the cell that a spawned thread's handle is stored in.
func handleType(in *ir.Spawn) ir.Type {
	if p, ok := in.HandleAddr.Type().(ir.Ptr); ok {
		switch p.Elem.(type) {
		case ir.Int, ir.Ptr:
			return p.Elem
		}
	}
	return ir.U64
}

// memoryBuilder collects what the accesses say about the regions.
type memoryBuilder struct {
	res    *alias.Result
	parent map[*alias.Region]*alias.Region
	types  map[*alias.Region][]ir.Type
	seen   map[*alias.Region]bool
	// unknown: see memory.
	unknown bool
}

func newMemory(p *ir.Program, res *alias.Result) *memory {
	b := &memoryBuilder{res: res, parent: map[*alias.Region]*alias.Region{}, types: map[*alias.Region][]ir.Type{},
		seen: map[*alias.Region]bool{}}
	for _, in := range p.Instrs() {
		b.instr(in)
	}
	return b.build()
}

func (b *memoryBuilder) find(r *alias.Region) *alias.Region {
	for b.parent[r] != nil {
		r = b.parent[r]
	}
	return r
}

func (b *memoryBuilder) union(rs []*alias.Region) {
	for i := 1; i < len(rs); i++ {
		if x, y := b.find(rs[0]), b.find(rs[i]); x != y {
			b.parent[y] = x
		}
	}
}

func (b *memoryBuilder) instr(in ir.Instr) {
	typ, scalar := scalarAccess(in)
	_, move := in.(*ir.MemCopy)
	var all []*alias.Region
	for _, a := range b.res.Accesses(in) {
		if _, free := in.(*ir.Free); free {
			continue
		}
		if _, call := in.(*ir.Call); !call {
			b.unknown = b.unknown || a.Unknown
		}
		for _, r := range a.Regions {
			b.seen[r] = true
			if scalar && !slices.ContainsFunc(b.types[r], func(t ir.Type) bool { return ir.Equal(t, typ) }) {
				b.types[r] = append(b.types[r], typ)
			}
		}
		if scalar || move {
			all = append(all, a.Regions...)
		}
	}
	b.union(all)
}

func (b *memoryBuilder) build() *memory {
	m := &memory{of: map[*alias.Region]*class{}, unknown: b.unknown}
	if b.unknown {
		b.union(b.res.Regions())
	}
	for _, r := range b.res.Regions() {
		if !b.seen[r] && !b.unknown {
			continue
		}
		root := b.find(r)
		c := m.of[root]
		if c == nil {
			c = &class{name: fmt.Sprintf("$M.%d", len(m.classes))}
			m.classes = append(m.classes, c)
			m.of[root] = c
		}
		m.of[r] = c
		c.in = append(c.in, r)
	}
	if b.unknown && len(m.classes) == 0 {
		m.classes = []*class{{name: "$M.0"}}
	}
	for _, c := range m.classes {
		b.shape(c)
	}
	return m
}

// shape decides whether a class holds cells or bytes: cells where all accesses are of one
// size and each region is accessed at its own addresses alone.
func (b *memoryBuilder) shape(c *class) {
	c.cell = !b.unknown
	for _, r := range c.in {
		for _, t := range b.types[r] {
			if c.size == 0 {
				c.size, c.typ = t.Size(), t
			}
			c.cell = c.cell && r.Exact && t.Size() == c.size && c.size > 0
			if c.typ != nil && !sameKind(t, c.typ) {
				c.typ = nil
			}
		}
	}
	if !c.cell || c.size == 0 {
		c.size, c.typ = 1, nil
	}
}

// sameKind reports whether values of both types have the same representation.
func sameKind(a, b ir.Type) bool { return ir.IsPtr(a) && ir.IsPtr(b) || ir.Equal(a, b) }

// classOf is the class of an access, nil where it touches nothing.
func (m *memory) classOf(a alias.Access) *class {
	if m.unknown {
		return m.classes[0]
	}
	for _, r := range a.Regions {
		return m.of[r]
	}
	return nil
}

// classesOf are the classes of an access to a block of memory.
func (m *memory) classesOf(a alias.Access) []*class {
	if m.unknown {
		return m.classes[:1]
	}
	var out []*class
	for _, c := range m.classes {
		if slices.ContainsFunc(a.Regions, func(r *alias.Region) bool { return m.of[r] == c }) {
			out = append(out, c)
		}
	}
	return out
}

// holding are the classes with regions in an object that satisfies a condition.
func (m *memory) holding(is func(*alias.Object) bool) []*class {
	var out []*class
	for _, c := range m.classes {
		if m.unknown || slices.ContainsFunc(c.in, func(r *alias.Region) bool { return slices.ContainsFunc(r.Objects, is) }) {
			out = append(out, c)
		}
	}
	return out
}

func (c *class) what() string {
	switch {
	case !c.cell:
		return "bytes"
	case c.typ != nil:
		return "cells of " + c.typ.String()
	}
	return "cells"
}

// regions names what the class holds.
func (c *class) regions() string {
	var names []string
	for i, r := range c.in {
		if i == 8 {
			names = append(names, fmt.Sprintf("and %d more", len(c.in)-i))
			break
		}
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
