package vm

import "slices"

// Threads are alike that were started by one thread, with one function and equal
// arguments. Where nothing but their own states tells them apart (irutil.JoinsAtOnce, and
// JoinsAlike in each state), a state in which two of them have changed places has the
// same future, but for the numbers of threads. HashAlike is the same for both: what is
// said of the threads of a kind is put in order.
//
// In a state, a thread keeps its number where something else names it: it has objects of
// its own, has started others, waits for another's end or another waits for its, or it is
// noted in a once control, barrier or shared lock. Those that own locks are named by the
// locks alone; that is told with the thread then.

// start is how a thread was started.
type start struct {
	parent, fn int32
	args       []uint64
}

// started notes how a thread is started.
func (m *Machine) started(t, parent, f int, args []uint64) {
	for len(m.starts) <= t {
		m.starts = append(m.starts, start{})
	}
	s := &m.starts[t]
	s.parent, s.fn, s.args = int32(parent), int32(f), append(s.args[:0], args...)
}

// HashAlike is Hash where threads that are alike may change places.
func (m *Machine) HashAlike() Hash {
	named := m.named()
	h := hasher{14695981039346656037, 0x9e3779b97f4a7c15}
	m.owned = m.owned[:0]
	for i := range m.regions {
		m.hashRegion(&h, i, named)
	}
	m.subs = m.subs[:0]
	for i := range m.threads {
		th := &m.threads[i]
		switch {
		case th.state == Absent:
		case named>>i&1 != 0:
			h.add(uint64(i))
			h.thread(th, m.p)
		default:
			m.subs = append(m.subs, m.alike(i))
		}
	}
	slices.SortFunc(m.subs, func(a, b Hash) int {
		switch {
		case a[0] < b[0] || a[0] == b[0] && a[1] < b[1]:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	for _, x := range m.subs {
		h.add(x[0])
		h.add(x[1])
	}
	return Hash(h)
}

// alike is the hash of how a thread was started, of its state, and of what it owns.
func (m *Machine) alike(t int) Hash {
	h := hasher{14695981039346656037, 0x9e3779b97f4a7c15}
	s := &m.starts[t]
	h.add(uint64(uint32(s.parent))<<32 | uint64(uint32(s.fn)))
	for _, v := range s.args {
		h.add(v)
	}
	h.thread(&m.threads[t], m.p)
	for _, o := range m.owned {
		if o.t == int32(t) {
			h.add(o.cell)
		}
	}
	return Hash(h)
}

// owner is a thread that owns a lock.
type owner struct {
	t    int32
	cell uint64
}

// named are the threads that something names, as a set of bits.
func (m *Machine) named() uint64 {
	named := uint64(1)
	for t := range m.threads {
		th := &m.threads[t]
		if th.state == Absent {
			continue
		}
		if th.kids > 0 || len(m.regions[t+1].objs) > 0 || th.joins >= 0 {
			named |= 1 << t
		}
		if th.joins >= 0 {
			named |= 1 << th.joins
		}
	}
	for i := range m.cells {
		c := &m.cells[i]
		named |= c.arrived
		if c.runner >= 0 {
			named |= 1 << c.runner
		}
		if c.shared > 0 {
			for t := range m.threads {
				if c.holds(t) > 0 {
					named |= 1 << t
				}
			}
		}
	}
	return named
}

// JoinsAlike reports whether each thread that has begun to wait for the ends of others
// comes to the ends of all that it has started, before it does anything else, provided
// that they end. Only then HashAlike is one for states with one future.
func (m *Machine) JoinsAlike() bool {
	kids, joined := [MaxThreads]int{}, [MaxThreads]int{}
	for t := 1; t < len(m.threads); t++ {
		if m.threads[t].state == Absent {
			continue
		}
		p := m.starts[t].parent
		kids[p]++
		if m.threads[t].joined {
			joined[p]++
		}
	}
	for p := range m.threads {
		waits := m.threads[p].state == Joining
		if waits && !m.joinsAll(p) || !waits && joined[p] != 0 && joined[p] != kids[p] {
			return false
		}
	}
	return true
}

// joinsAll reports whether a thread that waits for the end of another one comes to the
// ends of all that it has started, if they end at once. It leaves the state as it was.
func (m *Machine) joinsAll(p int) bool {
	h := hasher{14695981039346656037, 0x9e3779b97f4a7c15}
	h.thread(&m.threads[p], m.p)
	m.hashRegion(&h, p+1, allNamed)
	for t := 1; t < len(m.threads); t++ {
		if th := &m.threads[t]; th.state != Absent && int(m.starts[t].parent) == p {
			h.add(uint64(t)<<1 | bit(th.joined))
		}
	}
	if ok, known := m.joiners[Hash(h)]; known {
		return ok
	}
	mark, sampled := m.Mark(), m.sampled
	for t := range m.threads {
		if th := &m.threads[t]; t > 0 && th.state != Absent && int(m.starts[t].parent) == p &&
			!th.joined {
			m.saveThread(t)
			th.state = Ended
		}
	}
	m.saveThread(p)
	m.joined(p, int(m.threads[p].joins))
	m.run(p)
	ok := m.reason == ""
	for t := 1; t < len(m.threads); t++ {
		if th := &m.threads[t]; th.state != Absent && int(m.starts[t].parent) == p && !th.joined {
			ok = false
		}
	}
	m.born, m.late = m.born[:0], m.late[:0]
	m.reason, m.sampled = "", sampled
	m.endStep()
	m.Undo(mark)
	if m.joiners == nil {
		m.joiners = map[Hash]bool{}
	}
	m.joiners[Hash(h)] = ok
	return ok
}
