// Package randprog makes small random concurrent programs, and makes programs that fail
// smaller. The engines are held against each other on them.
//
//	p := randprog.Generate(seed, randprog.Config{})       // valid; the same for the same arguments
//	q := randprog.Shrink(p, func(p *ir.Program) bool { return engine(p) != reference(p) })
//	fmt.Println(ir.String(q))
//
// A seed and a Config go in, a program comes out: main, which starts one or two threads
// and joins all of them, one, or none; the threads, which may run the same function, and
// main access few cells (variables, array elements, members, what pointers in globals or
// arguments point to, heap objects) under few locks. Every instruction has a position of
// its own. Without the feature Choices, weak exchanges and allocations that may fail
// aside, programs have no inputs; there are no arbitrary integers, so that exploring
// booleans and choices is exhaustive. Loops are bounded; executions are finite.
//
// In some programs all threads follow a discipline for the cells: under one lock, in
// atomic sections, or by atomic instructions alone. Some do not, and some use locks
// wrongly. In a tenth, threads take two locks in opposite orders.
//
// # What they are like
//
// Of the default programs of seeds 0 to 999, explored without a bound, 27% have a data
// race, 23% violate an assertion, 22% deadlock, 5% take a lock that they hold, 2% release
// one that they do not hold, 2% follow a null pointer, and 36% do nothing wrong (a
// program may do several things wrong). 22% have a race that needs just one preemption,
// 9% one that needs two, 1% one that needs three; 8% have a deadlock that needs one, 3%
// one that needs two; 3% have a violated assertion that needs one, 1% one that needs
// more.
//
// With a cache of states, 80% have at most 1,000 states and all but three at most 10,000:
// half of the explorations end within a millisecond, 99% within 20. Without a cache, half
// of them end within 4 milliseconds, and 23% go beyond 50,000 states (10% with
// Config.Size 6). With Config.Size 18, a cache keeps 99% within 100 milliseconds.
package randprog
