package vm

import (
	"whoop/ir"
	"whoop/ir/interp"
)

// settle executes the local operations of a thread, and of those that it starts or that
// waited for its end.
func (m *Machine) settle(t int) {
	m.run(t)
	for len(m.born) > 0 {
		u := int(m.born[0])
		m.born = append(m.born[:0], m.born[1:]...)
		if m.depth == 0 || u == t {
			m.run(u)
		} else {
			m.late = append(m.late, int32(u)) // after the section
		}
	}
	if m.depth == 0 && len(m.late) > 0 {
		late := append([]int32(nil), m.late...)
		m.late = m.late[:0]
		for _, u := range late {
			m.settle(int(u))
		}
	}
}

// run executes local operations of one thread.
func (m *Machine) run(t int) {
	if m.threads[t].state != Ready || m.threads[t].reacquire {
		return
	}
	m.saveThread(t)
	for n := 0; m.reason == ""; n++ {
		if n > m.cfg.MaxLocal {
			m.fail(t, interp.ErrLimit)
			return
		}
		th := &m.threads[t]
		fr := &th.frames[len(th.frames)-1]
		f := m.p.funcs[fr.fn]
		r := th.stack[fr.base : int(fr.base)+f.slots]
		pc, kind := m.arith(t, f, r, fr.pc)
		fr.pc = pc
		switch kind {
		case stopVisible:
			in := &f.code[pc]
			if m.visible(t, in, r, f.consts) {
				m.threads[t].waits = in.op.blocks()
				return
			}
			fr.pc++
			m.localAccess(t, f, in, r)
		case stopLocal:
			fr.pc++
			m.local(t, f, &f.code[pc], r)
		case stopTrap:
			fr.pc++
			m.fail(t, interp.ErrDivZero)
		}
		if m.threads[t].state != Ready {
			return
		}
	}
}

// localAccess executes an access that nobody else can notice, or that does not race, or
// a return.
func (m *Machine) localAccess(t int, f *fn, in *ins, r []uint64) {
	if in.op == opReturn {
		m.ret(t, in)
		return
	}
	if in.flags&flagOwn == 0 && m.depth == 0 {
		src, _ := m.current(t)
		m.noteOwn(t, src)
	}
	m.hush = m.isQuiet(in)
	m.access(t, f, in, r)
	m.hush = false
}

// noteOwn counts a local access of an instruction.
func (m *Machine) noteOwn(t int, src any) {
	for i := max(len(m.own)-ownWindow, 0); i < len(m.own); i++ {
		if o := &m.own[i]; o.Thread == t && o.Src == src {
			o.N++
			return
		}
	}
	m.own = append(m.own, Own{t, src, 1})
}

// ownWindow is among how many of the last instructions one is looked for: a loop over
// what is the thread's own should not make many entries.
const ownWindow = 16

// Why arith stops.
const (
	stopVisible = iota // at an operation that may be visible
	stopLocal          // at a local one that is more than arithmetic
	stopTrap           // at a division by zero
)

// arith executes arithmetic and jumps from pc on; it returns where it stopped, and why.
func (m *Machine) arith(t int, f *fn, r []uint64, pc int32) (int32, int) {
	code, k := f.code, f.consts
	for {
		in := &code[pc]
		switch in.op {
		case opMov:
			r[in.d] = val(r, k, in.x)
		case opNop:
		case opJump:
			pc = in.c
			continue
		case opIf:
			if val(r, k, in.x) != 0 {
				pc = in.c
			} else {
				pc = int32(in.d)
			}
			continue
		case opTLS:
			r[in.d] = mkAddr(uint32(t+1)<<regionBits|uint32(in.c), 0)
		default:
			if in.op >= opLoad {
				if in.op >= opAlloc {
					return pc, stopLocal
				}
				return pc, stopVisible
			}
			if !arithmetic(in, r, k) {
				return pc, stopTrap
			}
		}
		pc++
	}
}

// eval executes arithmetic up to something else.
func (m *Machine) eval(f *fn, r []uint64, pc int32) {
	for {
		in := &f.code[pc]
		switch in.op {
		case opNop:
			return
		case opMov:
			r[in.d] = val(r, f.consts, in.x)
		case opJump:
			pc = in.c
			continue
		case opIf:
			if val(r, f.consts, in.x) != 0 {
				pc = in.c
			} else {
				pc = int32(in.d)
			}
			continue
		default:
			if in.op >= opTLS || !arithmetic(in, r, f.consts) {
				return
			}
		}
		pc++
	}
}

