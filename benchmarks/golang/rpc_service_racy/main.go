// A service of net/rpc: each call runs its method in a goroutine of its own, with arguments
// and a reply that are new.
package main

import (
	"log"
	"net"
	"net/rpc"
	"sync"
)

type Args struct{ Key, Value string }

type Store struct {
	mu    sync.Mutex
	data  map[string]string
	calls int
}

func (s *Store) Put(args *Args, old *string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	*old = s.data[args.Key]
	s.data[args.Key] = args.Value
	s.calls++ // RACE!
	return nil
}

func (s *Store) Calls(_ *struct{}, n *int) error {
	*n = s.calls // RACE!
	return nil
}

func main() {
	srv := rpc.NewServer()
	if err := srv.RegisterName("store", &Store{data: map[string]string{}}); err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "localhost:4000")
	if err != nil {
		log.Fatal(err)
	}
	srv.Accept(l)
}
