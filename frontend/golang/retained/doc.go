// Package retained says what library functions keep of the values that a program gives
// them, and what they call of it: then, later, or while they print or encode it.
//
//	f := retained.New(world)
//	f.FindKeepers(packages)
//	k := f.Keepers[named]                    // what objects of a library type keep
//	if f.HoldsCallbacks(callee) { … }        // fields of what it is given are called
//	types := f.Givable()                     // what modules may call methods of
//
// In go a program (package world) and the models and source of libraries; out come types:
// of what is kept by objects and packages, of what wraps other values (wrapped.go), of what
// has state (stateful.go), of what is gone through by reflection (reflection.go), and of
// what modules are handed (handover.go). Package golang lowers the calls.
package retained