// arithmetic executes an operator; false is a division by zero.
func arithmetic(in *ins, r, k []uint64) bool {
	x := val(r, k, in.x)
	var v uint64
	switch in.op {
	case opAdd:
		v = x + val(r, k, in.y)
	case opSub:
		v = x - val(r, k, in.y)
	case opMul:
		v = x * val(r, k, in.y)
	case opAnd:
		r[in.d] = x & val(r, k, in.y)
		return true
	case opOr:
		r[in.d] = x | val(r, k, in.y)
		return true
	case opXor:
		r[in.d] = x ^ val(r, k, in.y)
		return true
	case opShl:
		if y := val(r, k, in.y); y < uint64(in.bits) {
			v = x << y
		}
	case opShr:
		if in.flags&flagSigned != 0 {
			v = uint64(int64(x) >> min(val(r, k, in.y), 63))
		} else {
			v = x >> val(r, k, in.y)
		}
		r[in.d] = v
		return true
	case opNeg:
		v = -x
	case opNot:
		v = ^x
	case opNorm:
		v = x
	case opBool:
		r[in.d] = bit(x != 0)
		return true
	case opSelect:
		if val(r, k, operand(in.c)) != 0 {
			r[in.d] = x
		} else {
			r[in.d] = val(r, k, in.y)
		}
		return true
	case opOffset:
		a := x + val(r, k, in.y)*val(r, k, operand(in.c))
		if (a^x)>>32 != 0 && x>>32 != 0 {
			a |= wild
		}
		r[in.d] = a
		return true
	case opDiv, opRem:
		y := val(r, k, in.y)
		if y == 0 {
			return false
		}
		v = divide(in, x, y)
	default:
		r[in.d] = compare(in, x, val(r, k, in.y))
		return true
	}
	r[in.d] = normalise(v, in.bits, in.signed)
	return true
}

// divide truncates towards zero.
func divide(in *ins, x, y uint64) uint64 {
	div := in.op == opDiv
	if in.flags&flagSigned == 0 {
		if div {
			return x / y
		}
		return x % y
	}
	switch {
	case int64(y) == -1 && div:
		return -x
	case int64(y) == -1:
		return 0
	case div:
		return uint64(int64(x) / int64(y))
	}
	return uint64(int64(x) % int64(y))
}

func compare(in *ins, x, y uint64) uint64 {
	signed := in.flags&flagSigned != 0
	switch in.op {
	case opEq:
		return bit(x == y)
	case opNe:
		return bit(x != y)
	case opLt:
		return bit(signed && int64(x) < int64(y) || !signed && x < y)
	case opLe:
		return bit(signed && int64(x) <= int64(y) || !signed && x <= y)
	case opGt:
		return bit(signed && int64(x) > int64(y) || !signed && x > y)
	}
	return bit(signed && int64(x) >= int64(y) || !signed && x >= y)
}

// local executes a local operation that is more than arithmetic; the thread's pc is
// behind it.
func (m *Machine) local(t int, f *fn, in *ins, r []uint64) {
	k := f.consts
	th := &m.threads[t]
	switch in.op {
	case opAlloc:
		m.alloc(t, f, in, r)
	case opAssume:
		m.assume(t, f, in, r)
	case opAssert:
		if val(r, k, in.x) == 0 {
			m.fail(t, interp.ErrAssert)
		}
	case opCall:
		m.call(t, f, in, r, int(in.c))
	case opCallPtr:
		if g := m.function(t, val(r, k, in.x)); g >= 0 {
			m.call(t, f, in, r, g)
		}
	case opChoose:
		r[in.d] = m.number(t, f.types[in.aux])
	case opBranchN:
		ts := f.targets[in.aux]
		th.frames[len(th.frames)-1].pc = ts[m.choose(t, len(ts))]
	case opLazy:
		m.answer(t, 0)
		if in.d != none {
			r[in.d] = uint64(len(m.answers))
		}
	case opForce:
		m.force(t, f, in, r)
	case opSpawn:
		m.spawn(t, f, in, r)
	case opJoin:
		m.join(t, val(r, k, in.x))
	case opDetach:
		m.detach(t, val(r, k, in.x))
	case opExit:
		var v uint64
		if in.x != none {
			v = val(r, k, in.x)
		}
		m.endLocals(t, 0)
		m.finish(t, v)
	case opAbort:
		th.state = Aborted
	case opStuck:
		th.state = Stuck
	case opUnsupported:
		m.stop(f.reasons[in.aux] + " at " + f.pos(in))
	}
}

