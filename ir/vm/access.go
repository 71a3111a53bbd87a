package vm

import (
	"whoop/ir"
	"whoop/ir/interp"
)

// accessed tells of an access, where that is wanted.
func (m *Machine) accessed(t int, a uint64, n int64, write, atomic bool, v uint64) {
	if m.Record {
		th := &m.threads[t]
		fr := &th.frames[len(th.frames)-1]
		m.accesses = append(m.accesses, Access{t, a, n, write, atomic, v, m.p.funcs[fr.fn].src[fr.pc-1]})
	}
}

// touchAt is find, and records the access where others may notice it, even if it fails.
func (m *Machine) touchAt(t int, a uint64, n int64, k OpKind) (place, *object) {
	if p, o := m.peek(a, n); o != nil && !o.private(t, p) {
		m.memOp(p, n, k)
	}
	p, o := m.find(t, a, n)
	if o != nil && o.konst && k&Write != 0 {
		m.fail(t, interp.ErrReadOnly)
		return p, nil
	}
	return p, o
}

// access executes an access to memory, or a spawn that stores a handle. The thread's pc
// is behind it.
func (m *Machine) access(t int, f *fn, in *ins, r []uint64) {
	k := f.consts
	n := int64(in.size)
	atomic := in.flags&flagAtomic != 0
	switch in.op {
	case opLoad:
		a := val(r, k, in.x)
		if p, o := m.touchAt(t, a, n, accessKind(in, false)); o != nil {
			if v, ok := m.load(t, p, n, in, f.types[in.aux]); ok {
				v = normalise(v, in.bits, in.signed)
				r[in.d] = v
				m.accessed(t, a, n, false, atomic, v)
			}
		}
	case opStore:
		a, v := val(r, k, in.x), val(r, k, in.y)
		if p, o := m.touchAt(t, a, n, accessKind(in, true)|Blind); o != nil {
			m.note(t, p, o, n, 0)
			m.store(p, o, n, v)
			m.accessed(t, a, n, true, atomic, v)
		}
	case opRMW:
		a := val(r, k, in.x)
		p, o := m.touchAt(t, a, n, accessKind(in, true))
		if o == nil {
			return
		}
		old, ok := m.load(t, p, n, in, f.types[in.aux])
		if !ok {
			return
		}
		old = normalise(old, in.bits, in.signed)
		m.note(t, p, o, n, 0)
		v := rmw(opcode(in.c), old, val(r, k, in.y), in)
		m.accessed(t, a, n, false, atomic, old)
		m.store(p, o, n, v)
		m.accessed(t, a, n, true, atomic, v)
		if in.d != none {
			r[in.d] = old
		}
	case opCmpXchg:
		m.exchange(t, in, r, k)
	case opFree:
		m.free(t, val(r, k, in.x), in.flags&flagAny != 0)
	case opCopy:
		m.copyBytes(t, val(r, k, in.d), val(r, k, in.x), val(r, k, in.y), in)
	case opSet:
		m.setBytes(t, val(r, k, in.d), byte(val(r, k, in.x)), val(r, k, in.y), in)
	case opTouch:
		m.touch(t, in, r, k, f)
	case opSpawn:
		m.spawn(t, f, in, r)
	}
}

// rmw is what a read-modify-write makes of a cell.
func rmw(op opcode, old, v uint64, in *ins) uint64 {
	switch op {
	case opAdd:
		v = old + v
	case opSub:
		v = old - v
	case opAnd:
		v = old & v
	case opOr:
		v = old | v
	case opXor:
		v = old ^ v
	case opNot:
		v = ^(old & v)
	}
	return normalise(v, in.bits, in.signed)
}

// exchange is CmpXchg. One that fails only reads.
func (m *Machine) exchange(t int, in *ins, r, k []uint64) {
	a, n := val(r, k, in.x), int64(in.size)
	want, next := val(r, k, in.y), val(r, k, operand(in.c))
	atomic := in.flags&flagAtomic != 0
	kind := accessKind(in, false) | MayWrite
	if p, o := m.peek(a, n); o != nil && !o.dead {
		if v, ok := m.look(p, n); ok && normalise(v, in.bits, in.signed) == want {
			kind |= Write
		}
	}
	p, o := m.touchAt(t, a, n, kind)
	if o == nil {
		return
	}
	old, ok := m.load(t, p, n, in, ir.U64)
	if !ok {
		return
	}
	old = normalise(old, in.bits, in.signed)
	m.note(t, p, o, n, want)
	same := old == want
	if same && in.flags&flagWeak != 0 {
		same = m.choose(t, 2) == 0
	}
	m.accessed(t, a, n, false, atomic, old)
	if same {
		if o.konst {
			m.fail(t, interp.ErrReadOnly)
			return
		}
		m.store(p, o, n, next)
		m.accessed(t, a, n, true, atomic, next)
	}
	if in.d != none {
		r[in.d] = old
	}
	if d := operand(in.aux); d != none {
		r[d] = bit(same)
	}
}

