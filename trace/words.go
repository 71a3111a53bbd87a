package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// note adds a step to the execution, if it is of interest.
func (p *player) note(id interp.ThreadID, ev *interp.Event, sw, could bool) {
	begins := sw || len(p.x.Steps) == 0
	if begins {
		p.fill()
	}
	text := ""
	if !p.inside(id, ev) {
		text = p.words(ev)
		if what := p.named(ev); what != "" {
			text = what
			p.sections[id] = len(p.x.Steps)
		}
	}
	if text == "" && !begins {
		return
	}
	if begins {
		p.turn, p.idle = len(p.x.Steps), "goes on"
		if ev.Kind == interp.Start {
			p.idle = "starts"
		}
	}
	s := Step{Thread: id, Pos: ev.Pos(), Text: text, Switch: sw, Preempted: could, From: p.last}
	if ev.Func != nil {
		s.Func = ev.Func.Name
	}
	for _, h := range p.s.Held(id) {
		n := p.object(h.Addr)
		if h.Mode == ir.Shared {
			n += " (shared)"
		}
		s.Locks = append(s.Locks, n)
	}
	p.x.Steps = append(p.x.Steps, s)
}

// fill gives a turn a text in which there was nothing to say.
func (p *player) fill() {
	if p.quiet || p.turn >= len(p.x.Steps) {
		return
	}
	for _, s := range p.x.Steps[p.turn:] {
		if s.Text != "" {
			return
		}
	}
	p.x.Steps[p.turn].Text = p.idle
}

// allocated is how the interpreter names objects that no variable names.
var allocated = regexp.MustCompile(`the object allocated at ([^ ]*[/\\])?([^/\\ ]+):(\d+):\d+`)

// describe names a place in memory. An object that no variable names is called by its
// type and the line that allocates it, which is enough in a column: logdev@101. Further
// objects of that line are logdev@101#2 and so on, in the order in which they are met.
func (p *player) describe(a interp.Addr) string {
	name := p.s.Describe(a)
	at := allocated.FindStringSubmatchIndex(name)
	if at == nil || a.Object() == 0 {
		return name
	}
	site, what := name[at[0]:at[1]], "memory"
	if in := p.s.Within(a); len(in) > 0 && in[0].Name != "" {
		what = strings.TrimPrefix(in[0].Name, "struct ")
	}
	label := what + "@" + name[at[6]:at[7]]
	if p.objects == nil {
		p.objects = map[string][]interp.ObjID{}
	}
	known := p.objects[site]
	n := slices.Index(known, a.Object())
	if n < 0 {
		n = len(known)
		p.objects[site] = append(known, a.Object())
	}
	if n > 0 {
		label += fmt.Sprintf("#%d", n+1)
	}
	return name[:at[0]] + label + name[at[1]:]
}

// object names a lock or the like: what is inside one is nobody's business.
func (p *player) object(a interp.Addr) string {
	n := p.describe(a)
	for _, inner := range []string{".__", "._Prv"} {
		n, _, _ = strings.Cut(n, inner)
	}
	return n
}

// words says what a step did; "" where nobody else notices.
func (p *player) words(ev *interp.Event) string {
	switch ev.Kind {
	case interp.Failure:
		if e := p.s.Err(); e != nil {
			return e.Msg
		}
		return "fails"
	case interp.End:
		return "ends"
	case interp.Start:
		return ""
	}
	var out []string
	for _, o := range ev.Sync {
		if w := p.syncWords(o); w != "" {
			out = append(out, w)
		}
	}
	// nobody knows the library's own variables
	if _, lib := Library(ev.Pos()); ev.Kind != interp.Local && !lib {
		for _, a := range ev.Accesses {
			if w := p.accessWords(ev.Instr, a); w != "" {
				out = append(out, w)
			}
		}
	}
	return strings.Join(out, ", ")
}

// Library is the package of Go's library that a place belongs to. Package stdgo has
// written what it does, so that its lines are not those of the library.
func Library(at ir.Pos) (name string, ok bool) {
	name, ok = strings.CutPrefix(at.File, "stdgo/")
	return strings.TrimSuffix(name, ".go"), ok
}

