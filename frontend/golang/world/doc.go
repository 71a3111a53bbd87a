// Package world says what is around a Go program: who calls its functions, and with what.
// Of a main package that is the runtime. Of a library it is the most general client: all
// users together, who call what is exported, any number of times, with all that they have.
//
//	w := world.New(prog, models, report)
//	roots, err := w.Roots(packages)            // functions that something outside starts
//	w.Settings = w.Setup(packages, roots)      // what users call before
//	w.Sharing = w.FindSharing(roots)           // receivers that may share memory
//	once := world.FindOnce(w, functions, roots, nil)
//	if once.Runs(f) { … }                      // at most once
//
// In go a program in SSA form and the models of libraries; out come entry points
// (entries.go, library.go: which types and functions are for concurrent use), sessions that
// belong to one goroutine (session.go), what is called first (setup.go), constructors
// (construct.go), which values of a type are one (sharing.go, regions.go, sharingcheck.go,
// lockcopied.go), and which functions run at most once (once.go). What is assumed of users
// is noted in the report. Nothing here knows how programs are lowered.
package world
