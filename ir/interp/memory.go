package interp

import (
	"encoding/binary"

	"whoop/ir"
)

// Addr is a pointer value; see the package comment.
type Addr uint64

// ObjID numbers objects and functions; 0 is none.
type ObjID uint32

const (
	bias        = 1 << 31
	wild        = 1 << 63 // of an address that left its object's window
	unknownFunc = 1       // the object number of a function that nothing is known about
	firstFunc   = 2
	reuseAfter  = 1024
)

// Object returns the number of the object a belongs to.
func (a Addr) Object() ObjID { return ObjID(a >> 32) }

// Offset returns the offset in bytes within that object.
func (a Addr) Offset() int64 { return int64(uint32(a)) - bias }

func mkAddr(id ObjID, off int64) uint64 { return uint64(id)<<32 + uint64(bias+off) }

// MakeAddr is the address of byte off of an object.
func MakeAddr(id ObjID, off int64) Addr { return Addr(mkAddr(id, off)) }

// ObjKind says what kind of storage an object is.
type ObjKind uint8

// The kinds of objects.
const (
	GlobalObj ObjKind = iota
	StackObj
	HeapObj
	ThreadLocalObj
	InputObj // stands for memory of the environment
)

// States of a byte.
const (
	unwritten byte = iota
	written
	anything // arbitrary
)

// object is a piece of memory. Objects are shared between snapshots; see State.own.
type object struct {
	owner  uint64 // the epoch of the state that may write it
	id     ObjID
	kind   ObjKind
	dead   bool
	thread ThreadID // that made it
	// elastic: it grows where it is accessed; then byte i of data has the offset i+low.
	elastic bool
	zero    bool // with zeros
	low     int64
	data    []byte
	mark    []byte // what is known about each byte of data
	sync    []syncCell
	global  *ir.Global
	site    *ir.Alloc
	elem    ir.Type
}

const pageBits = 6

// page is a part of the table of objects.
type page struct {
	owner uint64
	objs  [1 << pageBits]*object
}

// object returns the object of that number, or nil.
func (s *State) object(id ObjID) *object {
	if int(id>>pageBits) >= len(s.pages) {
		return nil
	}
	return s.pages[id>>pageBits].objs[id&(1<<pageBits-1)]
}

func (s *State) setObject(o *object) {
	i := o.id >> pageBits
	if s.pagesShared && (int(i) >= len(s.pages) || s.pages[i].owner != s.epoch) {
		s.pages, s.pagesShared = append([]*page(nil), s.pages...), false
	}
	for int(i) >= len(s.pages) {
		s.pages = append(s.pages, &page{owner: s.epoch})
	}
	pg := s.pages[i]
	if pg.owner != s.epoch {
		c := *pg
		c.owner = s.epoch
		pg = &c
		s.pages[i] = pg
	}
	pg.objs[o.id&(1<<pageBits-1)] = o
}

// own returns o or a copy of it that this state may write.
func (s *State) own(o *object) *object {
	if o.owner == s.epoch {
		return o
	}
	c := *o
	c.owner = s.epoch
	buf := make([]byte, 2*len(o.data))
	n := len(o.data)
	c.data, c.mark = buf[:n:n], buf[n:]
	copy(c.data, o.data)
	copy(c.mark, o.mark)
	c.sync = cloneSync(o.sync)
	s.setObject(&c)
	return &c
}

// newObject makes an object of size bytes: never written, or arbitrary for input objects.
func (s *State) newObject(kind ObjKind, size int64) *object {
	id := s.nextID()
	if len(s.freed) > reuseAfter {
		s.freed = s.freed[1:]
	} else {
		s.nextObj++
	}
	s.ev.New = append(s.ev.New, id)
	return s.placeObject(id, kind, size)
}

// nextID is the number that the next object gets.
func (s *State) nextID() ObjID {
	if len(s.freed) > reuseAfter {
		return s.freed[0]
	}
	return s.nextObj
}

func (s *State) placeObject(id ObjID, kind ObjKind, size int64) *object {
	buf := make([]byte, 2*size)
	o := &object{owner: s.epoch, id: id, kind: kind, data: buf[:size:size], mark: buf[size:]}
	if s.th != nil {
		o.thread = s.th.id
	}
	if kind == InputObj {
		fill(o.mark, anything)
	}
	s.setObject(o)
	return o
}

