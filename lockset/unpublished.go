package lockset

import (
	"fmt"
	"sort"
	"strings"

	"whoop/ir"
)

// While an initialisation entry has not registered what another entry needs to run, the two do not overlap. The
// pseudo-lock "quiet" says so along paths: registering may fail, and what comes after a failure is still alone.

// unpublished is the meaning of one pseudo-lock "quiet": entry holds it, until one of starts, and again from one of stops on.
type unpublished struct {
	entry  *ir.Entry
	starts map[ir.Instr]bool
	stops  map[ir.Instr]bool
}

// quietLocks makes a pseudo-lock for each initialisation entry and each set of entries that it registers together.
func (l *locks) quietLocks() {
	l.quiet = map[[2]*ir.Entry]*guard{}
	for i, a := range l.f.p.Entries {
		for _, b := range l.f.p.Entries {
			regs, ok := l.f.mh.Registers(a, b)
			if !ok {
				continue
			}
			c := &unpublished{entry: a, starts: map[ir.Instr]bool{}, stops: map[ir.Instr]bool{}}
			var key []string
			for _, in := range regs {
				c.starts[in] = true
				key = append(key, fmt.Sprintf("%p", in))
			}
			for _, in := range l.f.mh.Unregisters(a, b) {
				c.stops[in] = true
				key = append(key, fmt.Sprintf("%p", in))
			}
			sort.Strings(key)
			name := fmt.Sprintf("quiet:%d:%s", i, strings.Join(key, ","))
			fn := l.fns[name]
			if fn == nil {
				fn = l.fn(name, "not registered yet", nil, nil, nil)
				for m, h := range fn.held {
					h.Name = fmt.Sprintf("$quiet.%d.%d", fn.id, m) // the key has addresses, which differ from run to run
				}
				fn.pseudo, fn.unpublished = "quiet", c
				l.global = append(l.global, fn)
			}
			l.quiet[[2]*ir.Entry{a, b}] = fn
		}
	}
}

// settles gives the value of a pseudo-lock "quiet" after an instruction that changes it.
func (x *instrumenter) settles(in ir.Instr, fn *guard) (held, changes bool) {
	if fn.unpublished == nil || fn.unpublished.entry != x.entry {
		return false, false
	}
	o := x.seq.Origin[in].Instr
	return fn.unpublished.stops[o], fn.unpublished.starts[o] || fn.unpublished.stops[o]
}

// quiet reports whether s is reached before t's entry can run.
func (j *comparer) quiet(s, t *site) bool {
	fn := j.l.quiet[[2]*ir.Entry{s.entry, t.entry}]
	return fn != nil && s.held[fn] != ""
}
