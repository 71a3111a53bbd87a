// Package models says what functions do that a program calls but does not contain, as
// data: YAML tables of locks, threads, atomics, allocation, registration calls, and of
// the structs that are tables of entry points together with what their caller serialises.
// The front end asks for a function by name and lowers the call to the IR instruction
// that the model names; package entry asks for tables, rules and callback kinds.
//
//	m, err := models.Load("mylocks.yaml") // the built-in tables, then the user's, which override by name
//	if f := m.Func("pthread_mutex_lock"); f != nil { … f.Op == models.OpLock, f.Arg["lock"] == 0 … }
//
// The format is described in docs/reference/models.md and, field by field, at the types
// Func, OpTable, Rule and File.
package models
