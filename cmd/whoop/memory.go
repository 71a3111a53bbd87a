package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The collector takes a fifth of the time for large Go packages where the heap may only
// double between collections. So it may become three times as large, as long as that is
// less than heapGoal; then less and less, down to a part more that costs little.
const (
	heapGoal  = 2400 << 20
	mostMore  = 200 // percent
	leastMore = 60
)

// balance lets the collector trade time for memory, unless the environment says how.
func balance() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(mostMore)
	type mark struct{ self *mark } // not tiny: those share memory
	now := mostMore
	var after func(*mark)
	after = func(m *mark) { // after each collection
		if more := moreThan(liveBytes()); more != now {
			debug.SetGCPercent(more)
			now = more
		}
		runtime.SetFinalizer(m, after)
	}
	runtime.SetFinalizer(&mark{}, after)
}

// moreThan is how many percent the heap may grow before the next collection.
func moreThan(live uint64) int {
	if live == 0 {
		return mostMore
	}
	more := (int64(heapGoal) - int64(live)) * 100 / int64(live)
	return int(min(max(more, leastMore), mostMore)) / 10 * 10
}

// liveBytes is what the last collection has found in use.
func liveBytes() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
