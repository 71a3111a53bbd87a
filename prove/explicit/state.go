package explicit

import (
	"encoding/binary"
	"slices"

	"whoop/ir"
)

// A cell is what was written at a place of an object: size bytes, or, where size is not
// positive, what is known of a lock or semaphore.
type cell struct {
	off  int64
	size int32
	val  val
}

const (
	lockCell int32 = 0  // -1: held by one; n: held by n readers; none: free
	semCell  int32 = -1 // the count
)

// An object is a global, or what was allocated. What was not written is zero, or
// anything. Objects are not changed once their state is kept.
type object struct {
	site  *ir.Alloc // nil: a global
	size  int64
	zero  bool
	any   bool // all of it may be anything
	wild  bool // code not seen may write it at any time
	ended bool // it exists no more
	cells []cell
}

// A shared is what all threads have in common. It is not changed once it is kept.
type shared struct {
	objs []*object // those of globals first
	// ended says of each numbered thread whether it has, results what it left.
	ended   []bool
	results []val
	uses    []uint8 // see threads.go
	// threads is how many there are, where that is bounded.
	threads int
	// made and over are how many threads without numbers were started, and have ended,
	// where that is counted.
	made, over int
	// busy: a thread is inside an atomic section.
	busy  bool
	spans []span // what its symbols stand for
}

// A frame is a call under way: of a function, at an instruction of a block.
type frame struct {
	fn    *fn
	block int
	index int
	regs  []val
	stack []int32 // the objects that end with it
}

// held is a lock that the thread holds.
type held struct {
	o     int32
	off   int64
	write bool
}

// A local is what a thread has for itself. Its own objects have negative numbers, -1 the
// first. It is not changed once it is kept.
type local struct {
	frames []frame
	objs   []*object
	held   []held
	tls    []int32 // its copies of thread-local globals: pairs of the global and its object
	depth  int     // of atomic sections
	waits  bool    // at a wait on a condition variable that has released its mutex
	thread int32   // its number; -1: it has none
	// the element of the array of which one is followed that it has read last, from 1 on;
	// 0: none, or not known
	last  int64
	spans []span
}

func (s *shared) clone() *shared {
	c := *s
	c.objs = slices.Clone(s.objs)
	c.ended, c.results, c.uses, c.spans = slices.Clone(s.ended), slices.Clone(s.results), slices.Clone(s.uses), nil
	return &c
}

func (l *local) clone() *local {
	c := *l
	c.frames = slices.Clone(l.frames)
	for i := range c.frames {
		c.frames[i].regs, c.frames[i].stack = slices.Clone(c.frames[i].regs), slices.Clone(c.frames[i].stack)
	}
	c.objs, c.held, c.tls, c.spans = slices.Clone(l.objs), slices.Clone(l.held), slices.Clone(l.tls), nil
	return &c
}

// each calls f with every value of the thread, own objects' contents included; f may
// change it, and copies objects that it changes.
func (l *local) each(f func(val) val) {
	for i := range l.frames {
		for k, v := range l.frames[i].regs {
			l.frames[i].regs[k] = f(v)
		}
	}
	for i, o := range l.objs {
		l.objs[i] = o.each(f)
	}
}

func (s *shared) each(f func(val) val) {
	for i, o := range s.objs {
		s.objs[i] = o.each(f)
	}
	for i, v := range s.results {
		s.results[i] = f(v)
	}
}

func (o *object) each(f func(val) val) *object {
	if o == nil {
		return nil
	}
	out := o
	for i, c := range o.cells {
		if v := f(c.val); v != c.val {
			if out == o {
				out = o.clone()
			}
			out.cells[i].val = v
		}
	}
	return out
}

func (o *object) clone() *object {
	c := *o
	c.cells = slices.Clone(o.cells)
	return &c
}

// find is the place of a cell, or where it would be.
func (o *object) find(off int64, size int32) (int, bool) {
	return slices.BinarySearchFunc(o.cells, cell{off: off, size: size}, func(a, b cell) int {
		switch {
		case a.off != b.off && a.off < b.off || a.off == b.off && a.size < b.size:
			return -1
		case a.off == b.off && a.size == b.size:
			return 0
		}
		return 1
	})
}

// get is the contents of a cell that is not memory; 0 where there is none.
func (o *object) get(off int64, size int32) int64 {
	if i, ok := o.find(off, size); ok {
		return o.cells[i].val.n
	}
	return 0
}

