package golang

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/world"
)

// chanClasses says which values of channel types may be the same channel. It unifies what
// flows together, whatever the order (Steensgaard, Points-to analysis in almost linear
// time, POPL 1996), for channels and pointers to them alone: a variable, a member of a
// struct type that has a name, a parameter and a result are one class each. One class an
// element type are those in slices, maps, channels, interfaces, and structs whose type has
// no name (two such types are identical, though their members are declared twice); what
// goes to functions that are called by value, and to package unsafe; and what package
// reflect finds in exported members.
type chanClasses struct {
	parent map[any]any
	// reflects: what the program puts into interfaces may be looked into by reflection that
	// yields what is there: by itself, by templates, and by other modules.
	reflects bool
}

// nthResult is a result of a function or of a call.
type nthResult struct {
	of any
	n  int
}

func findChanClasses(fs []*ssa.Function) *chanClasses {
	c := &chanClasses{parent: map[any]any{}, reflects: reflects(fs)}
	for _, f := range fs {
		if f.Signature.Recv() != nil || f.Synthetic != "" {
			c.byValue(f)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c.instr(in)
			}
		}
	}
	return c
}

// reflects reports whether packages of the program use package reflect, templates, or
// other modules.
func reflects(fs []*ssa.Function) bool {
	asked := map[*types.Package]bool{}
	for _, f := range fs {
		if f.Pkg != nil {
			asked[f.Pkg.Pkg] = true
		}
	}
	for p := range asked {
		for _, q := range p.Imports() {
			switch path := q.Path(); path {
			case "reflect", "text/template", "html/template":
				return true
			default:
				if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !asked[q] {
					return true
				}
			}
		}
	}
	return false
}

// of is the class of a value.
func (c *chanClasses) of(v any) any {
	p, ok := c.parent[v]
	if !ok || p == v {
		return v
	}
	root := c.of(p)
	c.parent[v] = root
	return root
}

func (c *chanClasses) join(a, b any) {
	if x, y := c.of(a), c.of(b); x != y {
		c.parent[x] = y
	}
}

// chanElem is the element type of a channel, or of what a pointer leads to; nil for other
// types.
func chanElem(t types.Type) types.Type {
	for {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Chan:
			return u.Elem()
		}
		return nil
	}
}

// inContainers is the class of channels in slices, maps, channels and interfaces, and of
// those that functions get which are called by value.
func inContainers(elem types.Type) string { return "contained chan " + form.Key(elem) }

// contained joins a value with those in containers.
func (c *chanClasses) contained(v ssa.Value) { c.containedAs(v, v.Type()) }

func (c *chanClasses) containedAs(v any, t types.Type) {
	if e := chanElem(t); e != nil {
		c.join(v, inContainers(e))
	}
}

// flow joins two values where they are channels.
func (c *chanClasses) flow(a, b ssa.Value) {
	e, f := chanElem(a.Type()), chanElem(b.Type())
	switch {
	case e != nil && f != nil:
		c.join(a, b)
	case e != nil:
		c.contained(a)
	case f != nil:
		c.contained(b)
	}
}

// byValue notes that a function may be called by callers that do not name it.
func (c *chanClasses) byValue(f *ssa.Function) {
	for _, p := range f.Params {
		c.contained(p)
	}
	for i := range f.Signature.Results().Len() {
		c.containedAs(nthResult{f, i}, f.Signature.Results().At(i).Type())
	}
}

// member is the class of a member of a struct type.
func member(t types.Type, i int) any {
	f := world.Field(t, i)
	if _, named := types.Unalias(form.Deref(t)).(*types.Named); !named {
		return inContainers(chanElem(f.Type()))
	}
	return f
}

// anything notes that code which is not seen, or does not go by types, may take channels
// out of a value of a type and put others there; exported: out of exported members alone.
func (c *chanClasses) anything(t types.Type, exported bool, seen map[string]bool) {
	if k := form.Key(t); seen[k] || len(seen) > world.MaxBoxedDepth {
		return
	} else {
		seen[k] = true
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		c.anything(u.Key(), exported, seen)
		c.anything(u.Elem(), exported, seen)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		c.anything(u.Elem(), exported, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			if exported && !f.Exported() && !f.Embedded() {
				continue
			}
			if e := chanElem(f.Type()); e != nil {
				c.join(member(t, i), inContainers(e))
			}
			c.anything(f.Type(), exported, seen)
		}
	}
}