// kill ends an object.
func (s *State) kill(o *object) {
	s.setObject(&object{owner: s.epoch, id: o.id, kind: o.kind, dead: true, thread: o.thread, global: o.global, site: o.site, elem: o.elem})
	if s.freedShared {
		s.freed, s.freedShared = append([]ObjID(nil), s.freed...), false
	}
	s.freed = append(s.freed, o.id)
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// at finds the bytes [i, i+n) of an object at an address; on failure the error is set.
func (s *State) at(a uint64, n int64, what string) (*object, int64, bool) {
	id := ObjID(a >> 32)
	var o *object
	if int(id>>pageBits) < len(s.pages) {
		o = s.pages[id>>pageBits].objs[id&(1<<pageBits-1)]
	}
	if o == nil || o.dead {
		s.badAddress(a, o, what)
		return nil, 0, false
	}
	off := int64(uint32(a)) - bias - o.low
	if off < 0 || n > int64(len(o.data))-off {
		return s.outside(o, a, n, what)
	}
	return o, off, true
}

// writable is at for a write: to objects that are not constant.
func (s *State) writable(a uint64, n int64) (*object, int64, bool) {
	o, i, ok := s.at(a, n, "write")
	// nil: it is initialised
	if ok && o.global != nil && o.global.Const && !o.global.Extern && s.th != nil {
		s.fail(ErrReadOnly, "write to %s, which is constant", s.describe(o))
		return nil, 0, false
	}
	return o, i, ok
}

func (s *State) badAddress(a uint64, o *object, what string) {
	switch {
	case o != nil:
		s.fail(ErrUseAfterFree, "%s of %s, which has ended", what, s.describe(o))
	case a>>32 == 0 && a < 1<<16:
		s.fail(ErrNull, "%s through a null pointer", what)
	default:
		s.fail(ErrBadPointer, "%s through an address that is not of an object (%#x)", what, a)
	}
}

// outside handles accesses beyond an object's bytes: elastic ones grow.
func (s *State) outside(o *object, a uint64, n int64, what string) (*object, int64, bool) {
	off := Addr(a).Offset()
	if !o.elastic || o.kind == HeapObj && off < 0 || off < -s.p.cfg.Reach || off > s.p.cfg.Reach || n > s.p.cfg.Reach || n < 0 {
		s.fail(ErrBounds, "%s of %d bytes at offset %d of %s, which has %d", what, n, off, s.describe(o), len(o.data))
		return nil, 0, false
	}
	o = s.own(o)
	low, high := min(o.low, off), max(o.low+int64(len(o.data)), off+n)
	if low < o.low { // some room, as accesses come in rows
		low = (low - 63) &^ 63
	}
	high = (high + 63) &^ 63
	buf := make([]byte, 2*(high-low))
	data, mark := buf[:high-low:high-low], buf[high-low:]
	switch {
	case o.zero:
		fill(mark, written)
	case o.kind == InputObj || o.kind == GlobalObj:
		fill(mark, anything)
	}
	copy(data[o.low-low:], o.data)
	copy(mark[o.low-low:], o.mark)
	o.data, o.mark, o.low = data, mark, low
	return o, off - low, true
}

// describe names an object for messages.
func (s *State) describe(o *object) string {
	switch {
	case o.global != nil:
		return "global " + o.global.Name
	case o.kind == StackObj && o.site != nil && o.site.Name != "":
		return "local variable " + o.site.Name
	case o.site != nil:
		return "the object allocated at " + o.site.Pos.String()
	case o.kind == InputObj:
		return "an input object"
	}
	return "an object"
}

var marks8 = binary.LittleEndian.Uint64([]byte{1, 1, 1, 1, 1, 1, 1, 1})

// load reads n ≤ 8 bytes.
func (s *State) load(a uint64, n int64, t ir.Type) (uint64, bool) {
	o, i, ok := s.at(a, n, "read")
	if !ok {
		return 0, false
	}
	for _, m := range o.mark[i : i+n] {
		if m != written {
			o = s.settle(o, i, n, t)
			break
		}
	}
	switch b := o.data[i:]; n {
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), true
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), true
	case 8:
		return binary.LittleEndian.Uint64(b), true
	}
	return loadBytes(o.data[i : i+n]), true
}

func loadBytes(b []byte) uint64 {
	var v uint64
	for k := range b {
		v |= uint64(b[k]) << (8 * k)
	}
	return v
}

