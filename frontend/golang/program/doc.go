// Package program reads Go programs: it loads packages (golang.org/x/tools/go/packages)
// and builds their SSA form (go/ssa, generic functions instantiated).
//
//	src, err := program.ReadInput(program.Input{Paths: []string{"./..."}, Tests: true})
//	for _, p := range src.Packages { fmt.Println(p.SSA.Pkg.Path(), p.Given) }
//	units, err := src.Units(withEntries)     // programs that do not run together
//
// In go patterns, directories, files and build tags; out comes a Source: the packages of
// the program with their bodies, all others known by their types alone. The packages of
// one author count as one program (author.go). With tests, a driver that runs them is added
// (testmain.go). For exact runs, the Go code of package stdgo stands for functions of the
// library (stdbodies.go). An analysis driver that has syntax and types already fills in a
// Source itself.
package program
