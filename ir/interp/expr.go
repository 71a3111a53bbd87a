package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"whoop/ir"
)

// eval computes a value of one word.
type eval func(s *State) uint64

// value is a compiled expression: one for values of one word, many for others.
type value struct {
	one  eval
	many func(s *State, out []uint64)
	t    ir.Type
	// Of constants and registers, which have faster forms.
	isConst bool
	k       uint64
	slot    int // -1 where it is no register of the frame
}

// words computes the value into out.
func (v *value) words(s *State, out []uint64) {
	if v.one != nil {
		out[0] = v.one(s)
		return
	}
	v.many(s, out)
}

func constant(t ir.Type, k uint64) value {
	return value{one: func(*State) uint64 { return k }, t: t, isConst: true, k: k, slot: -1}
}

func computed(t ir.Type, f eval) value { return value{one: f, t: t, slot: -1} }

// expr compiles e.
func (c *fc) expr(e ir.Expr) value {
	t := e.Type()
	if words(t) > 1 {
		return c.wide(e, t)
	}
	switch e := e.(type) {
	case ir.Const:
		lo, _ := split(e.Val)
		return constant(t, normalise(t, lo))
	case ir.BoolConst:
		if e {
			return constant(t, 1)
		}
		return constant(t, 0)
	case ir.Null:
		return constant(t, 0)
	case ir.Use:
		return c.use(e)
	case ir.GlobalAddr:
		if i, ok := c.m.tls[e.Global]; ok {
			off := uint64(i)<<32 + bias
			return computed(t, func(s *State) uint64 { return uint64(s.th.tls)<<32 + off })
		}
		return constant(t, mkAddr(c.m.globals[e.Global], 0))
	case ir.FuncAddr:
		return constant(t, c.m.fnOf[e.Func].addr())
	case ir.FieldAddr:
		b, off := c.expr(e.Base), uint64(e.S.Fields[e.Index].Offset)
		switch {
		case b.isConst:
			return constant(t, b.k+off)
		case off == 0:
			b.t = t
			return b
		case b.slot >= 0:
			k := b.slot
			return computed(t, func(s *State) uint64 { return s.r[k] + off })
		}
		f := b.one
		return computed(t, func(s *State) uint64 { return f(s) + off })
	case ir.IndexAddr:
		return c.index(e)
	case ir.Unary:
		return c.unary(e)
	case ir.Binary:
		return c.binary(e)
	case ir.Cast:
		return c.cast(e)
	case ir.Select:
		f, x, y := c.expr(e.C).one, c.expr(e.X).one, c.expr(e.Y).one
		return computed(t, func(s *State) uint64 {
			if f(s) != 0 {
				return x(s)
			}
			return y(s)
		})
	case ir.OpaqueConst:
		return c.text(e)
	}
	panic(fmt.Sprintf("interp: unknown expression %T", e)) // Validate knows them all
}

func (c *fc) use(e ir.Use) value {
	st := c.slots[e.Reg]
	if st.slot < 0 {
		k := ^st.slot
		return computed(st.typ, func(s *State) uint64 { return s.th.ghosts[k] })
	}
	k := st.slot
	return value{one: func(s *State) uint64 { return s.r[k] }, t: st.typ, slot: k}
}

// offset adds to an address; one that leaves its object's window is none any more.
func offset(base, d uint64) uint64 {
	a := base + d
	if (a^base)>>32 != 0 && base>>32 != 0 {
		return a | wild
	}
	return a
}

func (c *fc) index(e ir.IndexAddr) value {
	b, i, stride := c.expr(e.Base), c.expr(e.Idx), uint64(e.Stride)
	if i.one == nil { // of more than 64 bits
		i = computed(ir.I64, c.low(e.Idx))
	}
	t := ir.Type(e.T)
	switch {
	case b.isConst && i.isConst:
		return constant(t, offset(b.k, i.k*stride))
	case i.isConst && i.k*stride == 0:
		b.t = t
		return b
	case i.isConst:
		f, d := b.one, i.k*stride
		return computed(t, func(s *State) uint64 { return offset(f(s), d) })
	case b.isConst && i.slot >= 0:
		k, base := i.slot, b.k
		return computed(t, func(s *State) uint64 { return offset(base, s.r[k]*stride) })
	case b.slot >= 0 && i.slot >= 0:
		k, base := i.slot, b.slot
		return computed(t, func(s *State) uint64 { return offset(s.r[base], s.r[k]*stride) })
	}
	f, g := b.one, i.one
	return computed(t, func(s *State) uint64 { return offset(f(s), g(s)*stride) })
}

