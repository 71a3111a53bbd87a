package lockset

import (
	"context"
	"slices"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/smt/vcgen"
)

// readFact says what a load of an entry may yield; see vcgen.ReadClass.
type readFact struct {
	class   vcgen.ReadClass
	regions []int
	// value is the constant that the load yields, where it is known: a pointer in a
	// global that nobody writes.
	value ir.Expr
}

// classifyReads finds, for one entry, the loads whose value other threads cannot change
// under it: memory that is not shared, memory that only this entry writes (and it runs
// once), and memory that nobody writes while this entry runs.
func (f *facts) classifyReads(ctx context.Context, e *ir.Entry) error {
	out := map[ir.Instr]readFact{}
	class := &regionClasses{f: f, entry: e, of: map[*alias.Region]vcgen.ReadClass{}, others: map[*cluster]bool{}}
	for _, fn := range f.reach[e] {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				ld, ok := in.(*ir.Load)
				if !ok {
					continue
				}
				out[ld] = f.classifyLoad(ld, class)
			}
		}
	}
	f.reads[e] = out
	return nil
}

func (f *facts) classifyLoad(ld *ir.Load, classes *regionClasses) readFact {
	acc := f.acc[ld]
	if len(acc) != 1 || acc[0].Unknown || len(acc[0].Regions) == 0 {
		return readFact{}
	}
	fact := readFact{class: -1}
	for _, r := range acc[0].Regions {
		c := classes.class(r)
		if c == vcgen.Private && len(acc[0].Regions) > 1 && !f.written(r) {
			c = vcgen.Constant // nobody but its maker writes it, as what else is read here
		}
		if fact.class != -1 && fact.class != c {
			return readFact{}
		}
		fact.class = c
	}
	fact.regions = f.idsOf(acc[0].Regions)
	if fact.class == vcgen.Constant && acc[0].Mixed && f.setLater(acc[0].Regions) {
		return readFact{} // in an object of its own this thread may write before and after
	}
	if fact.class == vcgen.Constant && len(acc[0].Regions) == 1 {
		fact.value = f.initialValue(ld, acc[0].Regions[0])
	}
	if fact.class == vcgen.Constant && fact.value == nil {
		fact.value = f.zeroOf(ld)
	}
	if fact.class == vcgen.Constant && f.fresh[ld] && f.setLater(acc[0].Regions) {
		fact.class = vcgen.Private
	}
	return fact
}

// setLater reports whether the makers of objects may write to a region of them: what they
// read before they do is not what others read later.
func (f *facts) setLater(rs []*alias.Region) bool {
	return slices.ContainsFunc(rs, func(r *alias.Region) bool { return f.everWritten[r] })
}

// regionClasses classifies regions for one entry.
type regionClasses struct {
	f     *facts
	entry *ir.Entry
	// wildly: a write through a pointer that may lead anywhere may happen meanwhile; nil
	// until that is known.
	wildly *bool
	of     map[*alias.Region]vcgen.ReadClass
	others map[*cluster]bool // whether another entry writes while this one runs
}

func (f *facts) classifyRegion(e *ir.Entry, r *alias.Region) vcgen.ReadClass {
	c := &regionClasses{f: f, entry: e, of: map[*alias.Region]vcgen.ReadClass{}, others: map[*cluster]bool{}}
	return c.class(r)
}

func (c *regionClasses) class(r *alias.Region) vcgen.ReadClass {
	k, ok := c.of[r]
	if !ok {
		k = c.compute(r)
		c.of[r] = k
	}
	return k
}

func (c *regionClasses) compute(r *alias.Region) vcgen.ReadClass {
	if !r.Shared {
		return vcgen.Private
	}
	own, others := false, false
	for _, cl := range c.f.touches[r] {
		for _, w := range cl.writes {
			own = own || w.entry == c.entry
		}
		others = others || c.writtenByOthers(cl)
	}
	others = others || c.wild()
	self, _ := c.f.mh.Entries(c.entry, c.entry)
	switch {
	case others || (own && self):
		return vcgen.Arbitrary
	case own:
		return vcgen.Private
	}
	return vcgen.Constant
}

// wild reports whether another entry, or another run of this one, may write anywhere while
// this one runs. The entry's own pairs are undecided then, but it may stand for others
// that do not write there.
func (c *regionClasses) wild() bool {
	if c.wildly == nil {
		self, _ := c.f.mh.Entries(c.entry, c.entry)
		yes := slices.ContainsFunc(c.f.wildWrites, func(w use) bool {
			return (w.entry != c.entry || self) && c.f.during(c.entry, w)
		})
		c.wildly = &yes
	}
	return *c.wildly
}

func (c *regionClasses) writtenByOthers(cl *cluster) bool {
	yes, ok := c.others[cl]
	if !ok {
		for _, w := range cl.writes {
			if w.entry != c.entry && c.f.during(c.entry, w) {
				yes = true
				break
			}
		}
		c.others[cl] = yes
	}
	return yes
}

// during reports whether the write may happen while e runs.
func (f *facts) during(e *ir.Entry, w use) bool {
	if ok, _ := f.mh.Entries(e, w.entry); !ok {
		return false
	}
	for _, in := range f.places[e] {
		if ok, _ := f.mh.Parallel(e, in, w.entry, w.in); ok {
			return true
		}
	}
	return false
}

// findPlaces lists instructions of an entry that stand for all of them where it matters
// what runs in parallel.
func (f *facts) findPlaces(ctx context.Context, e *ir.Entry) error {
	seen := map[ir.Instr]bool{}
	for _, fn := range f.reach[e] {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if p := f.mh.Place(e, in); !seen[p] {
					seen[p] = true
					f.places[e] = append(f.places[e], in)
				}
			}
		}
	}
	return nil
}

// initialValue is what a load of a pointer from a global yields when nothing ever writes
// the cell; nil where that is not known.
func (f *facts) initialValue(ld *ir.Load, r *alias.Region) ir.Expr {
	g, off, ok := constAddr(ld.Addr)
	t, isPtr := ld.Dst.Type.(ir.Ptr)
	if !ok || !isPtr || g.Extern || g.ThreadLocal || f.wild || f.written(r) {
		return nil
	}
	for _, c := range g.Init {
		if c.Offset == off {
			if _, ok := c.Value.Type().(ir.Ptr); !ok {
				return nil
			}
			return ir.Cast{X: c.Value, T: t}
		}
	}
	return nil
}
