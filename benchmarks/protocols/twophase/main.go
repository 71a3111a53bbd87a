// Two-phase commit: a coordinator and two participants, two transactions.
package main

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	parts = 2
	txs   = 2
)

// The kinds of messages.
const (
	prepare = iota
	vote
	commit
	abort
	timeout
)

type msg struct{ kind, from, tx, yes int }

var (
	yes, no = make(chan int), make(chan int)
	coord   = make(chan msg, 8)
	part    = [parts]chan msg{make(chan msg, 8), make(chan msg, 8)}
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

func coordinator() {
	for tx := 1; tx <= txs; tx++ {
		for p := 0; p < parts; p++ {
			part[p] <- msg{prepare, 0, tx, 0}
		}
		votes, answers, late := 0, 0, false
		for answers < parts && !late {
			m := <-coord
			if m.tx != tx && bug != 1 {
				continue // of a transaction that is over
			}
			if m.kind == timeout {
				late = true
				continue
			}
			answers++
			votes += m.yes
		}
		ok := votes == parts
		if bug == 2 { // a majority is taken to suffice
			ok = votes > 0 && votes*2 >= parts
		}
		if bug == 3 { // who did not answer in time is not asked
			ok = votes == answers
		}
		k := abort
		if ok {
			k = commit
		}
		for p := 0; p < parts; p++ {
			part[p] <- msg{k, 0, tx, 0}
		}
	}
	over <- 1
}

func participant(p int) {
	var voted [txs + 1]int // 1: yes, 2: no, or aborted on one's own
	for {
		m := <-part[p]
		switch m.kind {
		case prepare:
			v := 0
			voted[m.tx] = 2
			if flip() {
				v, voted[m.tx] = 1, 1
			}
			coord <- msg{vote, p, m.tx, v}
			if bug == 4 && v == 1 && flip() {
				voted[m.tx] = 2 // does not wait for the decision
			}
		case commit:
			if voted[m.tx] != 1 {
				panic("committed what a participant has not agreed to")
			}
		}
	}
}

func timer() {
	coord <- msg{timeout, 0, 1, 0}
	coord <- msg{timeout, 0, 2, 0}
}

func main() {
	close(yes)
	close(no)
	for p := 0; p < parts; p++ {
		go participant(p)
	}
	go timer()
	go coordinator()
	<-over
}
