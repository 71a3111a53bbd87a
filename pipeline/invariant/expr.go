package invariant

import (
	"fmt"
	"math"
	"strings"

	"whoop/frontend/c"
	"whoop/prove/absint"
)

// expression says in C that a variable has a value of a set; "" where it is any.
func expression(v c.Var, x absint.Value) string {
	if x.Empty() {
		return "0"
	}
	if v.Pointer {
		return pointer(v.Expr, x)
	}
	low, high := limits(v)
	if xs := x.List(); len(xs) > 0 {
		if xs[len(xs)-1]-xs[0] != int64(len(xs)-1) && len(xs) <= maxListed {
			var or []string
			for _, n := range xs {
				or = append(or, v.Expr+" == "+constant(n))
			}
			return strings.Join(or, " || ")
		}
		return between(v.Expr, &xs[0], &xs[len(xs)-1], low, high)
	}
	lo, hi, not := x.Interval()
	out := between(v.Expr, lo, hi, low, high)
	for _, n := range not {
		if out != "" {
			out += " && "
		}
		out += v.Expr + " != " + constant(n)
	}
	return out
}

// between says that an expression is in an interval, as far as its type does not.
func between(e string, lo, hi *int64, low, high int64) string {
	if lo != nil && hi != nil && *lo == *hi {
		return e + " == " + constant(*lo)
	}
	var and []string
	if lo != nil && *lo > low {
		and = append(and, constant(*lo)+" <= "+e)
	}
	if hi != nil && *hi < high {
		and = append(and, e+" <= "+constant(*hi))
	}
	return strings.Join(and, " && ")
}

// pointer says whether a pointer is null, where that is known.
func pointer(e string, x absint.Value) string {
	xs := x.List()
	if len(xs) == 1 && xs[0] == 0 {
		return e + " == 0"
	}
	lo, _, not := x.Interval()
	if lo != nil && *lo > 0 || len(not) > 0 && not[0] == 0 || len(xs) > 0 && xs[0] > 0 {
		return e + " != 0"
	}
	return ""
}

// limits are the ends of a variable's type, as far as numbers of 64 bits can say them.
func limits(v c.Var) (low, high int64) {
	switch {
	case v.Int.Signed && v.Int.Bits >= 64:
		return math.MinInt64, math.MaxInt64
	case v.Int.Signed:
		return -1 << (v.Int.Bits - 1), 1<<(v.Int.Bits-1) - 1
	case v.Int.Bits >= 64:
		return 0, math.MaxInt64
	}
	return 0, 1<<v.Int.Bits - 1
}

// constant writes a number so that a comparison with it is one of the numbers.
func constant(n int64) string {
	if n > math.MaxInt32 || n <= math.MinInt32 {
		return fmt.Sprintf("%dLL", n)
	}
	return fmt.Sprint(n)
}
