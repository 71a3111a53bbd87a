package lockuse

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/diag"
)

// nilChannels looks for sends to and receives from channels that are nil: members of
// structs and variables that are not exported and that no store ever puts a channel into.
// A select may have nil channels on purpose.
type nilChannels struct {
	*blockers
	// made are the members and package-level variables that something but nil is stored
	// to, or whose address goes elsewhere.
	made map[string]bool
	// allocated are the struct types of which the program makes values.
	allocated map[string]bool
	// converted are struct types that values of other types are converted to.
	converted map[string]bool
}

func nils(b *blockers) {
	n := &nilChannels{blockers: b, made: map[string]bool{}, converted: map[string]bool{}, allocated: map[string]bool{}}
	for _, f := range b.funcs {
		for _, blk := range f.Blocks {
			for _, in := range blk.Instrs {
				n.note(in)
			}
		}
	}
	for _, f := range b.funcs {
		p := packageOf(f)
		if p == nil || !b.given[p] || f.Syntax() == nil || imports(p.Pkg, "unsafe") {
			continue
		}
		for _, blk := range f.Blocks {
			for _, in := range blk.Instrs {
				n.check(in)
			}
		}
	}
}

func imports(p *types.Package, path string) bool {
	for _, i := range p.Imports() {
		if i.Path() == path {
			return true
		}
	}
	return false
}

// note looks at what an instruction does with the addresses of members and variables.
func (n *nilChannels) note(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		n.allocated[structName(in.Type())] = true
	case *ssa.ChangeType:
		n.converted[structName(in.Type())] = true
		return
	case *ssa.UnOp, *ssa.DebugRef:
		return
	case *ssa.Store:
		if c, ok := in.Val.(*ssa.Const); ok && c.Value == nil && isChan(in.Val.Type()) {
			return
		}
		n.made[memberKey(in.Addr)] = true
		n.made[memberKey(in.Val)] = true
		return
	}
	for _, op := range in.Operands(nil) {
		if *op != nil {
			n.made[memberKey(*op)] = true
		}
	}
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// structName names a struct type, or what a pointer leads to; all instances of a generic
// one have the same name.
func structName(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return types.TypeString(n.Origin(), nil)
	}
	return types.TypeString(t, nil)
}

// memberKey names the member or package-level variable at an address, "" for others.
func memberKey(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Global:
		return v.String()
	case *ssa.FieldAddr:
		return structName(v.X.Type()) + "." + fieldOfAddr(v).Name()
	}
	return ""
}

func fieldOfAddr(v *ssa.FieldAddr) *types.Var {
	return v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(v.Field)
}

// check reports a send to or a receive from a channel that is nil.
func (n *nilChannels) check(in ssa.Instruction) {
	var ch ssa.Value
	what := "send to"
	switch in := in.(type) {
	case *ssa.Send:
		ch = in.Chan
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			ch, what = in.X, "receive from"
		}
	}
	load, ok := ch.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !n.isNil(load.X) {
		return
	}
	name, at := pathOf(ch), n.src.Position(in.Pos())
	key := memberKey(load.X) // once for each member
	if key == "" {
		key = at.String()
	}
	if key = ruleNil + key; !n.seen[key] {
		n.seen[key] = true
		n.out = append(n.out, diag.Finding{Kind: ruleNil, Level: diag.Warning, Pos: at, Function: nameOf(in.Parent()), Subject: name,
			Message: name + " is never made: a " + what + " a nil channel waits for ever"})
	}
}

// isNil reports whether the channel at an address is surely nil.
func (n *nilChannels) isNil(addr ssa.Value) bool {
	switch v := addr.(type) {
	case *ssa.Global:
		return !v.Object().Exported() && !n.made[memberKey(v)]
	case *ssa.FieldAddr:
		named, ok := types.Unalias(v.X.Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
		f := fieldOfAddr(v)
		t := structName(v.X.Type())
		return ok && named.TypeArgs().Len() == 0 && !f.Exported() && n.sourced(f.Pkg()) && n.allocated[t] && !n.made[memberKey(v)] && !n.converted[t]
	case *ssa.Alloc:
		_, stores := storesTo(v)
		return stores == 0
	case *ssa.FreeVar:
		a, ok := captured(v).(*ssa.Alloc)
		return ok && n.isNil(a)
	}
	return false
}

// sourced reports whether a package has bodies.
func (n *nilChannels) sourced(p *types.Package) bool {
	for _, q := range n.src.Packages {
		if q.SSA.Pkg == p {
			return true
		}
	}
	return false
}

// captured is the variable that a closure captures, where one instruction makes the
// closure; or nil.
func captured(v *ssa.FreeVar) ssa.Value {
	f := v.Parent()
	if f.Parent() == nil {
		return nil
	}
	var out ssa.Value
	for _, b := range f.Parent().Blocks {
		for _, in := range b.Instrs {
			m, ok := in.(*ssa.MakeClosure)
			if !ok || m.Fn != f {
				continue
			}
			if out != nil {
				return nil
			}
			for i, fv := range f.FreeVars {
				if fv == v {
					out = m.Bindings[i]
				}
			}
		}
	}
	if fv, ok := out.(*ssa.FreeVar); ok {
		return captured(fv)
	}
	return out
}
