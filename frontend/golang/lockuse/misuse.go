package lockuse

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/diag"
)

// misuse looks for operations on WaitGroups and channels that nothing orders although
// they must be: in a goroutine, and in the function that starts it, after that, or in
// another goroutine that it starts.
type misuse struct {
	*blockers
	x explorer
}

func (m *misuse) function(f *ssa.Function) {
	s := scope{f: f}
	m.x.left = maxWork
	var spawns []spawn
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if sp := s.spawnOf(in); sp.f != nil {
				spawns = append(spawns, sp)
			}
		}
	}
	for _, sp := range spawns {
		inside := m.x.events(sp.scope, nil, 0)
		if len(inside) == 0 {
			continue
		}
		m.pairs(sp, inside, m.x.events(s, sp.in, 0))
		for _, other := range spawns {
			if other.in == sp.in || !reaches(sp.in, other.in, nil) || m.orderedBetween(f, sp.in, other.in) {
				continue
			}
			var later []event
			for _, e := range m.x.events(other.scope, nil, 0) {
				if e.kind != "wait" && reaches(sp.in, other.in, e.object.root) {
					later = append(later, e)
				}
			}
			m.pairs(sp, inside, later)
		}
	}
}

// orderedBetween reports whether something between two instructions may wait for others.
func (m *misuse) orderedBetween(f *ssa.Function, a, b ssa.Instruction) bool {
	for _, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			if m.x.ordersHere(in) && reaches(a, in, nil) && reaches(in, b, nil) {
				return true
			}
		}
	}
	return false
}

// pairs reports the events of a goroutine that are wrong together with those that may
// come at the same time.
func (m *misuse) pairs(sp spawn, inside, outside []event) {
	for _, a := range inside {
		for _, b := range outside {
			if a.ordered || b.ordered || !a.object.known() || a.object != b.object || isOwn(a, sp.f) {
				continue
			}
			switch kinds := a.kind + " " + b.kind; {
			case kinds == "add wait" && !m.countedBefore(sp, a):
				m.report(ruleAdd, a, b, "is added to in the goroutine that counts, while it may be waited for already: Wait may end too early; Add before the go statement", "the Wait")
			case kinds == "send close" && (a.always || b.always):
				m.report(ruleSend, b, a, "is closed while another goroutine may send to it, which panics", "the send")
			case kinds == "close send" && (a.always || b.always):
				m.report(ruleSend, a, b, "is closed while another goroutine may send to it, which panics", "the send")
			case kinds == "close close" && a.always && b.always && !a.once && !b.once:
				m.report(ruleClose, b, a, "is closed by two goroutines, the second of which panics", "the other close")
			}
		}
	}
}

// isOwn reports whether the object of an event is made in the goroutine's own function.
func isOwn(e event, f *ssa.Function) bool {
	in, ok := e.object.root.(ssa.Instruction)
	return ok && in.Parent() == f
}

// countedBefore reports whether the WaitGroup of an Add may be more than 0 when the
// goroutine starts: the function that starts it adds before it does, or, where the group
// is not its own, anybody adds elsewhere.
func (m *misuse) countedBefore(sp spawn, e event) bool {
	f := sp.in.Parent()
	for _, o := range m.x.events(scope{f: f}, nil, 0) {
		if o.kind == "add" && o.object == e.object {
			return true
		}
	}
	if a, ok := e.object.root.(*ssa.Alloc); ok && a.Parent() == f {
		return false
	}
	for _, g := range m.funcs {
		for _, o := range m.addsIn(g) {
			if g != e.fn && o == fieldOf(e) {
				return true
			}
		}
	}
	return false
}

// addsIn lists the members, or variables, that a function adds to.
func (m *misuse) addsIn(f *ssa.Function) []string {
	var out []string
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if cc := callOf(in); cc != nil {
				if g := cc.StaticCallee(); g != nil && fullName(g) == "(*sync.WaitGroup).Add" {
					out = append(out, memberName(cc.Args[0]))
				}
			}
		}
	}
	return out
}

// fieldOf is the member or variable that an event is on.
func fieldOf(e event) string {
	for _, b := range e.fn.Blocks {
		for _, in := range b.Instrs {
			if cc := callOf(in); cc != nil && in.Pos() == e.at && len(cc.Args) > 0 {
				return memberName(cc.Args[0])
			}
		}
	}
	return ""
}

// memberName names an address by its struct type and member, so that all objects of the
// type have the same; "" for others.
func memberName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Global:
		return v.String()
	case *ssa.FieldAddr:
		return fmt.Sprintf("%s.%d", types.TypeString(v.X.Type(), nil), v.Field)
	}
	return ""
}

func (m *misuse) report(kind string, at, other event, what, related string) {
	if m.x.left <= 0 {
		return
	}
	name := subject(at)
	pos := m.src.Position(at.at)
	msg := name + " " + what
	if key := kind + pos.String(); !m.seen[key] {
		m.seen[key] = true
		m.out = append(m.out, diag.Finding{Kind: kind, Level: diag.Warning, Pos: pos, Function: nameOf(at.fn), Subject: name, Message: msg,
			Related: []diag.Related{{Pos: m.src.Position(other.at), Message: related}}})
	}
}

// subject is the name in the source of what an event is on.
func subject(e event) string {
	for _, b := range e.fn.Blocks {
		for _, in := range b.Instrs {
			if in.Pos() != e.at {
				continue
			}
			if s, ok := in.(*ssa.Send); ok {
				return pathOf(s.Chan)
			}
			if cc := callOf(in); cc != nil && len(cc.Args) > 0 {
				return pathOf(cc.Args[0])
			}
		}
	}
	return "it"
}