// note remembers what an access that others may notice finds; see Cell.
func (m *Machine) note(t int, p place, o *object, n int64, want uint64) {
	if m.depth == 0 && n <= 8 && !m.hush && !o.private(t, p) {
		before, ok := m.look(p, n)
		m.cell1 = Cell{before, want & (1<<(8*n-1)<<1 - 1), ok}
	}
}

// look reads n bytes that all have values.
func (m *Machine) look(p place, n int64) (uint64, bool) {
	var v uint64
	r := &m.regions[p.r]
	for i := range uint32(n) {
		if r.mark[p.off+i] != written {
			return 0, false
		}
		v |= uint64(r.mem[p.off+i]) << (8 * i)
	}
	return v, true
}

// free ends a heap object, or a variable whose block has ended.
func (m *Machine) free(t int, a uint64, scope bool) {
	if a == 0 {
		return
	}
	p, o := m.peek(a, 0)
	if o == nil {
		if !scope {
			m.fail(t, interp.ErrFree)
		}
		return
	}
	whole := place{p.r, p.k, o.off}
	if !o.private(t, p) {
		m.memOp(whole, int64(o.size), Write)
	}
	if !o.dead {
		m.accessed(t, mkAddr(uint32(a>>32), 0), int64(o.size), true, false, 0)
	}
	switch {
	case scope:
		if !o.dead && o.kind == stackObj {
			m.kill(p.r, p.k)
		}
	case o.dead:
		m.fail(t, interp.ErrDoubleFree)
	case o.kind != heapObj || p.off != o.off:
		m.fail(t, interp.ErrFree)
	default:
		m.kill(p.r, p.k)
	}
}

func (m *Machine) copyBytes(t int, dst, src, size uint64, in *ins) {
	n := int64(size)
	if n < 0 {
		n = 1 << 62
	}
	if in.flags&flagAny != 0 {
		n = max(0, min(n, m.room(dst), m.room(src)))
	}
	if n == 0 {
		return
	}
	k := accessKind(in, false)
	s, so := m.touchAt(t, src, n, k)
	if so == nil {
		return
	}
	d, do := m.touchAt(t, dst, n, k|Write)
	if do == nil {
		return
	}
	m.saveBytes(d.r, d.off, n)
	sr, dr := &m.regions[s.r], &m.regions[d.r]
	copy(dr.mem[d.off:int64(d.off)+n], sr.mem[s.off:int64(s.off)+n])
	copy(dr.mark[d.off:int64(d.off)+n], sr.mark[s.off:int64(s.off)+n])
	if do.public {
		m.publishBytes(d.r, d.off, n)
	}
	m.accessed(t, src, n, false, k&Atomic != 0, 0)
	m.accessed(t, dst, n, true, k&Atomic != 0, 0)
}

// room is how many bytes an object has from an address on.
func (m *Machine) room(a uint64) int64 {
	p, o := m.peek(a, 0)
	if o == nil || o.dead {
		return 1 << 40
	}
	return int64(o.off) + int64(o.size) - int64(p.off)
}

func (m *Machine) setBytes(t int, dst uint64, v byte, size uint64, in *ins) {
	n := int64(size)
	if n < 0 {
		n = 1 << 62
	}
	if n == 0 {
		return
	}
	d, o := m.touchAt(t, dst, n, accessKind(in, true))
	if o == nil {
		return
	}
	m.saveBytes(d.r, d.off, n)
	r := &m.regions[d.r]
	for i := range uint32(n) {
		r.mem[d.off+i], r.mark[d.off+i] = v, written
	}
	m.accessed(t, dst, n, true, in.flags&flagAtomic != 0, 0)
}

// touch is what code not seen does to an object: only reads are followed. It checks for
// null, and, where it need not access all, does not access what is not there.
func (m *Machine) touch(t int, in *ins, r, k []uint64, f *fn) {
	src, _ := m.current(t)
	i, ok := src.(*ir.Touch)
	if !ok || i.Write {
		m.stop("a write of code not seen: " + f.reasons[in.aux])
		return
	}
	a, sized, n := val(r, k, in.x), in.y != none, int64(0)
	if sized {
		n = int64(val(r, k, in.y))
	}
	id := int(uint32(a >> 32))
	switch p, o := m.peek(a, 0); {
	case a == 0 && (!sized || i.Perhaps || n <= 0), a>>32 != 0 && id < firstFunc+len(m.p.funcs), sized && n <= 0:
		return
	case (o == nil || o.dead) && i.Perhaps:
		return
	case o != nil && !sized:
		a, n = mkAddr(uint32(id), 0), int64(o.size)
	case o != nil && i.Perhaps: // at most that much
		n = max(1, min(n, int64(o.off)+int64(o.size)-int64(p.off)))
	}
	if _, o := m.touchAt(t, a, n, 0); o != nil && i.Read {
		m.accessed(t, a, n, false, false, 0)
	}
}