func (p *player) accessWords(in ir.Instr, a interp.Access) string {
	name := p.describe(a.Addr)
	v := p.value(in, a)
	if p.internal(name, v) {
		return ""
	}
	if _, free := in.(*ir.Free); free && v == "" && a.Write {
		if base, _, heap := strings.Cut(name, "@"); heap {
			line, _, _ := strings.Cut(name[len(base):], ".") // without the first member
			name = base + line
		}
		return "frees " + name
	}
	if v == "" {
		if a.Write {
			return fmt.Sprintf("writes %d bytes of %s", a.Size, name)
		}
		return fmt.Sprintf("reads %d bytes of %s", a.Size, name)
	}
	if a.Write {
		return name + " := " + v
	}
	return name + " is " + v
}

// value formats what was read or written as its type asks; "" for blocks.
func (p *player) value(in ir.Instr, a interp.Access) string {
	t := ir.CellType(in)
	if _, ok := in.(*ir.Spawn); ok {
		return fmt.Sprint(a.Value)
	}
	if t == nil {
		return ""
	}
	switch t := t.(type) {
	case ir.Int:
		return number(a.Value, t)
	case ir.Ptr:
		if a.Value == 0 {
			return "null"
		}
		n := p.describe(interp.Addr(a.Value))
		if interp.Addr(a.Value).Offset() == 0 { // the object rather than its first member
			n, _, _ = strings.Cut(n, ".")
		}
		return "&" + n
	}
	return "some value"
}

func (p *player) syncWords(o interp.SyncOp) string {
	what := ""
	if o.Addr != 0 {
		what = " " + p.object(o.Addr)
	}
	switch o.Kind {
	case interp.SyncAcquire:
		return "takes" + what
	case interp.SyncRelease:
		return "releases" + what
	case interp.SyncTryFailed:
		return "does not get" + what
	case interp.SyncInit:
		return "initialises" + what
	case interp.SyncDestroy:
		return "destroys" + what
	case interp.SyncWait:
		return "waits at" + what
	case interp.SyncWake:
		if o.Other < 0 {
			return "wakes nobody at" + what
		}
		return fmt.Sprintf("wakes T%d at%s", o.Other, what)
	case interp.SyncTimeout:
		return "gives up waiting"
	case interp.SyncPost:
		if p.completion(o.Addr) {
			return "completes" + what
		}
		return "posts" + what
	case interp.SyncTake:
		if p.completion(o.Addr) {
			return "finds" + what + " completed"
		}
		return "takes" + what
	case interp.SyncArrive:
		return "arrives at" + what
	case interp.SyncPass:
		return fmt.Sprintf("T%d passes%s", o.Other, what)
	case interp.SyncOnceBegin:
		return "begins once" + what
	case interp.SyncOnceEnd:
		return "has done once" + what
	case interp.SyncOnceSeen:
		return "finds once" + what + " done"
	case interp.SyncFence:
		return "passes a fence"
	case interp.SyncDetach:
		return fmt.Sprintf("detaches T%d", o.Other)
	case interp.SyncSpawn:
		return fmt.Sprintf("creates T%d", o.Other)
	case interp.SyncJoin:
		return fmt.Sprintf("joins T%d", o.Other)
	case interp.SyncAtomicBegin:
		return "begins an atomic section"
	case interp.SyncAtomicEnd:
		return "ends it"
	case interp.SyncMask:
		return "masks " + o.Class
	case interp.SyncUnmask:
		return "unmasks " + o.Class
	case interp.SyncRegister:
		return "registers with " + o.Class
	case interp.SyncUnregister:
		return "unregisters with " + o.Class
	}
	return ""
}

// number formats an integer as its type asks.
func number(v uint64, t ir.Int) string {
	if t.Signed && t.Bits <= 64 {
		return fmt.Sprint(int64(v<<(64-t.Bits)) >> (64 - t.Bits))
	}
	return fmt.Sprint(v)
}