// mixed reports whether a cell of memory overlaps a place without being that.
func (o *object) mixed(off int64, size int32) bool {
	for _, c := range o.cells {
		if c.off >= off+int64(size) {
			return false
		}
		if c.size > 0 && c.off+int64(c.size) > off && (c.off != off || c.size != size) {
			return true
		}
	}
	return false
}

// put writes a cell of an object that is not shared with another state.
func (o *object) put(off int64, size int32, v val) {
	i, ok := o.find(off, size)
	switch {
	case size <= 0 && v.n == 0:
		if ok {
			o.cells = slices.Delete(o.cells, i, i+1)
		}
	case ok:
		o.cells[i].val = v
	default:
		o.cells = slices.Insert(o.cells, i, cell{off, size, v})
	}
}

// canonical renumbers the symbols that a state mentions, in the order in which they are
// found; those of one number become that.
func canonical(each func(func(val) val), spans []span) (out []span, renamed map[int32]int32) {
	renamed = map[int32]int32{}
	each(func(v val) val {
		if v.kind != symbol {
			return v
		}
		if n, ok := spans[v.o].single(); ok {
			return num(n + v.n)
		}
		k, ok := renamed[v.o]
		if !ok {
			k = int32(len(out))
			renamed[v.o] = k
			out = append(out, spans[v.o])
		}
		v.o = k
		return v
	})
	return out, renamed
}

// The key of a state is a text that is equal for equal states.

func putVal(b []byte, v val) []byte {
	b = append(b, byte(v.kind))
	if v.kind == unknown {
		return b
	}
	b = binary.AppendVarint(b, int64(v.o))
	return binary.AppendVarint(b, v.n)
}

func putSpans(b []byte, spans []span) []byte {
	b = binary.AppendUvarint(b, uint64(len(spans)))
	for _, r := range spans {
		for _, n := range []int64{r.lo, r.hi, r.m, r.r} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b
}

func (p *program) putObject(b []byte, o *object) []byte {
	if o == nil {
		return append(b, 255)
	}
	flags := byte(0)
	for i, f := range []bool{o.zero, o.any, o.ended, o.wild} {
		if f {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	if o.site != nil {
		b = binary.AppendUvarint(b, uint64(p.sites[o.site])+1)
	} else {
		b = append(b, 0)
	}
	b = binary.AppendVarint(b, o.size)
	b = binary.AppendUvarint(b, uint64(len(o.cells)))
	for _, c := range o.cells {
		b = putVal(binary.AppendVarint(binary.AppendVarint(b, c.off), int64(c.size)), c.val)
	}
	return b
}

func (p *program) sharedKey(s *shared) string {
	var b []byte
	for i, o := range s.objs {
		if i < len(p.start.objs) && o == p.start.objs[i] {
			continue
		}
		b = p.putObject(binary.AppendUvarint(b, uint64(i)+1), o)
	}
	b = append(b, 0)
	for i, e := range s.ended {
		if b = append(b, byte('r')); e {
			b[len(b)-1] = 'e'
			b = putVal(b, s.results[i])
		}
		b = append(b, s.uses[i])
	}
	if s.busy {
		b = append(b, 'b')
	}
	for _, n := range []int{s.threads, s.made, s.over} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(putSpans(b, s.spans))
}

func (p *program) localKey(l *local) string {
	var b []byte
	b = binary.AppendVarint(binary.AppendVarint(b, int64(l.thread)), l.last)
	b = binary.AppendUvarint(b, uint64(l.depth))
	if l.waits {
		b = append(b, 'w')
	}
	for _, f := range l.frames {
		b = append(b, 'f')
		b = binary.AppendUvarint(b, uint64(f.fn.id))
		b = binary.AppendUvarint(b, uint64(f.block))
		b = binary.AppendUvarint(b, uint64(f.index))
		for _, v := range f.regs {
			b = putVal(b, v)
		}
		b = binary.AppendUvarint(b, uint64(len(f.stack)))
		for _, o := range f.stack {
			b = binary.AppendVarint(b, int64(o))
		}
	}
	for _, o := range l.objs {
		b = p.putObject(append(b, 'o'), o)
	}
	for _, h := range l.held {
		b = append(b, 'h', byte(len(l.held)))
		b = binary.AppendVarint(binary.AppendVarint(b, int64(h.o)), h.off)
		if h.write {
			b = append(b, 'x')
		}
	}
	for _, o := range l.tls {
		b = binary.AppendVarint(append(b, 't'), int64(o))
	}
	return string(putSpans(append(b, 's'), l.spans))
}
