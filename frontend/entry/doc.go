// Package entry finds the entry points of a program in its IR: main and the functions given to spawns, the functions in
// operation tables, callbacks that are registered. The rules about kernel structs are data (frontend/models).
//
//	err := entry.Infer(prog, set, entry.Options{}) // fills prog.Entries and prog.Exclusions
package entry
