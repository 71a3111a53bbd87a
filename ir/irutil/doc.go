// Package irutil has what several engines ask about the text of a program.
//
//	own := irutil.OwnOf(p, irutil.Rules{})
//	if own.In(f).Address(load.Addr) { … } // no other thread can access what lies there
//
// In goes a valid program, out come facts that hold in all its executions. Nothing is
// executed or changed.
package irutil
