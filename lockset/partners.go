package lockset

import (
	"slices"
	"sync"

	"whoop/analysis/alias"
	"whoop/ir"
)

// partners tells which accesses have one that they may race with, if nothing orders them:
// only for those it is worth asking which locks are held. Accesses are compared by
// classes: thousands of instructions are alike in all that matters.
type partners struct {
	f    *facts
	want map[[2]string]bool
	open *Open
	// whole are the regions whose accesses theories hold against each other: of these all
	// accesses count that may race, whichever pairs are asked for.
	whole map[*alias.Region]bool
	// late is why there is no time left for anything; nil: it never is.
	late func() error

	mu      sync.Mutex // entry points are summarised at the same time
	numbers map[useClass]int
	uses    []use              // one of each class
	of      map[*cluster][]int // the classes of a cluster's uses
	meet    map[uint64]bool    // by meeting
	found   map[partnerKey]bool
	lists   map[listKey][]*alias.Region // see some
}

// useClass is what decides whether a use may race with another on a region that both
// touch.
type useClass struct {
	entry         *ir.Entry
	place         ir.Instr
	part          int
	write, atomic bool
	use, ends     bool
	open          int // see Open
}

type partnerKey struct {
	class  int
	region *alias.Region
}

// listKey asks which of a list of regions some use of a class may race on.
type listKey struct {
	class int
	list  list
}

// meeting is a question about two classes of uses, as a number: of all pairs, or of those
// asked for.
func meeting(c, d int, whole bool) uint64 {
	k := uint64(min(c, d))<<32 | uint64(max(c, d))<<1
	if whole {
		k |= 1
	}
	return k
}

func newPartners(f *facts, l *locks, pairs []string, open *Open) *partners {
	p := &partners{f: f, want: wanted(pairs), open: open, numbers: map[useClass]int{},
		of: map[*cluster][]int{}, meet: map[uint64]bool{}, found: map[partnerKey]bool{},
		lists: map[listKey][]*alias.Region{},
		whole: map[*alias.Region]bool{}}
	for _, g := range l.list {
		if t, ok := g.theory.(voider); ok && t.depends() != nil {
			p.whole[t.depends()] = true
		}
	}
	return p
}

// some lists the regions on which an access of an entry may race with some other, and
// gives its class.
func (p *partners) some(u use, rs []*alias.Region) ([]*alias.Region, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.class(u)
	k := listKey{c, listOf(rs)}
	out, known := p.lists[k]
	if !known {
		out = p.those(c, rs)
		p.lists[k] = out
	}
	return out, c
}

// those are the regions of a list on which some use may race with those of a class. Nobody
// changes it.
func (p *partners) those(c int, rs []*alias.Region) []*alias.Region {
	for i, r := range rs {
		if p.has(c, r) {
			continue
		}
		out := append([]*alias.Region{}, rs[:i]...)
		for _, r := range rs[i+1:] {
			if p.has(c, r) {
				out = append(out, r)
			}
		}
		return out
	}
	return rs
}

func (p *partners) class(u use) int {
	k := useClass{u.entry, p.f.mh.Place(u.entry, u.in), p.f.apart.Class(u.entry, u.in, *u.acc),
		u.acc.Write, u.acc.Order.Atomic(), u.acc.Use, u.acc.Ends, p.open.class(u.entry, u.in)}
	n, ok := p.numbers[k]
	if !ok {
		n = len(p.uses)
		p.numbers[k] = n
		p.uses = append(p.uses, u)
	}
	return n
}

// has reports whether some use of a region may race with those of a class there.
func (p *partners) has(c int, r *alias.Region) bool {
	k := partnerKey{c, r}
	yes, ok := p.found[k]
	if !ok {
		for _, cl := range p.f.touches[r] {
			if yes = p.meets(c, cl, p.whole[r]); yes {
				break
			}
		}
		p.found[k] = yes
	}
	return yes
}

func (p *partners) meets(c int, cl *cluster, whole bool) bool {
	ds, ok := p.of[cl]
	if !ok {
		seen := map[int]bool{}
		for _, u := range cl.uses {
			if d := p.class(u); !seen[d] {
				seen[d] = true
				ds = append(ds, d)
			}
		}
		p.of[cl] = ds
	}
	return slices.ContainsFunc(ds, func(d int) bool { return p.together(c, d, whole) })
}

// together reports whether uses of two classes may race, where they have a region in
// common.
func (p *partners) together(c, d int, whole bool) bool {
	k := meeting(c, d, whole)
	yes, known := p.meet[k]
	if !known {
		u, v := p.uses[c], p.uses[d]
		yes = (whole || p.asked(u, v)) && p.may(u, v)
		p.meet[k] = yes
	}
	return yes
}

// asked reports whether two uses are of a pair that is asked for, and open there.
func (p *partners) asked(u, v use) bool {
	a, b := u.entry.Name, v.entry.Name
	return (p.want == nil || p.want[[2]string{a, b}] || p.want[[2]string{b, a}]) &&
		p.open.has(u.entry, u.in, v.entry) && p.open.has(v.entry, v.in, u.entry)
}

// may reports whether two uses may be a race, if nothing orders them.
func (p *partners) may(u, v use) bool {
	if !u.acc.Conflict(*v.acc) {
		return false
	}
	if ok, _ := p.f.mh.Entries(u.entry, v.entry); !ok {
		return false
	}
	ok, _ := p.f.mh.Parallel(u.entry, u.in, v.entry, v.in)
	return ok && !p.f.apart.Never(u.entry, u.in, *u.acc, v.entry, v.in, *v.acc)
}
