// Package precise is the part of lowering Go that only exact executions need (bmc, explore,
// check): maps with their keys, locks that know their state,
// texts with their bytes. What cannot be done exactly ends the execution, so that whatever
// is found is possible (Fn.Cut).
//
//	p := precise.New(world, host, layouts, program, box, newFn)   // one program
//	x := precise.NewFn(builder, p, host, f)                       // one function of it
//	x.CounterExact(group, t, m, delta); v := x.LookupExact(lookup)
//
// In go SSA instructions; out come blocks and instructions of the IR, through the builder
// (package irgen). What it needs of the rest of the lowering are the methods of Host and
// ProgramHost: values, calls, interfaces, unwinding. Package golang implements them, and
// embeds Fn in what lowers a function.
package precise
