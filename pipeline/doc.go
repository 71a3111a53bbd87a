// Package pipeline is the order of the stages: front end, entry points, validation,
// points-to, parallelism, lockset analysis. It injects Z3 as the solver.
//
//	rep, err := pipeline.Verify(ctx, "driver.c", pipeline.Options{Jobs: 2})
package pipeline
