// Package messages expands the instructions for messages (ir.Send, ir.Receive, ir.Close,
// ir.Selection), for engines that have none: into what they do (Exact), or into the
// accesses that they make (Abstract).
//
//	messages.Exact(p)    // for bmc, explore and check
//	messages.Abstract(p) // for verify
//
// The program is changed in place. The queues' structs are laid out by the front end: see
// Closed and Buffer.
package messages