// store writes n ≤ 8 bytes.
func (s *State) store(a uint64, n int64, v uint64) bool {
	o, i, ok := s.writable(a, n)
	if !ok {
		return false
	}
	if o.owner != s.epoch {
		o = s.own(o)
	}
	b, m := o.data[i:i+n], o.mark[i:i+n]
	switch n {
	case 1:
		b[0], m[0] = byte(v), written
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
		binary.LittleEndian.PutUint32(m, uint32(marks8))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
		binary.LittleEndian.PutUint64(m, marks8)
	default:
		for k := range b {
			b[k], m[k] = byte(v>>(8*k)), written
		}
	}
	return true
}

// settle gives the bytes of [i, i+n) that are not written values: inputs. n ≤ 8, or a
// part of a wider value.
func (s *State) settle(o *object, i, n int64, t ir.Type) *object {
	kind, whole := InMemory, true
	if o.kind == InputObj {
		kind = InInput
	}
	for _, m := range o.mark[i : i+n] {
		if m == unwritten {
			kind = InUninit
		}
		whole = whole && m != written
	}
	id := o.id
	var v uint64
	if p, ok := t.(ir.Ptr); ok && kind != InUninit && whole {
		v = s.toCell(s.pointer(kind, p, false, false), p)
	} else {
		v = s.ask(Query{Kind: kind, Type: t})
	}
	o = s.own(s.object(id))
	for k := int64(0); k < n; k++ {
		if o.mark[i+k] != written {
			o.data[i+k], o.mark[i+k] = byte(v>>(8*k)), written
		}
	}
	return o
}

// loadWords reads a cell of more than 8 bytes.
func (s *State) loadWords(a uint64, t ir.Type, out []uint64) bool {
	n := t.Size()
	if _, _, ok := s.at(a, n, "read"); !ok {
		return false
	}
	for k := range out {
		out[k], _ = s.load(a+8*uint64(k), min(8, n-8*int64(k)), t)
	}
	normWords(t, out)
	out[0] = fromCell(out[0], t)
	return true
}

func (s *State) storeWords(a uint64, t ir.Type, v []uint64) bool {
	n := t.Size()
	if _, _, ok := s.writable(a, n); !ok {
		return false
	}
	for k := range v {
		s.store(a+8*uint64(k), min(8, n-8*int64(k)), s.toCell(v[k], t))
	}
	return true
}

// room is how many bytes an object has from an address on; of those that grow, any
// number.
func (s *State) room(a uint64) int64 {
	o := s.object(ObjID(a >> 32))
	if o == nil || o.dead || o.elastic {
		return 1 << 40
	}
	return int64(len(o.data)) - Addr(a).Offset()
}

// copyBytes is MemCopy: bytes move with what is known about them.
func (s *State) copyBytes(dst, src uint64, n int64) bool {
	if n == 0 {
		return true
	}
	if _, _, ok := s.at(src, n, "read"); !ok {
		return false
	}
	d, i, ok := s.writable(dst, n)
	if !ok {
		return false
	}
	d = s.own(d)
	o, j, _ := s.at(src, n, "read") // again: own and growing may have replaced it
	copy(d.data[i:i+n], o.data[j:j+n])
	copy(d.mark[i:i+n], o.mark[j:j+n])
	return true
}

// setBytes is MemSet.
func (s *State) setBytes(dst uint64, v byte, n int64) bool {
	if n == 0 {
		return true
	}
	d, i, ok := s.writable(dst, n)
	if !ok {
		return false
	}
	d = s.own(d)
	fill(d.data[i:i+n], v)
	fill(d.mark[i:i+n], written)
	return true
}

// endOfScope ends a variable of a block.
func (s *State) endOfScope(a uint64) {
	if o := s.object(ObjID(a >> 32)); o != nil && !o.dead && o.kind == StackObj {
		s.kill(o)
	}
}

// free is Free.
func (s *State) free(a uint64) {
	if a == 0 {
		return
	}
	o := s.object(ObjID(a >> 32))
	switch {
	case o == nil:
		s.fail(ErrFree, "free of an address that is not of an object (%#x)", a)
	case o.dead:
		s.fail(ErrDoubleFree, "%s is freed already", s.describe(o))
	case o.kind == InputObj:
		s.kill(o)
	case o.kind != HeapObj || Addr(a).Offset() != 0:
		s.fail(ErrFree, "free of byte %d of %s", Addr(a).Offset(), s.describe(o))
	default:
		s.kill(o)
	}
}
