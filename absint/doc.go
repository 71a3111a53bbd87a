// Package absint proves assertions of programs with any number of threads by thread-modular abstract interpretation.
//
//	r, err := absint.Analyze(ctx, p)      // p: a program with a main function
//	if err == nil && !r.MayFail[assert] { … } // no execution violates it
package absint
