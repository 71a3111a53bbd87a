package lockuse

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// methodCloses looks for two exported methods of an exported type with a lock, so meant
// for concurrent use, that always close the same member, and do nothing before that could
// tell them of each other. Members that are made anew by methods are left alone.
func (m *misuse) methodCloses() {
	first := map[string]event{}
	for _, f := range m.funcs {
		recv := f.Signature.Recv()
		p := packageOf(f)
		if recv == nil || p == nil || !m.given[p] || f.Syntax() == nil || f.Object() == nil || !f.Object().Exported() {
			continue
		}
		c := &copies{held: map[types.Type]string{}}
		pt, ok := recv.Type().Underlying().(*types.Pointer)
		if !ok || c.lockIn(pt.Elem()) == "" {
			continue
		}
		m.x.left = maxWork
		for _, e := range m.x.events(scope{f: f}, nil, 0) {
			if e.kind != "close" || e.ordered || e.once || !e.always || e.object.root != f.Params[0] || m.remade(e) {
				continue
			}
			key := structName(recv.Type()) + strings.Replace(e.object.path, fmt.Sprintf("%p", f.Params[0]), "", 1)
			if other, ok := first[key]; !ok {
				first[key] = e
			} else if other.at != e.at {
				m.report(ruleClose, e, other, "is closed by two methods, the second of which panics", "the other close")
			}
		}
	}
}

// remade reports whether something stores to the member that an event is on, but to a new
// object.
func (m *misuse) remade(e event) bool {
	name := fieldLoaded(e)
	for _, f := range m.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*ssa.Store)
				if !ok || memberKey(s.Addr) != name {
					continue
				}
				if _, fresh := s.Addr.(*ssa.FieldAddr).X.(*ssa.Alloc); !fresh {
					return true
				}
			}
		}
	}
	return name == ""
}

// fieldLoaded is the member that holds the channel that an event closes.
func fieldLoaded(e event) string {
	for _, b := range e.fn.Blocks {
		for _, in := range b.Instrs {
			if cc := callOf(in); cc != nil && in.Pos() == e.at && len(cc.Args) > 0 {
				if load, ok := cc.Args[0].(*ssa.UnOp); ok {
					if _, member := load.X.(*ssa.FieldAddr); member {
						return memberKey(load.X)
					}
				}
			}
		}
	}
	return ""
}
