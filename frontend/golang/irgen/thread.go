package irgen

// What a thread is doing, in its variable "unwinding".
const (
	Running = 0
	Panics  = 1
	Exits   = 2 // Goexit
)
