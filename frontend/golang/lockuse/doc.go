// Package lockuse looks for two mistakes with locks in Go packages that are no races by themselves:
//
//   - lock-copy: a value that holds a lock (sync.Mutex, …) is copied, by an assignment, a parameter, a receiver, a result or a
//     range clause: the copy is a lock of its own, which protects nothing that the other does;
//   - lock-held-blocking: a lock is held at a channel operation that may block, or at a Wait for other goroutines: if who
//     would end the waiting needs the lock, nobody goes on.
//
// In goes what golang.Read loads, out come findings of level warning, sorted by place:
//
//	for _, f := range lockuse.Find(src) { fmt.Println(f.Pos, f.Kind, f.Message) }
//
// Which locks are held is a forward must-analysis of each function (package dataflow): what is reported is held on all
// paths. Locks are told apart by the path that names them (s.mu). Functions are called with no locks held, unless a
// caller in the same packages calls them with one: see blocking.go.
package lockuse
