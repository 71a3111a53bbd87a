package bmc

import "whoop/smt/bv"

// maxTargets bounds how many values a pointer term is followed to.
const maxTargets = 512

// valuesOf is which literals a term may be: exact for what is made of literals and of
// variables read from memory with few contents, arbitrary otherwise.
func (u *unrolling) valuesOf(t *bv.Term) values {
	if n, ok := t.IsNum(); ok {
		return values{nums: map[uint64]bool{n: true}}
	}
	if v, ok := u.vals[t]; ok {
		return *v
	}
	if v, ok := u.memo[t]; ok {
		return v
	}
	v := u.derive(t)
	u.memo[t] = v
	return v
}

func (u *unrolling) derive(t *bv.Term) values {
	var out values
	switch t.Op {
	case bv.OpIte:
		out.add(u.valuesOf(t.Args[1]), maxTargets)
		out.add(u.valuesOf(t.Args[2]), maxTargets)
		return out
	case bv.OpAdd:
		return u.sum(t)
	case bv.OpExtract:
		if t.Val&0xffff != 0 {
			break
		}
		return u.each(u.valuesOf(t.Args[0]), func(n uint64) *bv.Term { return u.b.Num(t.Width, n) })
	case bv.OpZExt:
		return u.each(u.valuesOf(t.Args[0]), func(n uint64) *bv.Term { return u.b.Num(t.Width, n) })
	case bv.OpSExt:
		w := t.Args[0].Width
		return u.each(u.valuesOf(t.Args[0]), func(n uint64) *bv.Term { return u.b.SExt(u.b.Num(w, n), t.Width) })
	case bv.OpMul, bv.OpNeg, bv.OpConcat:
		if t.Op == bv.OpConcat && t.Width > 64 {
			break
		}
		p := u.valuesOf(t.Args[0])
		if t.Op == bv.OpNeg {
			return u.each(p, func(n uint64) *bv.Term { return u.b.Num(t.Width, -n) })
		}
		q := t.Args[1]
		if q.Op != bv.OpNum {
			break
		}
		return u.each(p, func(n uint64) *bv.Term {
			if t.Op == bv.OpMul {
				return u.b.Num(t.Width, n*q.Val)
			}
			return u.b.Num(t.Width, n<<q.Width|q.Val)
		})
	}
	return values{any: true}
}

// each maps a set of literals.
func (u *unrolling) each(v values, f func(n uint64) *bv.Term) values {
	if v.any || len(v.arrays) > 0 {
		return values{any: true}
	}
	var out values
	for _, n := range v.sorted() {
		m, ok := f(n).IsNum()
		if !ok {
			return values{any: true}
		}
		out.add(values{nums: map[uint64]bool{m: true}}, maxTargets)
	}
	return out
}

// sum is the values of p + q: of literals each with each; an address plus anything may be
// any address in its object that is a multiple of the stride away.
func (u *unrolling) sum(t *bv.Term) values {
	p, q := u.valuesOf(t.Args[0]), u.valuesOf(t.Args[1])
	if p.any && q.any {
		return values{any: true}
	}
	var out values
	if p.any || q.any {
		known, other := p, t.Args[1]
		if p.any {
			known, other = q, t.Args[0]
		}
		if t.Width != 64 {
			return values{any: true}
		}
		s := u.strideOf(other)
		for _, n := range known.sorted() {
			// null, or a member behind it, leads nowhere: an access with it is undefined
			if n < maxUnknown && known.pointers() {
				continue
			}
			if objectOf(n) == 0 {
				return values{any: true}
			}
			out.add(values{arrays: map[span]bool{{n, s}: true}}, maxTargets)
		}
		for a := range known.arrays {
			out.add(values{arrays: map[span]bool{{a.base, gcd(a.stride, s)}: true}}, maxTargets)
		}
		return out
	}
	for _, n := range p.sorted() {
		for _, m := range q.sorted() {
			out.add(values{nums: map[uint64]bool{u.b.Num(t.Width, n+m).Val: true}}, maxTargets)
		}
	}
	for _, pair := range [][2]values{{p, q}, {q, p}} {
		for a := range pair[0].arrays {
			for _, m := range pair[1].sorted() {
				out.add(values{arrays: map[span]bool{{a.base + m, a.stride}: true}}, maxTargets)
			}
		}
	}
	if len(p.arrays) > 0 && len(q.arrays) > 0 {
		return values{any: true}
	}
	return out
}

// pointers reports whether addresses are among the values.
func (v values) pointers() bool {
	for n := range v.nums {
		if objectOf(n) != 0 {
			return true
		}
	}
	return len(v.arrays) > 0
}

// strideOf is a number that divides every value of t as an offset; terms share parts, so
// it is kept.
func (u *unrolling) strideOf(t *bv.Term) int64 {
	if n, ok := t.IsNum(); ok {
		return abs(int64(n))
	}
	if s, ok := u.strides[t]; ok {
		return s
	}
	s := u.stride(t)
	u.strides[t] = s
	return s
}

func (u *unrolling) stride(t *bv.Term) int64 {
	switch t.Op {
	case bv.OpMul:
		if n, ok := t.Args[1].IsNum(); ok && int64(n) != 0 {
			return abs(int64(n))
		}
	case bv.OpConcat: // a shift to the left
		if n, ok := t.Args[1].IsNum(); ok && n == 0 && t.Args[1].Width < 32 {
			return 1 << t.Args[1].Width
		}
	case bv.OpNeg:
		return u.strideOf(t.Args[0])
	case bv.OpAdd:
		return gcd(u.strideOf(t.Args[0]), u.strideOf(t.Args[1]))
	case bv.OpIte:
		return gcd(u.strideOf(t.Args[1]), u.strideOf(t.Args[2]))
	case bv.OpZExt:
		if in := t.Args[0]; in.Op == bv.OpConcat || bv.Exact(in) {
			return u.strideOf(in)
		}
	}
	return 1
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
