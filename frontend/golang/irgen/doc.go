// Package irgen writes IR for Go: how values of Go's types lie in memory and what scalars
// they consist of (Layouts), values as lists of these (Value), and a builder for the blocks
// and instructions of one function (Builder).
//
//	x := irgen.NewBuilder(f, layouts)
//	x.Start(x.Block("entry"))
//	v := x.Load(t, addr, ir.Plain)                       // all scalars of a value
//	x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.Store(t, v[0], x.Zero(t), ir.Plain) })
//	x.End(&ir.Return{TermBase: x.Term()})
//
// In go Go types and what is to be done; out come structs and functions of the IR. Where
// executions are exact, channels and maps lie in memory otherwise (exact.go). What Go's
// statements mean is not known here: package golang says it, in terms of these.
package irgen
