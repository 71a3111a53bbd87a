// Package library says what functions and types of libraries do that the Go front end does
// not walk: the standard library, and other modules of which there is no source. It is
// data: models/*.yaml, and files of the same form that a user adds. What no model says is
// told by a function's name and signature, or by its source, where only what is obviously
// so counts.
//
//	m, err := library.Load(files)                 // the embedded models, and more
//	if f := m.Model(callee); f != nil { … f.Op }  // "lock", "go", "once", "pure", …
//	effect := m.EffectOf(method)                  // what it does with what it is given
//	if m.SafeType(named) { … }                    // its methods may be called at one time
//	getter := library.Sources{}.Getter(callee)    // it hands out a part of its receiver
//
// In go models, functions and types; out come their meanings. docs/reference/golang.md
// describes the operations, docs/contributing/model.md how a model is added.
package library
