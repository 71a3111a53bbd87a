package interp

import (
	"encoding/binary"
	"hash/fnv"
)

// Hash identifies a state up to the numbers of its objects, with 128 bits.
type Hash [2]uint64

func (h *Hash) add(w uint64) {
	h[0] = mix(h[0]^w) + 0x9e3779b97f4a7c15
	h[1] = (h[1]^w)*0xd6e8feb86659fd93 + h[0]>>7
}

func (h *Hash) text(s string) {
	f := fnv.New64a()
	f.Write([]byte(s))
	h.add(f.Sum64())
}

// hasher numbers the objects made during the execution in the order in which it finds
// them: from the globals, then from each thread's live registers. Objects that nothing
// leads to do not count, nor do registers that will not be read.
type hasher struct {
	s     *State
	h     Hash
	first ObjID // of those made during the execution
	seen  map[ObjID]uint64
	queue []ObjID
}

// Hash returns a hash of the state: equal for states with the same future, but for inputs
// that depend on Query.Index. Any written word that looks like a pointer is taken as one.
// Threads are told apart by their numbers.
func (s *State) Hash() Hash {
	x := &hasher{s: s, first: s.p.first.nextObj, seen: map[ObjID]uint64{}}
	h := &x.h
	h.add(uint64(s.status))
	h.add(uint64(s.depth))
	if s.depth > 0 {
		h.add(uint64(s.atomic))
	}
	for id := ObjID(firstFunc); id < x.first; id++ {
		o := s.object(id)
		if o == nil {
			continue
		}
		if sums := s.p.sums; sums != nil && o == s.p.first.object(id) {
			h.add(sums[id][0])
			h.add(sums[id][1])
			continue
		}
		x.object(o)
	}
	for _, th := range s.threads {
		x.thread(th)
	}
	for _, e := range s.env {
		h.text(e.key)
		x.word(e.addr)
		h.add(uint64(e.thread))
	}
	for _, k := range s.regs {
		h.text(k)
	}
	for _, v := range s.shown {
		h.text(v.s.Name)
		h.add(uint64(v.off))
		x.word(v.val)
	}
	for _, b := range s.bound {
		h.add(uint64(b.fn.id))
		for _, a := range b.args {
			x.word(a)
		}
	}
	var memos uint64
	for k, v := range s.memos {
		var m Hash
		m.text(k)
		for _, w := range v {
			m.add(w)
		}
		memos += m[0]
	}
	h.add(memos)
	for k := 0; k < len(x.queue); k++ {
		if o := s.object(x.queue[k]); o != nil {
			x.object(o)
		}
	}
	return x.h
}

// word adds a word that may be a pointer.
func (x *hasher) word(w uint64) {
	id := ObjID(w >> 32)
	if id < x.first || x.s.object(id) == nil {
		x.h.add(w)
		return
	}
	n, ok := x.seen[id]
	if !ok {
		n = uint64(x.first) + uint64(len(x.queue))
		x.seen[id] = n
		x.queue = append(x.queue, id)
	}
	x.h.add(n<<32 | w&0xffffffff)
}

// object adds the contents of an object, hashed on its own so that those of globals that
// were not written are known.
func (x *hasher) object(o *object) {
	inner := x.sum(o)
	x.h.add(inner[0])
	x.h.add(inner[1])
}

func (x *hasher) sum(o *object) Hash {
	outer := x.h
	x.h = Hash{uint64(o.kind), bit(o.dead)}
	x.contents(o)
	var cells uint64
	for i := range o.sync {
		cells += o.sync[i].hash()
	}
	x.h.add(cells)
	inner := x.h
	x.h = outer
	return inner
}

func (x *hasher) contents(o *object) {
	x.h.add(uint64(o.low))
	x.h.add(uint64(len(o.data)))
	i, n := int64(0), int64(len(o.data))
	for x.s.p.IR.NarrowPointers && i < n {
		if m := o.mark[i:min(i+4, n)]; (i+o.low)&3 == 0 && i+4 <= n && m[0] == written && m[1] == written && m[2] == written && m[3] == written {
			x.word(unpack(binary.LittleEndian.Uint32(o.data[i:])))
			i += 4
			continue
		}
		x.byte(o, i)
		i++
	}
	for ; i < n && (i+o.low)&7 != 0; i++ {
		x.byte(o, i)
	}
	for ; i+8 <= n; i += 8 {
		switch m := binary.LittleEndian.Uint64(o.mark[i:]); m {
		case marks8:
			x.word(binary.LittleEndian.Uint64(o.data[i:]))
		case 0, 2 * marks8:
			x.h.add(m)
		default:
			for k := i; k < i+8; k++ {
				x.byte(o, k)
			}
		}
	}
	for ; i < n; i++ {
		x.byte(o, i)
	}
}

