package vm

import (
	"encoding/binary"

	"whoop/ir"
	"whoop/ir/interp"
)

// Addresses are those of package interp, with object numbers that do not depend on the
// schedule: the region (0 for the globals, t+1 for what thread t makes) and the number of
// the object there.
const (
	bias       = 1 << 31
	wild       = 1 << 63
	regionBits = 20
	regionMask = 1<<regionBits - 1
	firstFunc  = 2 // numbers of region 0: functions, then globals
)

func mkAddr(id uint32, off int64) uint64 { return uint64(id)<<32 + uint64(bias+off) }

func funcAddr(i int) uint64 { return mkAddr(uint32(firstFunc+i), 0) }

// Kinds of storage.
const (
	globalObj uint8 = iota
	stackObj
	heapObj
	tlsObj
)

// object is a piece of memory of a region.
type object struct {
	off    uint32 // of its first byte in the region; a multiple of 8
	size   uint32
	kind   uint8
	dead   bool
	public bool // other threads may know its address
	konst  bool
	site   int32 // of globals: their index in Program.IR.Globals
}

// region is the memory of the globals, or of what one thread makes.
type region struct {
	objs  []object
	mem   []byte
	mark  []byte  // of each byte: unwritten, written, anything
	cells []int32 // of each four bytes: 1 + index of its syncCell, 0: none
}

// States of a byte.
const (
	unwritten byte = iota
	written
	anything
)

func (r *region) clone() region {
	return region{objs: append([]object(nil), r.objs...), mem: append([]byte(nil), r.mem...), mark: append([]byte(nil), r.mark...),
		cells: append([]int32(nil), r.cells...)}
}

// add makes an object; its bytes are zero, and marked.
func (r *region) add(o object, mark byte) int {
	size := int(o.size+7) &^ 7
	o.off = uint32(len(r.mem))
	n := len(r.mem) + size
	if n <= cap(r.mem) {
		r.mem = r.mem[:n]
		clear(r.mem[o.off:])
	} else {
		c := make([]byte, n, 2*n+64)
		copy(c, r.mem)
		r.mem = c
	}
	if n <= cap(r.mark) {
		r.mark = r.mark[:n]
	} else {
		c := make([]byte, n, 2*n+64)
		copy(c, r.mark)
		r.mark = c
	}
	for i := int(o.off); i < n; i++ {
		r.mark[i] = mark
	}
	for len(r.cells) < n/4 {
		r.cells = append(r.cells, 0)
	}
	r.objs = append(r.objs, o)
	return len(r.objs) - 1
}

// layGlobals makes the first region: functions take numbers, too, so that no address is
// that of both.
func (p *Program) layGlobals() {
	r := &p.first
	for range firstFunc + len(p.funcs) {
		r.objs = append(r.objs, object{dead: true, kind: globalObj, site: -1})
	}
	for i, g := range p.IR.Globals {
		if g.ThreadLocal {
			p.tls[g] = len(p.locals)
			p.locals = append(p.locals, g)
			continue
		}
		p.globals[g] = uint32(r.add(globalObject(g, i), globalMark(g)))
	}
	for i, g := range p.IR.Globals {
		if !g.ThreadLocal {
			o := r.objs[p.globals[g]]
			p.initialise(r.mem[o.off:o.off+o.size], p.IR.Globals[i])
		}
	}
}

func globalObject(g *ir.Global, i int) object {
	size := g.Type.Size()
	for _, c := range g.Init {
		size = max(size, c.Offset+c.Type.Size())
	}
	return object{size: uint32(size), kind: globalObj, public: true, konst: g.Const && !g.Extern, site: int32(i)}
}

func globalMark(g *ir.Global) byte {
	if g.Extern {
		return anything
	}
	return written
}

