// Chain replication: updates go from the head of a chain of servers to its tail, which
// answers the client. A server may fail at any time; the master then joins its
// neighbours.
package main

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	servers  = 4
	updates  = 3
	failures = 2 // at most
)

// The kinds of messages: between servers, of the master, of the fault, to the client.
const (
	update = iota
	ack
	query
	newNext
	newPrev
	die
	dead
	reply
	value
	newHead
	newTail
)

type msg struct{ kind, n int }

var (
	yes, no = make(chan int), make(chan int)
	box     = [servers]chan msg{make(chan msg, 16), make(chan msg, 16), make(chan msg, 16), make(chan msg, 16)}
	client  = make(chan msg, 32)
	master  = make(chan msg, 4)
	over    = make(chan int, 1)
)

// flip is either.
func flip() bool {
	select {
	case <-yes:
		return true
	case <-no:
		return false
	}
}

func server(i int) {
	seen, acked := 0, 0 // the last update here, and at the tail as far as is known
	next, prev := i+1, i-1
	for {
		m := <-box[i]
		switch m.kind {
		case die:
			master <- msg{dead, i}
			return
		case update:
			if m.n <= seen && bug != 3 {
				continue // sent again
			}
			if m.n != seen+1 {
				panic("an update is missing, or comes twice")
			}
			if bug != 8 || next == servers { // 8: only the tail keeps it
				seen = m.n
			}
			if bug == 1 && i == servers-2 {
				client <- msg{reply, m.n} // before the tail has it
			}
			if next < servers {
				box[next] <- m
				continue
			}
			acked = seen
			client <- msg{reply, m.n}
			if prev >= 0 {
				box[prev] <- msg{ack, m.n}
			}
		case ack:
			acked = m.n
			if prev >= 0 {
				box[prev] <- m
			}
		case newPrev:
			prev = m.n
		case newNext:
			next = m.n
			switch {
			case bug == 2 && next < servers: // nothing is sent again
			case bug == 4 && next < servers: // the last one first
				for n := seen; n > acked; n-- {
					box[next] <- msg{update, n}
				}
			case next < servers:
				from := acked + 1
				if bug == 7 { // one less than is missing
					from++
				}
				for n := from; n <= seen; n++ {
					box[next] <- msg{update, n}
				}
			default:
				for n := acked + 1; n <= seen; n++ {
					client <- msg{reply, n}
				}
				acked = seen
			}
		case query:
			client <- msg{value, seen}
		}
	}
}

// join is the master: it tells the neighbours of a dead server, and the client.
func join() {
	var gone [servers]bool
	for {
		i := (<-master).n
		gone[i] = true
		p, n := i-1, i+1
		for p >= 0 && gone[p] && bug != 6 { // 6: the neighbour is taken to live
			p--
		}
		for n < servers && gone[n] {
			n++
		}
		if n < servers {
			box[n] <- msg{newPrev, p}
		}
		if p >= 0 {
			box[p] <- msg{newNext, n}
		}
		if p < 0 {
			client <- msg{newHead, n}
		}
		if n == servers {
			client <- msg{newTail, p}
		}
	}
}

// fault lets servers fail, not all.
func fault() {
	for i, n := 0, 0; i < servers; i++ {
		if n < failures && flip() {
			n++
			box[i] <- msg{die, 0}
		}
	}
}

func user() {
	head, tail, replied := 0, servers-1, 0
	for n := 1; n <= updates; n++ {
		box[head] <- msg{update, n}
	}
	asked := false
	for {
		m := <-client
		switch m.kind {
		case reply:
			if m.n > replied {
				replied = m.n
			}
		case newHead:
			head = m.n
			for n := replied + 1; n <= updates; n++ {
				if bug == 5 && n == replied+1 {
					continue // that it had arrived is taken for granted
				}
				box[head] <- msg{update, n}
			}
		case newTail:
			tail, asked = m.n, false
		case value:
			if m.n < replied {
				panic("an update that was answered is not there")
			}
			if replied == updates {
				over <- 1
				return
			}
			asked = false
		}
		if replied > 0 && !asked {
			asked = true
			box[tail] <- msg{query, replied}
		}
	}
}

func main() {
	close(yes)
	close(no)
	for i := 0; i < servers; i++ {
		go server(i)
	}
	go join()
	go user()
	go fault()
	<-over
}
