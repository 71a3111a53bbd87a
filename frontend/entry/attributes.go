package entry

import (
	"slices"
	"strings"

	"whoop/ir"
)

// Attributes of sysfs. Removing them waits for those who read or write them, so that what
// runs after that is alone. Which attributes a call removes is seen where it names a
// variable that leads to them, and where all attributes of a function are among those.

// attributeTable reports whether a struct holds the functions of attributes.
func attributeTable(s string) bool {
	return strings.HasSuffix(s, "_attribute") && s != "configfs_attribute"
}

// removed are the variables that an expression leads to: the one that it is the address
// of, and those that initialisers lead to from there.
func removed(e ir.Expr) map[*ir.Global]bool {
	out := map[*ir.Global]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if a, ok := e.(ir.GlobalAddr); ok && !out[a.Global] {
				out[a.Global] = true
				for _, c := range a.Global.Init {
					visit(c.Value)
				}
			}
			return true
		})
	}
	for {
		switch x := e.(type) {
		case ir.Cast:
			e = x.X
			continue
		case ir.GlobalAddr, ir.FieldAddr, ir.IndexAddr:
			visit(e)
		}
		return out
	}
}

// attributesIn reports whether all roles of e are attributes in some of the variables.
func (x *inferrer) attributesIn(e *ir.Entry, in map[*ir.Global]bool) bool {
	names := map[string]bool{}
	for g := range in {
		names[g.Name] = true
	}
	return len(x.roles[e.Func]) > 0 && !slices.ContainsFunc(x.roles[e.Func], func(r role) bool {
		return r.table == nil || !attributeTable(r.table.Struct) || !names[r.global]
	})
}

// attribute makes an Unregister of attributes stop none, unless all attributes of the
// program are among those that it names.
func (x *inferrer) attribute(in *ir.Unregister) bool {
	if !slices.ContainsFunc(in.Kinds, attributeTable) {
		return false
	}
	gone := removed(in.Obj)
	for _, e := range x.p.Entries {
		if ir.Covers(in.Kinds, e.Kind) && !x.attributesIn(e, gone) {
			in.Kinds = []string{noKind}
			break
		}
	}
	return true
}

// withDriver excludes the attributes that the driver core adds by itself (dev_groups of a
// driver): after it has probed a device, and until it removes it.
func (x *inferrer) withDriver() {
	used := map[*ir.Global]bool{}
	for _, s := range x.cg.sites {
		for _, e := range ir.Operands(s.in) {
			for g := range mentioned(e) {
				used[g] = true
			}
		}
	}
	for _, g := range x.p.Globals {
		for _, c := range g.Init {
			if !memberAt(g.Type, c.Offset, "dev_groups") {
				continue
			}
			groups := removed(c.Value)
			for a := range groups {
				if used[a] {
					groups = nil
					break
				}
			}
			for _, e := range x.p.Entries {
				for _, d := range x.p.Entries {
					if groups != nil && x.attributesIn(e, groups) && x.ofDriver(d, g) {
						x.p.Exclusions = append(x.p.Exclusions, ir.Exclusion{A: e.Name, B: d.Name, Reason: "the driver core adds the attributes of dev_groups after it has probed a device, and takes them away before it removes it"})
					}
				}
			}
		}
	}
}

// mentioned are the variables of which an expression has the address.
func mentioned(e ir.Expr) map[*ir.Global]bool {
	out := map[*ir.Global]bool{}
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if a, ok := e.(ir.GlobalAddr); ok {
			out[a.Global] = true
		}
		return true
	})
	return out
}

// memberAt reports whether a member of some name lies at an offset of t, at any depth.
func memberAt(t ir.Type, off int64, name string) bool {
	found := false
	paths(t, off, 0, nil, func(path []step) bool {
		last := path[len(path)-1]
		found = found || last.s.Fields[last.index].Name == name
		return false
	})
	return found
}

// ofDriver reports whether all that d is are the members of g that set a device up or end
// it.
func (x *inferrer) ofDriver(d *ir.Entry, g *ir.Global) bool {
	return len(x.roles[d.Func]) > 0 && !slices.ContainsFunc(x.roles[d.Func], func(r role) bool {
		return r.global != g.Name || !r.init && !r.exit
	})
}
