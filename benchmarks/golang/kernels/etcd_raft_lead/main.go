// In the manner of etcd #3077: the server starts the raft node's goroutine, which then sets up fields of the node that the server's own loop
// reads, too.
package main

import "sync"

type node struct {
	stop chan bool
	lead int
}

func (n *node) run(wg *sync.WaitGroup) {
	defer wg.Done()
	n.lead = 1 // RACE!
	<-n.stop
}

type server struct{ raft node }

func (s *server) run(wg *sync.WaitGroup) {
	wg.Add(1)
	go s.raft.run(wg)
	if s.raft.lead != 0 { // RACE!
		println("led")
	}
	close(s.raft.stop)
}

func main() {
	var wg sync.WaitGroup
	s := &server{raft: node{stop: make(chan bool)}}
	s.run(&wg)
	wg.Wait()
}
