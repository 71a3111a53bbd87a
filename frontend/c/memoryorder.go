package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// orders are gcc's numbers of memory orders; who consumes acquires.
var orders = [...]ir.Order{ir.Relaxed, ir.Acquire, ir.Acquire, ir.Release, ir.AcqRel, ir.SeqCst}

// memoryOrder is the order that an __atomic or __c11_atomic function is given as its last
// argument, a comparison's for its success as the one before. One that is not known
// orders nothing. The __sync functions have none: full barriers, but for one.
func memoryOrder(name string, as []cc.ExpressionNode) ir.Order {
	if strings.HasPrefix(name, "__sync_lock_test_and_set") { // an acquire barrier, and no release
		return ir.Acquire
	}
	if strings.HasPrefix(name, "__sync_") {
		return ir.SeqCst
	}
	last := len(as) - 1
	if strings.Contains(name, "_atomic_compare_exchange") {
		last--
	}
	if last < 0 {
		return ir.Relaxed
	}
	if n, ok := intValue(as[last]); ok && n.IsInt64() && n.Int64() >= 0 && n.Int64() < int64(len(orders)) {
		return orders[n.Int64()]
	}
	return ir.Relaxed
}