func (x *hasher) byte(o *object, i int64) {
	if o.mark[i] == written {
		x.h.add(uint64(o.data[i]) << 8)
		return
	}
	x.h.add(uint64(o.mark[i]))
}

// hash is 0 for a cell in its first state: one that was never used has none.
func (c *syncCell) hash() uint64 {
	if c.owner < 0 && len(c.readers) == 0 && c.count == 0 && len(c.arrived) == 0 && c.once == onceNew && !c.destroyed && !c.recursive {
		return 0
	}
	var h Hash
	h.add(uint64(c.off))
	h.add(uint64(c.owner+1)<<32 | uint64(c.depth))
	var rs, as uint64
	for _, r := range c.readers {
		rs += mix(uint64(r) + 1)
	}
	for _, r := range c.arrived {
		as += mix(uint64(r) + 1)
	}
	h.add(rs)
	h.add(as)
	h.add(uint64(c.count))
	h.add(uint64(c.once)<<32 | uint64(c.runner+1))
	h.add(bit(c.destroyed)<<1 | bit(c.recursive))
	return h[0]
}

func (x *hasher) thread(th *thread) {
	h := &x.h
	h.add(bit(th.done)<<2 | bit(th.joined)<<1 | bit(th.start != nil))
	if th.handle != 0 {
		x.word(mkAddr(th.handle, 0))
	}
	if th.done {
		if !th.joined {
			for _, w := range th.result {
				x.word(w)
			}
		}
		return
	}
	for _, w := range th.ghosts {
		x.word(w)
	}
	for i := range x.s.p.locals {
		x.word(mkAddr(th.tls+ObjID(i), 0))
	}
	for _, m := range th.masks {
		h.text(m)
	}
	if th.start != nil {
		h.add(uint64(th.start.fn.id))
		for _, w := range th.start.args {
			x.word(w)
		}
		return
	}
	w := &th.wait
	h.add(uint64(w.kind))
	if w.kind != notWaiting {
		x.word(w.addr)
		x.word(w.mutex)
		h.add(uint64(w.depth)<<2 | bit(w.timed)<<1 | bit(w.signalled))
		if w.kind == waitCond {
			rank := uint64(0)
			for _, o := range x.s.threads {
				rank += bit(o.wait.kind == waitCond && o.wait.addr == w.addr && o.wait.order < w.order)
			}
			h.add(rank)
		}
	}
	for i := range th.frames {
		dst := slotType{slot: -1}
		if i+1 < len(th.frames) {
			dst = th.frames[i+1].dst
		} else if w.kind != notWaiting {
			dst = w.dst
		}
		x.frame(th, &th.frames[i], dst)
	}
}

// frame adds a call; dst is a register that will be written before it is read.
func (x *hasher) frame(th *thread, fr *frame, dst slotType) {
	x.h.add(uint64(fr.fn.id)<<32 | uint64(fr.pc))
	x.word(fr.once)
	var live bitset
	if fr.fn.live != nil {
		live = fr.fn.live[fr.pc]
	}
	for k := 0; k < fr.fn.slots; k++ {
		if (live == nil || live.has(k)) && !(dst.n > 0 && k >= dst.slot && k < dst.slot+dst.n) {
			x.word(th.stack[fr.base+k])
		}
	}
}

// sumUp computes the hashes of the globals before anything ran.
func (m *Program) sumUp() {
	s := m.first
	sums := make([]Hash, s.nextObj)
	for id := ObjID(firstFunc); id < s.nextObj; id++ {
		if o := s.object(id); o != nil {
			sums[id] = (&hasher{s: s, first: s.nextObj}).sum(o)
		}
	}
	m.sums = sums
}