// force asks for a value that was left open before in the same step, unless it has been
// asked for.
func (m *Machine) force(t int, f *fn, in *ins, r []uint64) {
	at, n := int(r[in.x]), len(m.answers)
	if at == 0 {
		return
	}
	r[in.d], r[in.x] = m.number(t, f.types[in.aux]), 0
	m.answers[at-1].Value = r[in.d] // asked where it was left open
	m.answers = m.answers[:n]
}

func (f *fn) pos(in *ins) string {
	for i := range f.code {
		if &f.code[i] == in {
			switch s := f.src[i].(type) {
			case ir.Instr:
				return s.At().String()
			case ir.Term:
				return s.At().String()
			}
		}
	}
	return f.f.Pos.String()
}

func (m *Machine) alloc(t int, f *fn, in *ins, r []uint64) {
	i := f.alloc[in.aux]
	n := int64(val(r, f.consts, in.x))
	size := max(1, i.Elem.Size())
	if i.Elem.Size() == 0 && !ir.Equal(i.Elem, ir.Void{}) {
		size = 0
	}
	if n < 0 || size > 0 && n > m.cfg.MaxObject/size {
		if i.MayFail {
			r[in.d] = 0
			return
		}
		m.fail(t, interp.ErrLimit)
		return
	}
	if i.MayFail && m.fails(t) {
		r[in.d] = 0
		return
	}
	o := object{size: uint32(n * size), kind: heapObj, site: -1}
	if i.Kind == "stack" {
		o.kind = stackObj
	}
	mark := unwritten
	if i.Zero {
		mark = written
	}
	id := m.addObject(t+1, o, mark)
	if id > regionMask {
		m.stop("more than a million objects of one thread")
		return
	}
	if o.kind == stackObj {
		th := &m.threads[t]
		th.locals = append(th.locals, uint32(id))
		m.journal = append(m.journal, uint64(t), undoLocalPush)
	}
	if in.d != none {
		r[in.d] = mkAddr(uint32(t+1)<<regionBits|uint32(id), 0)
	}
}

// assume stops the thread where the condition is false, unless a value that was just made
// arbitrary can be another.
func (m *Machine) assume(t int, f *fn, in *ins, r []uint64) {
	m.assumed = m.assumed || m.depth > 0
	if val(r, f.consts, in.x) != 0 {
		return
	}
	th := &m.threads[t]
	if in.d == none {
		th.state = Stuck
		return
	}
	values := f.lists[in.aux]
	n := r[in.y]
	if n >= uint64(len(values)) {
		th.state = Stuck
		return
	}
	r[in.d] = values[n]
	r[in.y] = n + 1
	th.frames[len(th.frames)-1].pc = in.c // the condition again
}

func (m *Machine) call(t int, f *fn, in *ins, r []uint64, g int) {
	callee := m.p.funcs[g]
	if len(callee.code) == 0 {
		m.external(t, in, r, callee, f)
		return
	}
	args, ok := m.arguments(t, f, in, r, g)
	if !ok {
		return
	}
	if m.push(t, g, in.d, args) {
		th := &m.threads[t]
		fr := &th.frames[len(th.frames)-1]
		fr.bits, fr.sign = in.bits, in.signed
	}
}

// external is a call of a function without a body: an arbitrary result.
func (m *Machine) external(t int, in *ins, r []uint64, callee *fn, f *fn) {
	if callee.f.Unknown != "" {
		m.stop(callee.f.Name + " could not be lowered: " + callee.f.Unknown)
		return
	}
	if in.d == none {
		return
	}
	if in.flags&flagAny != 0 {
		m.answer(t, 0)
		return
	}
	if !narrowEnough(callee.result) || ir.IsPtr(callee.result) {
		m.stop("an arbitrary result of " + callee.f.Name)
		return
	}
	r[in.d] = normalise(m.number(t, callee.result), in.bits, in.signed)
}
