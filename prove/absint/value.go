package absint

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"whoop/ir"
)

// maxSet bounds the values that are listed one by one, maxNot those that are left out of
// an interval.
const (
	maxSet = 12
	maxNot = 3
)

// The ends of intervals: minimum and maximum also stand for all that is beyond them.
const (
	negInf = math.MinInt64
	posInf = math.MaxInt64
)

// A Value is a set of integers: what a register or a cell may hold. Booleans are 0 and 1,
// pointers unsigned addresses of which only being null is known. The set is listed, or an
// interval without some values.
type Value struct {
	lo, hi int64
	set    []int64 // sorted; not nil: exactly these
	not    []int64 // sorted; only where set is nil
}

var (
	nothing  = Value{lo: 1, hi: 0}
	anything = Value{lo: negInf, hi: posInf}
	boolean  = listed(0, 1)
	truth    = listed(1)
	falsity  = listed(0)
	nonNull  = Value{lo: 1, hi: posInf}
)

// listed is the set of some values.
func listed(vs ...int64) Value {
	if len(vs) == 0 {
		return nothing
	}
	vs = slices.Clone(vs)
	slices.Sort(vs)
	vs = slices.Compact(vs)
	v := Value{lo: vs[0], hi: vs[len(vs)-1], set: vs}
	if len(vs) > maxSet || v.lo == negInf || v.hi == posInf {
		v.set = nil
	}
	return v
}

// between is an interval; small ones are listed.
func between(lo, hi int64) Value {
	if lo > hi {
		return nothing
	}
	if lo != negInf && hi != posInf && hi-lo >= 0 && hi-lo < maxSet {
		var vs []int64
		for x := lo; x <= hi; x++ {
			vs = append(vs, x)
		}
		return listed(vs...)
	}
	return Value{lo: lo, hi: hi}
}

// without removes values from an interval.
func (v Value) without(xs ...int64) Value {
	if v.empty() {
		return v
	}
	if v.set != nil {
		var out []int64
		for _, x := range v.set {
			if !slices.Contains(xs, x) {
				out = append(out, x)
			}
		}
		return listed(out...)
	}
	not := slices.Concat(v.not, xs)
	slices.Sort(not)
	not = slices.Compact(not)
	for {
		if i, ok := slices.BinarySearch(not, v.lo); ok && v.lo != negInf {
			v.lo++
			not = not[i+1:]
			continue
		}
		if i, ok := slices.BinarySearch(not, v.hi); ok && v.hi != posInf {
			v.hi--
			not = not[:i]
			continue
		}
		break
	}
	w := between(v.lo, v.hi)
	if w.empty() {
		return nothing
	}
	if w.set != nil {
		return w.without(not...)
	}
	for _, x := range not {
		if x > w.lo && x < w.hi && len(w.not) < maxNot {
			w.not = append(w.not, x)
		}
	}
	return w
}

func (v Value) empty() bool { return v.lo > v.hi }

// single returns the only value.
func (v Value) single() (int64, bool) {
	if len(v.set) == 1 {
		return v.set[0], true
	}
	return 0, false
}

// has reports whether the set may contain x.
func (v Value) has(x int64) bool {
	if v.set != nil {
		return slices.Contains(v.set, x)
	}
	return v.lo <= x && x <= v.hi && !slices.Contains(v.not, x)
}

func (v Value) equal(w Value) bool {
	if v.empty() || w.empty() {
		return v.empty() && w.empty()
	}
	return v.lo == w.lo && v.hi == w.hi && slices.Equal(v.set, w.set) && slices.Equal(v.not, w.not)
}

// within reports whether all values of v are in w.
func (v Value) within(w Value) bool { return v.empty() || v.join(w).equal(w) }

// join is the union, or more.
func (v Value) join(w Value) Value {
	switch {
	case v.empty():
		return w
	case w.empty():
		return v
	case v.set != nil && w.set != nil:
		u := listed(slices.Concat(v.set, w.set)...)
		if u.set == nil && !v.has(0) && !w.has(0) {
			return u.without(0)
		}
		return u
	}
	u := Value{lo: min(v.lo, w.lo), hi: max(v.hi, w.hi)}
	var not []int64
	for _, x := range append(slices.Concat(v.not, w.not), 0) {
		if !v.has(x) && !w.has(x) && x > u.lo && x < u.hi && !slices.Contains(not, x) && len(not) < maxNot {
			not = append(not, x)
		}
	}
	slices.Sort(not)
	u.not = not
	return u
}

// meet is the intersection, or more.
func (v Value) meet(w Value) Value {
	if v.empty() || w.empty() {
		return nothing
	}
	if w.set != nil && v.set == nil {
		v, w = w, v
	}
	if v.set != nil {
		var out []int64
		for _, x := range v.set {
			if w.has(x) {
				out = append(out, x)
			}
		}
		return listed(out...)
	}
	u := between(max(v.lo, w.lo), min(v.hi, w.hi))
	if u.empty() {
		return nothing
	}
	return u.without(slices.Concat(v.not, w.not)...)
}

