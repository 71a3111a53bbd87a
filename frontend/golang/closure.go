package golang

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// context says where a closure finds each variable that it captures.
type context struct {
	s *ir.Struct // the function value: code, then what is captured
	// slots gives for each free variable its field, or -1 for variables with a fixed
	// address.
	slots  []int
	global []*ir.Global
	frame  []*frameInfo // the free variable lies in a frame: the slot holds the frame's address
	index  []int        // its field in the frame
}

// fixed returns the global that a captured variable or allocation is, or nil.
func (l *lowering) fixed(v ssa.Value) *ir.Global {
	switch v := v.(type) {
	case *ssa.Alloc:
		return l.lifted[v]
	case *ssa.FreeVar:
		if b := form.Binding(v); b != nil {
			return l.fixed(b)
		}
	}
	return nil
}

// framed returns the frame that a captured variable or allocation lies in, and its field
// there, or nil.
func (l *lowering) framed(v ssa.Value) (*frameInfo, int) {
	switch v := v.(type) {
	case *ssa.Alloc:
		if fi := l.frames[v.Parent()]; fi != nil {
			if i, ok := fi.index[v]; ok {
				return fi, i
			}
		}
	case *ssa.FreeVar:
		if b := form.Binding(v); b != nil {
			return l.framed(b)
		}
	}
	return nil, 0
}

// contextOf computes a closure's context.
func (l *lowering) contextOf(sf *ssa.Function) *context {
	if c := l.ctxs[sf]; c != nil {
		return c
	}
	c := &context{s: l.lay.NewStruct("closure " + l.FuncName(sf))}
	l.ctxs[sf] = c
	c.s.Fields = []ir.Field{{Name: "__func", Type: l.header, Const: true}}
	off := l.header.Bytes
	frameSlot := map[*frameInfo]int{}
	field := func(name string, t ir.Type, size int64) int {
		c.s.Fields = append(c.s.Fields, ir.Field{Name: name, Type: t, Offset: off, Hidden: true, Const: true})
		off += irgen.RoundUp(max(size, 1), 8)
		return len(c.s.Fields) - 1
	}
	for i, v := range sf.FreeVars {
		slot, g := -1, l.fixed(v)
		fi, index := l.framed(v)
		if g == nil && fi != nil {
			n, ok := frameSlot[fi]
			if !ok {
				n = field("__frame", ir.Ptr{Elem: fi.s}, 8)
				frameSlot[fi] = n
			}
			slot = n
		} else if g == nil {
			t := v.Type()
			if l.copied(v) != nil {
				t = form.Deref(t)
			}
			lay := l.lay.Of(t)
			slot = field(fmt.Sprintf("__%d.%s", i, v.Name()), lay.Mem, lay.Size)
		}
		c.slots, c.global, c.frame, c.index = append(c.slots, slot), append(c.global, g), append(c.frame, fi), append(c.index, index)
	}
	c.s.Bytes = off
	for i := range c.s.Fields {
		for j := range i {
			if c.s.Fields[j].Name == c.s.Fields[i].Name {
				c.s.Fields[i].Name = fmt.Sprintf("%s#%d", c.s.Fields[i].Name, i)
			}
		}
	}
	return c
}

// makeClosure makes a function value with what it captures.
func (x *fn) makeClosure(v *ssa.MakeClosure) ir.Expr {
	sf := v.Fn.(*ssa.Function)
	c := x.contextOf(sf)
	code := ir.FuncAddr{Func: x.declare(sf)}
	x.codes = append(x.codes, code.Func)
	if len(c.s.Fields) == 1 {
		g := x.closures[sf]
		if g == nil {
			g = x.NewGlobal("func "+x.FuncName(sf), x.header, x.lowering.Pos(sf.Pos()))
			g.Const = true
			g.Init = x.codeCell(sf.Signature, code.Func)
			x.closures[sf] = g
		}
		return ir.Cast{X: ir.GlobalAddr{Global: g}, T: irgen.FuncT}
	}
	r := x.Reg("&closure", ir.Ptr{Elem: c.s})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: c.s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	at := func(i int) ir.Expr { return ir.FieldAddr{Base: ir.Use{Reg: r}, S: c.s, Index: i} }
	x.putCode(at(0), sf.Signature, code)
	done := map[int]bool{}
	for i, b := range v.Bindings {
		n := c.slots[i]
		if n < 0 || done[n] {
			continue
		}
		done[n] = true
		if fi := c.frame[i]; fi != nil {
			x.Emit(&ir.Store{Base: x.Base(), Addr: at(n), Val: x.frame[fi], Order: ir.Plain})
		} else if x.copied(b) != nil {
			x.Store(form.Deref(b.Type()), at(n), irgen.Value{x.copiedValue(b)}, ir.Plain)
		} else {
			x.Store(b.Type(), at(n), x.Val(b), ir.Plain)
		}
	}
	return ir.Cast{X: ir.Use{Reg: r}, T: irgen.FuncT}
}

// captured finds the captured variables at the start of a closure's body.
func (x *fn) captured(self ir.Expr) {
	c := x.contextOf(x.Sf)
	base := ir.Cast{X: self, T: ir.Ptr{Elem: c.s}}
	for i, v := range x.Sf.FreeVars {
		if g := c.global[i]; g != nil {
			x.vals[v] = irgen.Value{ir.GlobalAddr{Global: g}}
			continue
		}
		at := ir.FieldAddr{Base: base, S: c.s, Index: c.slots[i]}
		fi := c.frame[i]
		if fi == nil && x.copied(v) != nil {
			x.vals[v] = irgen.Value{x.captureCopy(v, at)}
			continue
		}
		if fi == nil {
			x.vals[v] = x.Load(v.Type(), at, ir.Plain)
			continue
		}
		if x.frame[fi] == nil {
			r := x.Reg("&frame", ir.Ptr{Elem: fi.s})
			x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: at, Order: ir.Plain})
			x.frame[fi] = ir.Use{Reg: r}
		}
		x.vals[v] = irgen.Value{ir.FieldAddr{Base: x.frame[fi], S: fi.s, Index: c.index[i]}}
		if x.keptInFrame(v) != nil {
			x.capturedVals[v] = x.Load(form.Deref(v.Type()), x.One(v), ir.Plain)
		}
	}
}

// frameInfo is the frame of a function: the variables that escape, in one object. So a
// lock variable and what it protects are at a fixed distance of each other, as in a
// struct.
type frameInfo struct {
	s      *ir.Struct
	index  map[*ssa.Alloc]int
	leader *ssa.Alloc // allocating it makes the frame
}

// frameAddr is the frame's address; the first allocation of a variable in it makes it.
func (x *fn) frameAddr(fi *frameInfo, v *ssa.Alloc) ir.Expr {
	if v == fi.leader {
		r := x.Reg("&frame", ir.Ptr{Elem: fi.s})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: fi.s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: ""})
		x.frame[fi] = ir.Use{Reg: r}
	}
	return x.frame[fi]
}