func (c *chanClasses) instr(in ssa.Instruction) {
	call, isCall := in.(ssa.CallInstruction)
	for _, op := range in.Operands(nil) {
		f, ok := (*op).(*ssa.Function)
		if _, closure := in.(*ssa.MakeClosure); ok && !closure && !(isCall && op == &call.Common().Value) {
			c.byValue(f)
		}
	}
	if isCall {
		c.call(call)
		return
	}
	switch in := in.(type) {
	case *ssa.Store:
		if chanElem(in.Val.Type()) != nil {
			c.join(in.Addr, in.Val)
		}
	case *ssa.Return:
		for i, r := range in.Results {
			if chanElem(r.Type()) != nil {
				c.join(nthResult{in.Parent(), i}, r)
			}
		}
	case *ssa.MapUpdate:
		c.contained(in.Key)
		c.contained(in.Value)
	case *ssa.Send:
		c.contained(in.X)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Send != nil {
				c.contained(s.Send)
			}
		}
	case ssa.Value:
		c.value(in)
	}
}

// call joins arguments with parameters, and results.
func (c *chanClasses) call(in ssa.CallInstruction) {
	cc := in.Common()
	results := cc.Signature().Results()
	to := cc.StaticCallee()
	if to == nil || len(to.Params) != len(cc.Args) {
		for _, a := range cc.Args {
			c.contained(a)
		}
		if v := in.Value(); v != nil {
			for i := range results.Len() {
				c.containedAs(resultOf(v, results, i), results.At(i).Type())
			}
		}
		return
	}
	for i, a := range cc.Args {
		c.flow(a, to.Params[i])
	}
	if v := in.Value(); v != nil {
		for i := range results.Len() {
			if chanElem(results.At(i).Type()) != nil {
				c.join(resultOf(v, results, i), nthResult{to, i})
			}
		}
	}
}

// resultOf is the nth result of a call.
func resultOf(v *ssa.Call, results *types.Tuple, i int) any {
	if results.Len() == 1 {
		return ssa.Value(v)
	}
	return nthResult{ssa.Value(v), i}
}

// value joins the value of an instruction with what it comes from.
func (c *chanClasses) value(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		f := v.Fn.(*ssa.Function)
		for i, b := range v.Bindings {
			c.flow(b, f.FreeVars[i])
		}
		for _, r := range *v.Referrers() {
			if call, ok := r.(ssa.CallInstruction); !ok || call.Common().Value != v {
				c.byValue(f)
			}
		}
		return
	case *ssa.MakeInterface:
		c.contained(v.X)
		if c.reflects {
			c.anything(v.X.Type(), true, map[string]bool{})
		}
		return
	case *ssa.ChangeType:
		c.converted(v.X.Type(), v.Type())
	case *ssa.Convert:
		if form.IsUnsafe(v.X.Type()) || form.IsUnsafe(v.Type()) {
			c.contained(v.X)
			c.anything(v.X.Type(), false, map[string]bool{})
			c.anything(v.Type(), false, map[string]bool{})
			break
		}
		c.converted(v.X.Type(), v.Type())
	case *ssa.Extract:
		if e := chanElem(v.Type()); e == nil {
			return
		} else if call, ok := v.Tuple.(*ssa.Call); ok {
			c.join(v, nthResult{ssa.Value(call), v.Index})
		} else {
			c.contained(v)
		}
		return
	}
	if chanElem(v.Type()) == nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeChan:
	case *ssa.Phi:
		for _, e := range v.Edges {
			if _, null := e.(*ssa.Const); !null {
				c.flow(v, e)
			}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			c.join(v, v.X)
		} else {
			c.contained(v)
		}
	case *ssa.FieldAddr:
		c.join(v, member(v.X.Type(), v.Field))
	case *ssa.Field:
		c.join(v, member(v.X.Type(), v.Field))
	case *ssa.ChangeType:
		c.flow(v, v.X)
	default:
		c.contained(v)
	}
}

// converted joins the members of two struct types that values are converted between.
func (c *chanClasses) converted(from, to types.Type) {
	t, ok := form.Deref(to).Underlying().(*types.Struct)
	if _, same := form.Deref(from).Underlying().(*types.Struct); !ok || !same {
		return
	}
	for i := range t.NumFields() {
		if chanElem(t.Field(i).Type()) != nil {
			c.join(member(to, i), member(from, i))
		}
	}
}