func (c *fc) unary(e ir.Unary) value {
	x, t := c.expr(e.X), e.Type()
	f := x.one
	switch e.Op {
	case "lnot":
		return computed(t, func(s *State) uint64 { return f(s) ^ 1 })
	case "neg":
		if x.isConst {
			return constant(t, normalise(t, -x.k))
		}
		return computed(t, func(s *State) uint64 { return normalise(t, -f(s)) })
	}
	if x.isConst {
		return constant(t, normalise(t, ^x.k))
	}
	return computed(t, func(s *State) uint64 { return normalise(t, ^f(s)) })
}

func (c *fc) cast(e ir.Cast) value {
	from, t := e.X.Type(), ir.Type(e.T)
	_, fo := from.(ir.Opaque)
	_, to := t.(ir.Opaque)
	x := c.expr(e.X)
	if (fo || to) && !ir.Equal(from, t) {
		return c.arbitraryCast(x, t)
	}
	if x.one == nil { // an integer of more than 64 bits
		many := x.many
		if _, isBool := t.(ir.Bool); isBool {
			return computed(t, func(s *State) uint64 {
				var w [2]uint64
				many(s, w[:])
				return bit(w[0]|w[1] != 0)
			})
		}
		return computed(t, func(s *State) uint64 {
			var w [2]uint64
			many(s, w[:])
			return normalise(t, w[0])
		})
	}
	if v, ok := narrowCast(x, from, t); ok {
		return v
	}
	f := x.one
	switch t := t.(type) {
	case ir.Bool:
		if _, same := from.(ir.Bool); same {
			return x
		}
		return computed(t, func(s *State) uint64 { return bit(f(s) != 0) })
	case ir.Int:
		fi, isInt := from.(ir.Int)
		if _, isBool := from.(ir.Bool); isBool || t.Bits == 64 || isInt && (fi == t || fi.Bits < t.Bits && (!fi.Signed || t.Signed)) {
			x.t = t
			return x
		}
		if x.isConst {
			return constant(t, normalise(t, x.k))
		}
		switch t {
		case ir.I32:
			return computed(t, func(s *State) uint64 { return uint64(int64(int32(f(s)))) })
		case ir.U32:
			return computed(t, func(s *State) uint64 { return uint64(uint32(f(s))) })
		case ir.U8:
			return computed(t, func(s *State) uint64 { return uint64(uint8(f(s))) })
		}
		return computed(t, func(s *State) uint64 { return normalise(t, f(s)) })
	}
	x.t = t
	return x
}

// arbitraryCast converts to or from an opaque value: an input for each operand.
func (c *fc) arbitraryCast(x value, t ir.Type) value {
	key, from, n := "cast "+t.String()+" "+x.t.String(), words(x.t), words(t)
	get := func(s *State, out []uint64) {
		in := make([]uint64, from)
		x.words(s, in)
		s.memo(fmt.Sprint(key, in), t, out)
	}
	if n > 1 {
		return value{many: get, t: t, slot: -1}
	}
	return computed(t, func(s *State) uint64 {
		var w [1]uint64
		get(s, w[:])
		return w[0]
	})
}

// FloatBits is what a constant of a floating point type of four or eight bytes is in
// memory.
func FloatBits(e ir.OpaqueConst) (bits uint64, ok bool) {
	o, ok := e.T.(ir.Opaque)
	if !ok || o.Bytes != 4 && o.Bytes != 8 {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimRight(e.Text, "fFlL"), 64)
	if err != nil {
		return 0, false
	}
	if o.Bytes == 4 {
		return uint64(math.Float32bits(float32(f))), true
	}
	return math.Float64bits(f), true
}

// text is a value known by its text: the number where it is a floating constant, an input
// otherwise.
func (c *fc) text(e ir.OpaqueConst) value {
	n := words(e.T)
	if bits, ok := FloatBits(e); ok {
		return constant(e.T, bits)
	}
	key, t := "text "+e.T.String()+" "+e.Text, e.T
	if n > 1 {
		return value{many: func(s *State, out []uint64) { s.memo(key, t, out) }, t: t, slot: -1}
	}
	return computed(t, func(s *State) uint64 {
		var w [1]uint64
		s.memo(key, t, w[:])
		return w[0]
	})
}

// memo is an arbitrary value that depends on the key alone.
func (s *State) memo(key string, t ir.Type, out []uint64) {
	if v, ok := s.memos[key]; ok {
		copy(out, v)
		return
	}
	s.arbitrary(InOpaque, t, out)
	if s.memosShared || s.memos == nil {
		m := make(map[string][]uint64, len(s.memos)+1)
		for k, v := range s.memos {
			m[k] = v
		}
		s.memos, s.memosShared = m, false
	}
	s.memos[key] = append([]uint64(nil), out...)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
