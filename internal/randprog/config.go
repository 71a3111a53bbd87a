package randprog

// Features are what programs may contain.
type Features uint32

// The features. Threads that read and write global variables, branches and assignments
// are always there.
const (
	// cells that are elements of arrays, with constant or computed index
	Arrays         Features = 1 << iota
	Pointers                // cells through pointers: in globals, and given to threads
	Heap                    // objects allocated and published by threads, seldom freed
	Structs                 // cells in a struct
	Mutexes                 // critical sections, also nested
	LockPlaces              // locks in arrays, in structs and through pointers
	TryLocks                // sections entered only if the lock is free
	Shared                  // sections that hold a lock in shared mode
	AtomicSections          // atomic_begin … atomic_end, sometimes nested
	Atomics                 // atomic loads, stores, read-modify-writes and exchanges
	Conds                   // condition variables
	Sems                    // semaphores
	Loops                   // loops of at most two rounds
	Calls                   // calls of small functions
	Choices                 // arbitrary booleans, gotos with several targets
	Asserts                 // assertions about values read
	// waits for a condition over memory, which begin atomic sections
	Awaits
	// sometimes: double locks, unlocks of locks not held, locks kept
	Misuse
	Onces              // controls whose function runs once
	Barriers           // barriers of two threads
	Recursive          // mutexes that are taken twice
	All       Features = 1<<iota - 1
)

// Config says what programs are like; the zero value is the default.
type Config struct {
	// Workers is the number of threads that main starts; 0: one or two.
	Workers int
	// Size is about how many visible operations the bodies of all threads have together;
	// 0: DefaultSize. The executions of a program grow exponentially with it.
	Size int
	// Without are features that the programs do not have.
	Without Features
	// Tails: programs make objects of a size that is not known, and copy and fill parts
	// of them. Unlike the features, this is left out if it is not asked for.
	Tails bool
	// Selects: sections choose between alternatives of which some do not hold, as a
	// select statement of Go does. Like Tails, this is left out if it is not asked for.
	Selects bool
}

// DefaultSize is the default of Config.Size.
const DefaultSize = 10
