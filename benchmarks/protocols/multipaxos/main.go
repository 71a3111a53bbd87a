// Multi-Paxos: two leaders, each with one ballot for the three slots of a log, and three
// acceptors.
package main

import "sync/atomic"

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	acceptors = 3
	leaders   = 2
	slots     = 3
	quorum    = 2
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

type msg struct {
	kind, from, ballot, slot, value int
	had, has                        [slots]int // ballots and values that were accepted
}

var (
	acc    = [acceptors]chan msg{make(chan msg, 8), make(chan msg, 8), make(chan msg, 8)}
	inbox  = [leaders]chan msg{make(chan msg, 8), make(chan msg, 8)}
	over   = make(chan int, leaders)
	chosen [slots]atomic.Int32
)

// learn is told of a value that a majority has accepted.
func learn(slot, v int) {
	if !chosen[slot].CompareAndSwap(0, int32(v)) && chosen[slot].Load() != int32(v) {
		panic("two values are chosen for a slot")
	}
}

func acceptor(a int) {
	var promised, had, has [slots]int
	for {
		m := <-acc[a]
		switch m.kind {
		case prepare:
			if m.ballot <= promised[0] {
				inbox[m.from] <- msg{kind: denied, ballot: m.ballot}
				continue
			}
			for s := 0; s < slots; s++ {
				if bug != 3 || s == 0 { // 3: it is promised for the first slot alone
					promised[s] = m.ballot
				}
			}
			inbox[m.from] <- msg{kind: promise, ballot: m.ballot, had: had, has: has}
		case accept:
			if m.ballot < promised[m.slot] {
				inbox[m.from] <- msg{kind: refused, ballot: m.ballot, slot: m.slot}
				continue
			}
			had[m.slot], has[m.slot] = m.ballot, m.value
			inbox[m.from] <- msg{kind: accepted, ballot: m.ballot, slot: m.slot}
		}
	}
}

func leader(p int) {
	lead(p)
	over <- 1
}

func lead(p int) {
	ballot := p + 1
	for a := 0; a < acceptors; a++ {
		acc[a] <- msg{kind: prepare, from: p, ballot: ballot}
	}
	var best, value [slots]int
	promises := 0
	for answers := 0; answers < acceptors && promises < quorum; answers++ {
		m := <-inbox[p]
		if m.kind != promise {
			continue
		}
		promises++
		for s := 0; s < slots; s++ {
			if m.had[s] > best[s] && (bug != 1 || s == 0) { // 1: the first slot alone is looked at
				best[s], value[s] = m.had[s], m.has[s]
			}
		}
	}
	if promises < quorum {
		return
	}
	votes := 0
	for s := 0; s < slots; s++ {
		if value[s] == 0 {
			value[s] = ballot*10 + s
		}
		for a := 0; a < acceptors; a++ {
			acc[a] <- msg{kind: accept, from: p, ballot: ballot, slot: s, value: value[s]}
		}
		if bug != 2 { // 2: the votes for the slot before count, too
			votes = 0
		}
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
			learn(s, value[s])
		}
	}
}

func main() {
	for a := 0; a < acceptors; a++ {
		go acceptor(a)
	}
	for p := 0; p < leaders; p++ {
		go leader(p)
	}
	for p := 0; p < leaders; p++ {
		<-over
	}
}
