// Transaction management: two accounts, each with a server that grants its lock,
// three clients that move money or abort, and one that looks whether all of it is there.
package main

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	accounts = 2
	clients  = 4
	start    = 3
)

// The kinds of messages.
const (
	lock = iota
	unlock
	read
	write
)

type msg struct{ kind, from, value int }

var (
	yes, no = make(chan int), make(chan int)
	box     = [accounts]chan msg{make(chan msg, 16), make(chan msg, 16)}
	inbox   = [clients]chan int{make(chan int, 4), make(chan int, 4), make(chan int, 4), make(chan int, 4)}
	over    = make(chan int, clients)
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

func account(k int) {
	owner, value := -1, start
	var queue [clients]int
	waiting := 0
	for {
		m := <-box[k]
		switch m.kind {
		case lock:
			if owner >= 0 {
				queue[waiting] = m.from
				waiting++
				continue
			}
			owner = m.from
			inbox[m.from] <- 0
		case unlock:
			owner = -1
			if waiting > 0 {
				next := queue[0]
				waiting--
				for i := 0; i < waiting; i++ {
					queue[i] = queue[i+1]
				}
				if bug != 4 { // 4: who gets the lock is not written down
					owner = next
				}
				inbox[next] <- 0
			}
		case read:
			inbox[m.from] <- value
		case write:
			value = m.value
		}
	}
}

// ask sends a request, and waits for the answer.
func ask(c, k, kind int) int {
	box[k] <- msg{kind, c, 0}
	return <-inbox[c]
}

func move(c int) {
	first, second := 0, 1
	if bug == 1 && c == 1 { // locks in another order
		first, second = 1, 0
	}
	ask(c, first, lock)
	ask(c, second, lock)
	a, b := ask(c, 0, read), ask(c, 1, read)
	box[0] <- msg{write, c, a - 1}
	switch {
	case flip():
		if bug != 2 { // 2: what was written stays
			box[0] <- msg{write, c, a}
		}
	case bug == 3: // the locks are given back before all is written
		box[0] <- msg{unlock, c, 0}
		box[1] <- msg{unlock, c, 0}
		box[1] <- msg{write, c, b + 1}
		over <- 1
		return
	default:
		box[1] <- msg{write, c, b + 1}
	}
	box[second] <- msg{unlock, c, 0}
	box[first] <- msg{unlock, c, 0}
	over <- 1
}

func audit(c int) {
	ask(c, 0, lock)
	a := ask(c, 0, read)
	ask(c, 1, lock)
	if a+ask(c, 1, read) != accounts*start {
		panic("money is missing")
	}
	box[1] <- msg{unlock, c, 0}
	box[0] <- msg{unlock, c, 0}
	over <- 1
}

func main() {
	close(yes)
	close(no)
	for k := 0; k < accounts; k++ {
		go account(k)
	}
	go move(0)
	go move(1)
	go move(2)
	go audit(3)
	for c := 0; c < clients; c++ {
		<-over
	}
}
