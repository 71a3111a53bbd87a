package trace

import (
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// An Await that says what it does stands for its whole section: what happens inside is
// how the operation is represented, and not shown, but for the value that goes into or
// out of a buffer.

// named is the operation that a step begins, "" for none.
func (p *player) named(ev *interp.Event) string {
	a, ok := ev.Instr.(*ir.Await)
	if !ok || a.What == "" {
		return ""
	}
	for _, o := range ev.Sync {
		if o.Kind == interp.SyncAtomicBegin {
			return p.about(a, o.Addr)
		}
	}
	return ""
}

// about says what an Await does, and with what.
func (p *player) about(a *ir.Await, at interp.Addr) string {
	if len(a.Addrs) == 0 {
		return a.What
	}
	return a.What + " " + p.object(at)
}

// inside handles the steps of a named section; false for others, and for what goes wrong.
func (p *player) inside(id interp.ThreadID, ev *interp.Event) bool {
	k, ok := p.sections[id]
	if !ok || ev.Kind == interp.Failure {
		return false
	}
	for _, o := range ev.Sync {
		if o.Kind == interp.SyncAtomicEnd {
			delete(p.sections, id)
		}
	}
	if k < 0 || k >= len(p.x.Steps) || strings.Contains(p.x.Steps[k].Text, ": ") {
		return true
	}
	for _, a := range ev.Accesses {
		if strings.Contains(p.describe(a.Addr), ".__buffer[") {
			if v := p.value(ev.Instr, a); v != "" {
				p.x.Steps[k].Text += ": " + v
				break
			}
		}
	}
	return true
}

// hold notes which locks that are no locks to the interpreter a thread holds, by the
// words of what it does.
func (p *player) hold(id interp.ThreadID, a *ir.Await, at interp.Addr, pos ir.Pos) {
	verb, _, _ := strings.Cut(a.What, " ")
	switch verb {
	case "locks", "read-locks":
		p.locked = append(p.locked, locked{id, at, p.object(at), pos})
	case "unlocks", "read-unlocks":
		for i := len(p.locked) - 1; i >= 0; i-- {
			if l := p.locked[i]; l.name == p.object(at) && (l.thread == id || verb == "unlocks") {
				p.locked = append(p.locked[:i:i], p.locked[i+1:]...)
				return
			}
		}
	}
}

// locked is a lock that a thread holds.
type locked struct {
	thread interp.ThreadID
	at     interp.Addr
	name   string
	pos    ir.Pos
}

// internal reports whether a cell of a Go program is one that the source has not, or a
// variable that leads to the object called like it.
func (p *player) internal(name, value string) bool {
	if !p.s.Program().IR.TypeSafe {
		return false
	}
	if strings.Contains(name, ".__") || strings.HasPrefix(name, "__") || strings.HasSuffix(name, "init$guard") || strings.HasPrefix(name, "varargs") || strings.HasPrefix(name, "complit") {
		return true
	}
	last := name[strings.LastIndex(name, ".")+1:]
	return value == "&"+last
}
