// Paxos: three proposers with a ballot each, and three acceptors. One value is chosen.
package main

import "sync/atomic"

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	acceptors = 3
	proposers = 3
)

// The kinds of messages.
const (
	prepare = iota
	promise
	denied
	accept
	accepted
	refused
)

type msg struct{ kind, from, ballot, had, value int }

var (
	acc    = [acceptors]chan msg{make(chan msg, 8), make(chan msg, 8), make(chan msg, 8)}
	inbox  = [proposers]chan msg{make(chan msg, 8), make(chan msg, 8), make(chan msg, 8)}
	over   = make(chan int, proposers)
	chosen atomic.Int32
)

// learn is told of a value that a majority has accepted.
func learn(v int) {
	if !chosen.CompareAndSwap(0, int32(v)) && chosen.Load() != int32(v) {
		panic("two values are chosen")
	}
}

func acceptor(a int) {
	promised, had, value := 0, 0, 0
	for {
		m := <-acc[a]
		switch m.kind {
		case prepare:
			if m.ballot <= promised {
				inbox[m.from] <- msg{denied, a, m.ballot, 0, 0}
				continue
			}
			promised = m.ballot
			inbox[m.from] <- msg{promise, a, m.ballot, had, value}
		case accept:
			if m.ballot < promised && bug != 3 { // 3: what was promised is forgotten
				inbox[m.from] <- msg{refused, a, m.ballot, 0, 0}
				continue
			}
			if bug != 4 { // 4: to accept is no promise
				promised = m.ballot
			}
			had, value = m.ballot, m.value
			inbox[m.from] <- msg{accepted, a, m.ballot, 0, 0}
		}
	}
}

func proposer(p int) {
	propose(p)
	over <- 1
}

func propose(p int) {
	ballot, value, quorum := p+1, p+1, acceptors/2+1
	if bug == 5 { // half of them, rounded down
		quorum = acceptors / 2
	}
	for a := 0; a < acceptors; a++ {
		acc[a] <- msg{prepare, p, ballot, 0, 0}
	}
	promises, best := 0, 0
	for answers := 0; answers < acceptors && promises < quorum; answers++ {
		m := <-inbox[p]
		if m.kind != promise {
			continue
		}
		promises++
		if m.had > best || bug == 2 && m.had > 0 { // 2: the last one that is heard of
			best = m.had
			if bug != 1 { // 1: its own value in any case
				value = m.value
			}
		}
	}
	if promises < quorum {
		return
	}
	for a := 0; a < acceptors; a++ {
		acc[a] <- msg{accept, p, ballot, 0, value}
	}
	votes := 0
	for answers := 0; answers < acceptors; {
		m := <-inbox[p]
		switch m.kind {
		case accepted:
			answers, votes = answers+1, votes+1
		case refused:
			answers++
		}
	}
	if votes >= quorum {
		learn(value)
	}
}

func main() {
	for a := 0; a < acceptors; a++ {
		go acceptor(a)
	}
	for p := 0; p < proposers; p++ {
		go proposer(p)
	}
	for p := 0; p < proposers; p++ {
		<-over
	}
}
