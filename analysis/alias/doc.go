// Package alias tells, for a whole program, what pointers may point to. Everything the
// later stages know about memory comes from here: which cells ("regions") an instruction
// may touch, which functions a function pointer may call, what threads a spawn starts,
// and which memory more than one thread can reach at all.
//
// In: an *ir.Program. Out: a *Result, side tables keyed by instruction. The program is
// not changed.
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
// An inclusion-based (Andersen 1994) points-to analysis: field-sensitive,
// flow-insensitive, context-insensitive but for allocation wrappers, which are cloned per
// call site (wrappers of wrappers, too). Pointers are sets of cells; a cell is an
// abstract object and a byte offset. Offsets are canonical: inside an array all elements
// are element 0, so that a[i].f is one cell for all i. Integers of pointer size carry
// pointers too, and arithmetic on them may point anywhere in the object.
//
// Registers are split into webs (definitions with common uses) first, so that reuse of a
// variable costs no precision.
//
// In type-safe programs an address that is taken for a pointer to a T is one of a place
// where a T lies (typed.go has the argument, and where it does not hold). In C drivers
// and libraries so is one that is cast to a pointer to a struct T (effective.go).
//
// Abstract objects are the globals, the stack and heap allocation sites, the functions,
// and "extern" objects: one per type, for what the code that calls an entry point may
// pass to it. A pointer parameter of an entry points to the extern object of its type and
// to every place in the program where a struct of that type lies that such code could
// know. A void pointer from outside takes the type it is cast to.
//
// What cannot be resolved is said: Access.Unknown, an incomplete callee set, or an
// ir.Assumption.
//
// # Freshness
//
// Fresh is a forward must-analysis within functions (with summaries of what callees do to
// their parameters): the object was allocated by the running thread in this call, or in
// callers that all pass a fresh one, and its address has not been stored outside of fresh
// objects.
//
// # What a run hands out at its end
//
// In type-safe programs an object that an entry hands out by its last stores, and that
// nothing else which threads share leads to, is the running thread's until then
// (publication.go): accesses to it are fresh, whatever functions it is handed to in
// between.
//
// # What two threads may both touch
//
// Result.Separate computes the sets once more with one run of each entry told from all
// other runs (instances.go): Disjoint.Never says of two accesses by different threads
// that they have no place in common.
//
// # Soundness
//
// What the analysis takes for granted, and where it says so:
//
//   - Pointer arithmetic stays within an array that is a member of something larger (C's
//     rule), but for negative byte offsets (container_of), which may leave it. A block
//     operation of unknown size stays within the scalar array it starts in. Accesses
//     outside of an object are left out (assumption "out-of-bounds").
//   - Integers made into pointers without a known origin are not dereferenced where the
//     same pointer may hold the address of an object (assumption "int-pointer": error
//     codes); where it may not, the access is Unknown.
//   - Pointers are followed through registers and cells of eight bytes and through block
//     copies. A cell that was written otherwise (byte by byte, as another type, or by a
//     copy of fewer bytes than a pointer has) holds an integer as above; not where a
//     type-safe program declares a pointer.
//   - In C, memory is accessed by its own types (assumption "effective-type";
//     effective.go).
//   - Code not seen looks only into structs of the interface: the types in entries'
//     parameters, in declarations of external functions and in what is touched deeply,
//     and what these mention. Objects of other types are all the program's own
//     (assumption "private-type"), unless it has none at all.
//   - Code not seen does not replace function pointers in the program's objects
//     (assumption "extern-callback").
package alias
