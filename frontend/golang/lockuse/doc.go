// Package lockuse looks for mistakes with locks, WaitGroups and channels in Go packages
// that are no races by themselves:
//
//   - lock-copy: a value that holds a lock (sync.Mutex, …) is copied, by an assignment, a
//     parameter, a receiver, a result or a range clause: the copy is a lock of its own,
//     which protects nothing that the other does;
//   - lock-held-blocking: a lock is held at a channel operation that may block, or at a
//     Wait for other goroutines: if who would end the waiting needs the lock, nobody goes
//     on;
//   - waitgroup-add: a goroutine adds to a WaitGroup that who started it may be waiting
//     for already;
//   - close-send, double-close: a channel is closed while another goroutine may send to
//     it, or close it;
//   - nil-channel: a send to, or receive from, a channel that nothing makes.
//
// In goes what golang.Read loads, out come findings of level warning, sorted by place:
//
//	for _, f := range lockuse.Find(src) { fmt.Println(f.Pos, f.Kind, f.Message) }
//
// Which locks are held is a forward must-analysis of each function (package dataflow):
// what is reported is held on all paths. Locks are told apart by the path that names them
// (s.mu). Functions are called with no locks held, unless a caller in the same packages
// calls them with one: see blocking.go.
//
// The others compare what a goroutine does with what the function that starts it does
// afterwards, or what another goroutine that it starts does, along static calls. Anything
// before one of the two that may wait for another goroutine, takes a lock or reads an
// atomic is taken to order them; objects are the same only if they surely are: see
// misuse.go.
package lockuse
