// Package randprog makes small random concurrent programs, and makes programs that fail smaller. The engines are held
// against each other on them.
//
//	p := randprog.Generate(seed, randprog.Config{})       // valid; the same for the same arguments
//	q := randprog.Shrink(p, func(p *ir.Program) bool { return engine(p) != reference(p) })
//	fmt.Println(ir.String(q))
//
// A seed and a Config go in, a program comes out: main, which starts one or two threads and joins all of them, one, or
// none; the threads, which may run the same function, and main access few cells (variables, array elements, members, what
// pointers in globals or arguments point to, heap objects) under few locks. Every instruction has a position of its own.
// Without the feature Choices, weak exchanges and allocations that may fail aside, programs have no inputs; there are no
// arbitrary integers, so that exploring booleans and choices is exhaustive. Loops are bounded; executions are finite.
//
// In some programs all threads follow a discipline for the cells: under one lock, in atomic sections, or by atomic
// instructions alone. Some do not, and some use locks wrongly. In a tenth, threads take two locks in opposite orders.
//
// # What they are like
//
// Of the default programs of seeds 0 to 999, explored without a bound: 28% have a data race, 26% violate an assertion, 12%
// deadlock, 5% take a lock twice, 3% release one that is not held, 2% follow a null pointer, and 39% do nothing wrong
// (a program may do several things wrong). 22% have a race that needs a preemption, 8% one that needs two, 7% a
// deadlock that needs one, 4% a violated assertion that needs one.
//
// With a cache of states, 84% have at most 1000 states and all but two at most 10000; half of the explorations take less
// than half a millisecond, and none more than 50 milliseconds. Without one, half take less than 3 milliseconds, and 8% go
// beyond a million states.
package randprog
