package lockset

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"whoop/ir"
	"whoop/lockset/permission"
)

// While an initialisation entry has not registered what another entry needs to run, the
// two do not overlap. The resource "not registered yet" says so along paths: registering
// may fail, and what comes after a failure is still alone.

// unpublished is the theory of that: entry has all of it, until one of starts, and again
// from one of stops on.
type unpublished struct {
	entry  *ir.Entry
	starts map[ir.Instr]bool
	stops  map[ir.Instr]bool
}

// quietLocks makes a resource for each initialisation entry and each set of entries that
// it registers together.
func (l *locks) quietLocks() {
	l.quiet = map[[2]*ir.Entry][]*guard{}
	for i, a := range l.f.p.Entries {
		for _, b := range l.f.p.Entries {
			var fns []*guard
			for _, o := range l.f.mh.Objects(b) {
				fn := l.quietLock(i, a, b, o)
				if fn == nil {
					fns = nil
					break
				}
				fns = append(fns, fn)
			}
			if len(fns) > 0 {
				l.quiet[[2]*ir.Entry{a, b}] = fns
			}
		}
	}
}

// quietLock is the resource for one of the objects that b runs for.
func (l *locks) quietLock(i int, a, b *ir.Entry, object string) *guard {
	regs, ok := l.f.mh.Registers(a, b, object)
	if !ok {
		return nil
	}
	c := &unpublished{entry: a, starts: map[ir.Instr]bool{}, stops: map[ir.Instr]bool{}}
	var key []string
	for _, in := range regs {
		c.starts[in] = true
		key = append(key, fmt.Sprintf("%p", in))
	}
	for _, in := range l.f.mh.Unregisters(a, b, object) {
		c.stops[in] = true
		key = append(key, fmt.Sprintf("%p", in))
	}
	sort.Strings(key)
	name := fmt.Sprintf("quiet:%d:%s", i, strings.Join(key, ","))
	fn := l.fns[name]
	if fn == nil {
		fn = l.token(name, "not registered yet", nil, c)
		for m, h := range fn.Held {
			// the key has addresses, which differ from run to run
			h.Name = fmt.Sprintf("$quiet.%d.%d", fn.id, m)
		}
		l.global = append(l.global, fn)
	}
	return fn
}

func (*unpublished) traits() traits { return traits{hidden: true} }

func (c *unpublished) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	if c.entry == x.entry {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

func (c *unpublished) transfers(x *instrumenter, in ir.Instr, _ *guard) []permission.Transfer {
	switch in.(type) {
	case *ir.Register, *ir.Unregister:
	default:
		return nil
	}
	o := x.seq.Origin[in].Instr
	switch {
	case c.entry != x.entry:
	case c.stops[o]:
		return []permission.Transfer{permission.Gets(permission.Full, nil)}
	case c.starts[o]:
		return []permission.Transfer{permission.Loses()}
	}
	return nil
}

// quiet reports whether s is reached before t's entry can run.
func (j *comparer) quiet(s, t *site) bool {
	fns := j.l.quiet[[2]*ir.Entry{s.entry, t.entry}]
	return len(fns) > 0 && !slices.ContainsFunc(fns, func(fn *guard) bool { return s.held[fn] == "" })
}