// widen is a join that ends ascending chains: bounds that moved go to the next threshold.
func (v Value) widen(w Value, thresholds []int64) Value {
	u := v.join(w)
	if u.equal(v) || v.empty() {
		return u
	}
	lo, hi := v.lo, v.hi
	if u.lo < v.lo {
		i, ok := slices.BinarySearch(thresholds, u.lo)
		switch {
		case ok:
			lo = u.lo
		case i > 0:
			lo = thresholds[i-1]
		default:
			lo = negInf
		}
	}
	if u.hi > v.hi {
		i, _ := slices.BinarySearch(thresholds, u.hi)
		if i < len(thresholds) {
			hi = thresholds[i]
		} else {
			hi = posInf
		}
	}
	out := between(lo, hi)
	for _, x := range append(slices.Clone(u.not), 0) {
		if !u.has(x) {
			out = out.without(x)
		}
	}
	return out
}

// String writes the set.
func (v Value) String() string {
	if v.empty() {
		return "none"
	}
	if v.set != nil {
		return "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(v.set), " ", ", "), "[]") + "}"
	}
	end := func(x int64) string {
		switch x {
		case negInf:
			return "-inf"
		case posInf:
			return "inf"
		}
		return fmt.Sprint(x)
	}
	s := "[" + end(v.lo) + ", " + end(v.hi) + "]"
	if len(v.not) > 0 {
		s += " without " + fmt.Sprint(v.not)
	}
	return s
}

// Contains reports whether a number may be in the set.
func (v Value) Contains(x *big.Int) bool {
	if v.empty() {
		return false
	}
	if x.IsInt64() {
		if y := x.Int64(); y != negInf && y != posInf {
			return v.has(y)
		}
	}
	if x.Sign() > 0 {
		return v.hi == posInf
	}
	return v.lo == negInf
}

// intType is the integer type whose values a type's are: pointers are unsigned numbers.
func intType(t ir.Type) (ir.Int, bool) {
	switch t := t.(type) {
	case ir.Int:
		return t, true
	case ir.Bool:
		return ir.Int{Bits: 1}, true
	case ir.Ptr:
		return ir.U64, true
	}
	return ir.Int{}, false
}

// limits are the ends of a type.
func limits(t ir.Int) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if t.Signed {
		hi = new(big.Int).Lsh(one, uint(t.Bits-1))
		lo = new(big.Int).Neg(hi)
		return lo, hi.Sub(hi, one)
	}
	hi = new(big.Int).Lsh(one, uint(t.Bits))
	return new(big.Int), hi.Sub(hi, one)
}

// full is all values of a type.
func full(t ir.Type) Value {
	i, ok := intType(t)
	if !ok {
		return anything
	}
	lo, hi := limits(i)
	return between(clip(lo), clip(hi))
}

// clip makes a number the end of an interval.
func clip(x *big.Int) int64 {
	if x.IsInt64() {
		return x.Int64()
	}
	if x.Sign() < 0 {
		return negInf
	}
	return posInf
}

// bounds are the ends of v as numbers of the type.
func (v Value) bounds(t ir.Int) (lo, hi *big.Int) {
	l, h := limits(t)
	lo, hi = big.NewInt(v.lo), big.NewInt(v.hi)
	if v.lo == negInf || lo.Cmp(l) < 0 {
		lo = l
	}
	if v.hi == posInf || hi.Cmp(h) > 0 {
		hi = h
	}
	return lo, hi
}

// wrapped is what the numbers from lo to hi are in a type; fits tells that they are in it
// as they are.
func wrapped(t ir.Int, lo, hi *big.Int) (v Value, fits bool) {
	l, h := limits(t)
	if lo.Cmp(l) >= 0 && hi.Cmp(h) <= 0 {
		return between(clip(lo), clip(hi)), true
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	k1 := new(big.Int).Div(new(big.Int).Sub(lo, l), m) // Euclidean: rounds down, as m > 0
	k2 := new(big.Int).Div(new(big.Int).Sub(hi, l), m)
	if k1.Cmp(k2) != 0 {
		return full(t), false
	}
	k1.Mul(k1, m)
	return between(clip(new(big.Int).Sub(lo, k1)), clip(new(big.Int).Sub(hi, k1))), false
}

// as is v, a set of values of type from, converted to a type.
func (v Value) as(from, to ir.Int) Value {
	if v.empty() || from == to {
		return v
	}
	if v.set != nil {
		var out []int64
		for _, x := range v.set {
			w := ir.Wrap(to, big.NewInt(x))
			if !w.IsInt64() {
				return full(to).meetInterval(v, from, to)
			}
			out = append(out, w.Int64())
		}
		return listed(out...)
	}
	return full(to).meetInterval(v, from, to)
}

// meetInterval converts the interval of v; the values left out stay so where nothing
// wraps.
func (top Value) meetInterval(v Value, from, to ir.Int) Value {
	lo, hi := v.bounds(from)
	w, fits := wrapped(to, lo, hi)
	if fits && v.set == nil {
		return w.without(v.not...)
	}
	if to.Bits >= from.Bits && !v.has(0) { // extension, or another sign: only 0 becomes 0
		return w.without(0)
	}
	return w
}

// Empty reports whether there is no value: what has it is not reached.
func (v Value) Empty() bool { return v.empty() }

// List returns the values in ascending order; nil where the set is an interval.
func (v Value) List() []int64 { return slices.Clone(v.set) }

// Interval returns the least and the greatest value, which are nil where the set goes
// beyond the numbers of 64 bits or ends there, and values between them that are not in
// the set.
func (v Value) Interval() (lo, hi *int64, not []int64) {
	if v.lo != negInf {
		lo = &v.lo
	}
	if v.hi != posInf {
		hi = &v.hi
	}
	return lo, hi, slices.Clone(v.not)
}
