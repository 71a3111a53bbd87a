package vm

import "encoding/binary"

// Hash identifies a state of the machine.
type Hash [2]uint64

// Hash is that of all that the future depends on. States that differ have different
// hashes, but for chance.
func (m *Machine) Hash() Hash {
	h := hasher{14695981039346656037, 0x9e3779b97f4a7c15}
	for i := range m.regions {
		m.hashRegion(&h, i, allNamed)
	}
	for i := range m.threads {
		if th := &m.threads[i]; th.state != Absent {
			h.add(uint64(i))
			h.thread(th, m.p)
		}
	}
	return Hash(h)
}

// hasher adds words to a hash.
type hasher [2]uint64

func (h *hasher) add(v uint64) {
	h[0] = (h[0] ^ v) * 0x9fb21c651e98df25
	h[0] ^= h[0] >> 32
	h[1] = (h[1] + v) * 0xd6e8feb86659fd93
	h[1] ^= h[1] >> 29
}

// allNamed are all threads, as a set of bits.
const allNamed = ^uint64(0)

// hashRegion adds a region. Which threads own its locks is noted in owned where they are
// not named.
func (m *Machine) hashRegion(h *hasher, i int, named uint64) {
	r := &m.regions[i]
	for k := range r.objs {
		o := &r.objs[k]
		h.add(uint64(o.size)<<32 | uint64(o.kind)<<2 | bit(o.dead)<<1 | bit(o.public))
		if o.dead || o.konst {
			continue
		}
		for off := o.off; off < o.off+o.size; off += 8 {
			h.add(binary.LittleEndian.Uint64(r.mem[off:]))
			h.add(binary.LittleEndian.Uint64(r.mark[off:]))
		}
		for off := o.off >> 2; off < (o.off+o.size+3)>>2; off++ {
			if c := r.cells[off]; c != 0 && m.cells[c-1].once != counters {
				h.add(uint64(off))
				h.cell(&m.cells[c-1], named)
				if t := m.cells[c-1].owner; t >= 0 && named>>t&1 == 0 {
					m.owned = append(m.owned, owner{t, uint64(i)<<32 | uint64(off)})
				}
			}
		}
	}
}

func (h *hasher) cell(c *syncCell, named uint64) {
	owner := c.owner
	if owner >= 0 && named>>owner&1 == 0 {
		owner = -2 // one of those without a name
	}
	for _, w := range c.readers {
		h.add(w)
	}
	h.add(uint64(uint32(owner))<<32 | uint64(uint32(c.depth)))
	h.add(uint64(uint32(c.shared))<<32 | uint64(uint32(c.runner)))
	h.add(uint64(c.count))
	h.add(c.arrived)
	h.add(uint64(c.once) | bit(c.destroyed)<<8 | bit(c.recursive)<<9)
}

func (h *hasher) thread(th *thread, p *Program) {
	h.add(uint64(th.state) | bit(th.reacquire)<<8 | bit(th.timed)<<9 | bit(th.signalled)<<10 | bit(th.joined)<<11 | bit(th.fresh)<<12)
	h.add(th.cond)
	h.add(th.mutex)
	h.add(uint64(uint32(th.depth))<<32 | uint64(uint32(th.order)))
	h.add(uint64(uint32(th.joins))<<32 | uint64(uint32(th.kids)))
	h.add(th.result)
	for i := range th.frames {
		f := &th.frames[i]
		h.add(uint64(uint32(f.fn))<<32 | uint64(uint32(f.pc)))
		h.add(f.once)
		x := p.funcs[f.fn]
		h.frame(x, th.stack[f.base:int(f.base)+x.slots], f.pc)
	}
}
