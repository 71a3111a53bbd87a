package explicit

// A thread's number may be used again once it was waited for, as systems do: else a loop
// that starts threads and waits for them has states without end. A handle is of the
// number and of which use it is; the uses of a number are told apart by turns. Who waits
// for a thread by the handle of an earlier use waits for a thread that is no more, which
// has no meaning. (It need not survive several uses: a thread that holds such a handle
// may wait at once, in another execution.)

// reuseFrom is how many numbers there are before some are used again.
const reuseFrom = 8

const (
	waited = 1 << iota // the thread was waited for
	turn               // changes with each use of the number
)

// number is the number of a new thread.
func (x *exec) number() int32 {
	if len(x.s.ended) >= reuseFrom {
		for n, u := range x.s.uses {
			if u&waited != 0 && !x.named(int32(n)) {
				x.s.ended[n], x.s.results[n], x.s.uses[n] = false, val{}, (u^turn)&^waited
				return int32(n)
			}
		}
	}
	x.s.ended, x.s.results, x.s.uses = append(x.s.ended, false), append(x.s.results, val{}), append(x.s.uses, 0)
	return int32(len(x.s.ended) - 1)
}

// named reports whether a handle of a number is in shared memory, or known to this
// thread.
func (x *exec) named(n int32) bool {
	found := false
	look := func(v val) val {
		found = found || v.kind == handle && v.o == n
		return v
	}
	x.s.each(look)
	x.l.each(look)
	return found
}

// handleOf is a thread's handle.
func (x *exec) handleOf(n int32) val { return val{kind: handle, o: n, n: int64(x.s.uses[n] & turn)} }
