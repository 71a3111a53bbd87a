// Package build writes functions of the IR: it is what front ends and passes that expand
// instructions have in common.
//
//	x := build.New(f)
//	x.Start(x.Block("entry"))
//	x.When(c, func() { x.Emit(&ir.Yield{Base: x.Base()}) })
//	x.End(&ir.Return{TermBase: x.Term()})
package build
