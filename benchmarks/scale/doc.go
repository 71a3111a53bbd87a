// Package scale generates drivers of any size by repetition, to see how the cost of a
// verification grows. A driver has n entry points in operation tables, each some 350
// lines with its helpers, over shared devices with their own locks.
//
//	src := scale.Driver(19) // about 7,000 lines, 190 pairs
//
// Types generates Go libraries with many types behind one interface.
package scale
