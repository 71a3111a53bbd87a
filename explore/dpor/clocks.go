package dpor

// clocks are the vector clocks of the threads and of the events, in flat arrays. Entry u
// of a clock is how many events of thread u come before, or are, what the clock is of.
type clocks struct {
	width   int
	threads []int32 // a row a thread: all that comes before its next event
	events  []int32 // a row an event, its own included
	journal []int32 // rows of threads before they were changed: the row, then the thread
}

func (c *clocks) init(width int) {
	c.width = max(width, 1)
	c.threads, c.events, c.journal = make([]int32, c.width*c.width), nil, nil
}

// row is the clock of a thread.
func (c *clocks) row(t int) []int32 { return c.threads[t*c.width : (t+1)*c.width] }

// event is the clock of an event.
func (c *clocks) event(i int32) []int32 { return c.events[int(i)*c.width : (int(i)+1)*c.width] }

// before is the clock that event i's thread had before it; i is the first entry of the
// journal that it made.
func (c *clocks) at(journal int32) []int32 { return c.journal[journal : int(journal)+c.width] }

// save notes a thread's clock, for undo, and tells where.
func (c *clocks) save(t int) int32 {
	at := int32(len(c.journal))
	c.journal = append(c.journal, c.row(t)...)
	c.journal = append(c.journal, int32(t))
	return at
}

// stamp makes the clock of a thread, with one event more, that of the next event, whose
// index it returns.
func (c *clocks) stamp(t int) int32 {
	n := len(c.events)
	c.events = append(c.events, c.row(t)...)
	index := c.events[n+t] + 1
	c.events[n+t], c.threads[t*c.width+t] = index, index
	return index
}

// join adds a clock to a thread's.
func (c *clocks) join(t int, d []int32) {
	r := c.row(t)[:len(d)]
	for i, v := range d {
		if v > r[i] {
			r[i] = v
		}
	}
}

// undo takes back what was changed since the journal had so many entries, and the last
// event's clock.
func (c *clocks) undo(journal int) {
	for len(c.journal) > journal {
		n := len(c.journal) - 1
		t := int(c.journal[n])
		copy(c.row(t), c.journal[n-c.width:n])
		c.journal = c.journal[:n-c.width]
	}
	c.events = c.events[:len(c.events)-c.width]
}

// widen makes room for more threads.
func (c *clocks) widen(width int) {
	spread := func(rows []int32, extra int) []int32 {
		n := len(rows) / (c.width + extra)
		out := make([]int32, 0, n*(width+extra))
		for k := range n {
			row := rows[k*(c.width+extra) : (k+1)*(c.width+extra)]
			out = append(out, row[:c.width]...)
			out = append(out, make([]int32, width-c.width)...)
			out = append(out, row[c.width:]...)
		}
		return out
	}
	c.threads = append(spread(c.threads, 0), make([]int32, (width-c.width)*width)...)
	c.events = spread(c.events, 0)
	c.journal = spread(c.journal, 1)
	c.width = width
}
