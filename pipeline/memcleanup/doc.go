// Package memcleanup makes the question whether a program frees what it allocates one
// about assertions: a pass from IR to IR counts the heap objects.
//
//	q := leak.Instrument(p) // p is not changed
//
// The counter is a global that is changed atomically after every allocation that succeeds
// and every free of something; where main returns, an assertion with the tag leak.Tag
// says that it is 0. Where the program may end otherwise, by exit, abort or the end of
// its last thread after main has left, it depends on one's taste whether memory that is
// not freed is lost: assertions there have the tag leak.TagUnclear. The pass adds steps
// that others may notice and leaves everything else as it is, so that an execution of the
// result is one of the program.
package memcleanup