// initialise writes the initial values of a global.
func (p *Program) initialise(mem []byte, g *ir.Global) {
	for _, c := range g.Init {
		v, ok := p.initial(c.Value)
		if !ok || c.Type.Size() > 8 {
			continue
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		copy(mem[c.Offset:c.Offset+c.Type.Size()], b[:])
	}
}

// initial is the value of a constant expression.
func (p *Program) initial(e ir.Expr) (uint64, bool) {
	switch e := e.(type) {
	case ir.Const:
		if e.T.Bits <= 64 {
			return constWord(e), true
		}
	case ir.BoolConst:
		return bit(bool(e)), true
	case ir.Null:
		return 0, true
	case ir.FuncAddr:
		return funcAddr(p.index(e.Func)), true
	case ir.GlobalAddr:
		id, ok := p.globals[e.Global]
		return mkAddr(id, 0), ok
	case ir.FieldAddr:
		v, ok := p.initial(e.Base)
		return v + uint64(e.S.Fields[e.Index].Offset), ok
	case ir.IndexAddr:
		v, ok := p.initial(e.Base)
		i, ok2 := p.initial(e.Idx)
		return v + i*uint64(e.Stride), ok && ok2
	case ir.Cast:
		v, ok := p.initial(e.X)
		b, s := norm(e.T)
		return normalise(v, b, s), ok
	case ir.OpaqueConst:
		return interp.FloatBits(e)
	}
	return 0, false
}

// addGlobal makes a thread's own copy of a variable.
func (m *Machine) addGlobal(r int, g *ir.Global) {
	o := globalObject(g, -1)
	o.kind, o.public = tlsObj, m.p.own.Shared(g)
	k := m.addObject(r, o, globalMark(g))
	x := m.regions[r].objs[k]
	m.p.initialise(m.regions[r].mem[x.off:x.off+x.size], g)
}

// addObject makes an object that Undo takes back.
func (m *Machine) addObject(r int, o object, mark byte) int {
	m.journal = append(m.journal, uint64(r), undoObject)
	return m.regions[r].add(o, mark)
}

// place is where an access goes.
type place struct {
	r   int    // region
	k   int    // object
	off uint32 // in the region
}

// find is the place of n bytes at an address; on failure the thread's error is set.
func (m *Machine) find(t int, a uint64, n int64) (place, *object) {
	id := uint32(a >> 32)
	r, k := int(id>>regionBits), int(id&regionMask)
	if r >= len(m.regions) || k >= len(m.regions[r].objs) || a&wild != 0 {
		m.badAddress(t, a)
		return place{}, nil
	}
	o := &m.regions[r].objs[k]
	if o.dead {
		if r == 0 && k < firstFunc+len(m.p.funcs) {
			m.badAddress(t, a)
		} else {
			m.fail(t, interp.ErrUseAfterFree)
		}
		return place{}, nil
	}
	off := int64(uint32(a)) - bias
	if off < 0 || n < 0 || off+n > int64(o.size) {
		m.fail(t, interp.ErrBounds)
		return place{}, nil
	}
	return place{r, k, o.off + uint32(off)}, o
}

func (m *Machine) badAddress(t int, a uint64) {
	if a>>32 == 0 && a < 1<<16 {
		m.fail(t, interp.ErrNull)
		return
	}
	m.fail(t, interp.ErrBadPointer)
}

// private reports whether only the thread itself can know the object.
func (o *object) private(t int, p place) bool { return !o.public && p.r == t+1 || o.konst }

// load reads a cell of n bytes. Bytes that have no value get one: an input.
func (m *Machine) load(t int, p place, n int64, src *ins, typ ir.Type) (uint64, bool) {
	r := &m.regions[p.r]
	for _, k := range r.mark[p.off : int64(p.off)+n] {
		if k != written {
			if ir.IsPtr(typ) {
				m.stop("a pointer that was never written")
				return 0, false
			}
			m.give(t, p, n, m.number(t, typ))
			break
		}
	}
	b := r.mem[p.off:]
	switch n {
	case 8:
		v := binary.LittleEndian.Uint64(b)
		if id := uint32(v >> 32); id>>regionBits != 0 {
			m.foreign(t, id)
		}
		return v, true
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), true
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), true
	case 1:
		return uint64(b[0]), true
	}
	var v uint64
	for k := range n {
		v |= uint64(b[k]) << (8 * k)
	}
	return v, true
}

// give writes an input to those of n bytes that have no value.
func (m *Machine) give(t int, p place, n int64, v uint64) {
	r := &m.regions[p.r]
	m.saveBytes(p.r, p.off, n)
	for k := range uint32(n) {
		if r.mark[p.off+k] != written {
			r.mem[p.off+k], r.mark[p.off+k] = byte(v>>(8*k)), written
		}
	}
}

// foreign checks that a word which was read is no address that the thread cannot know:
// its bytes were copied one by one.
func (m *Machine) foreign(t int, id uint32) {
	r, k := int(id>>regionBits), int(id&regionMask)
	if r < len(m.regions) && r != t+1 && k < len(m.regions[r].objs) && !m.regions[r].objs[k].public {
		m.stop("an address that was copied byte by byte")
	}
}

const marks8 = 0x0101010101010101

// store writes a cell of n bytes.
func (m *Machine) store(p place, o *object, n int64, v uint64) {
	r := &m.regions[p.r]
	m.saveBytes(p.r, p.off, n)
	b, k := r.mem[p.off:], r.mark[p.off:]
	switch n {
	case 8:
		binary.LittleEndian.PutUint64(b, v)
		binary.LittleEndian.PutUint64(k, marks8)
		if v>>(32+regionBits) != 0 && (o.public || o.konst) {
			m.publish(v)
		}
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
		binary.LittleEndian.PutUint32(k, 0x01010101)
	case 1:
		b[0], k[0] = byte(v), written
	default:
		for i := range n {
			b[i], k[i] = byte(v>>(8*i)), written
		}
	}
}

// publish makes the object at an address public, and what it leads to.
func (m *Machine) publish(a uint64) {
	id := uint32(a >> 32)
	r, k := int(id>>regionBits), int(id&regionMask)
	if r == 0 || r >= len(m.regions) || k >= len(m.regions[r].objs) {
		return
	}
	o := &m.regions[r].objs[k]
	if o.public || o.dead {
		return
	}
	m.saveObject(r, k)
	o.public = true
	for i := o.off; i+8 <= o.off+o.size; i += 8 {
		if v := binary.LittleEndian.Uint64(m.regions[r].mem[i:]); v>>(32+regionBits) != 0 {
			m.publish(v)
		}
	}
}

// publishBytes makes public what n bytes of memory lead to.
func (m *Machine) publishBytes(r int, off uint32, n int64) {
	for i := int64(0); i+8 <= n; i++ {
		if v := binary.LittleEndian.Uint64(m.regions[r].mem[int64(off)+i:]); v>>(32+regionBits) != 0 {
			m.publish(v)
		}
	}
}

// kill ends an object.
func (m *Machine) kill(r, k int) {
	m.saveObject(r, k)
	m.regions[r].objs[k].dead = true
}
