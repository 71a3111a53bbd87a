// Package alias tells, for a whole program, what pointers may point to. Everything the later stages know about memory
// comes from here: which cells ("regions") an instruction may touch, which functions a function pointer may call, what
// threads a spawn starts, and which memory more than one thread can reach at all.
//
// In: an *ir.Program. Out: a *Result, side tables keyed by instruction. The program is not changed.
//
//	res := alias.Analyze(prog, alias.Options{})
//	for _, acc := range res.Accesses(instr) {   // instr: any ir.Instr of prog
//		for _, reg := range acc.Regions {
//			if reg.Shared { fmt.Println(reg.Name, acc.Write) }
//		}
//	}
//
// # The analysis
//
// An inclusion-based (Andersen 1994) points-to analysis: field-sensitive, flow-insensitive, context-insensitive but for
// allocation wrappers, which are cloned per call site one level. Pointers are sets of cells; a cell is an abstract
// object and a byte offset. Offsets are canonical: inside an array all elements are element 0, so that a[i].f is one
// cell for all i. Integers of pointer size carry pointers too, and arithmetic on them may point anywhere in the object.
//
// Abstract objects are the globals, the stack and heap allocation sites, the functions, and "extern" objects: one per
// type, for what the code that calls an entry point may pass to it. A pointer parameter of an entry points to the
// extern object of its type and to every place in the program where an object of that type lies and that a thread other
// than the creator could reach.
//
// What cannot be resolved is said: Access.Unknown, an incomplete callee set, or an ir.Assumption.
//
// # Soundness
//
// Pointer arithmetic stays inside the object it starts from, but for constant offsets, which are followed exactly
// (container_of); reaching outside the object is reported as an assumption. Pointers are tracked through memory cells
// and integers of eight bytes and through byte-wise copies; a pointer taken apart into smaller pieces is not followed
// (an assumption says so where that is visible).
package alias
