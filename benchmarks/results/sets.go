package main

import (
	"os"
	"path/filepath"
	"strings"
)

// set is a number of programs and the command that looks at them.
type set struct {
	Name     string
	Title    string   // in the table
	Command  string   // of whoop
	Args     []string // of the command
	Patterns []string // of files, one a program
	Marked   bool     // the files say of their lines what is expected
}

// sets are what is measured, in the page's order. Kernel drivers and Go modules are there
// if `make kernel` and `make modules` have fetched them.
var sets = []set{
	{Name: "races", Title: "races: small pthread and C11 programs", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/races/*/*.c"}},
	{Name: "drivers", Title: "drivers: each racy and repaired", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/drivers/*.c", "benchmarks/handlers/*.c", "examples/driver/*.c"}},
	{Name: "idioms", Title: "idioms: of the kernel, racy and repaired", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/idioms/*.c"}},
	{Name: "golang", Title: "golang: Go programs and libraries", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/golang/*/*.go", "benchmarks/golang/misuse/*/*.go", "benchmarks/golang/users/*/*.go"}},
	{Name: "kernels", Title: "golang/kernels: after races of large projects", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/golang/kernels/*/*.go"}},
	{Name: "rare", Title: "golang/rare: races that runs hardly show", Command: "verify", Marked: true,
		Patterns: []string{"benchmarks/golang/rare/*/*.go"}},
	{Name: "bmc", Title: "drivers, csb 2", Command: "bmc", Marked: true,
		Args:     []string{"--csb", "2", "--jobs", "1"},
		Patterns: []string{"benchmarks/drivers/*.c"}},
	{Name: "linux", Title: "Linux 6.1", Command: "verify", Patterns: []string{"out/kernel/*.i"}},
	{Name: "modules", Title: "Go modules", Command: "verify", Patterns: []string{"out/modules/*/" + packagesFile}},
}

// packagesFile names the packages of a downloaded module that are verified, one pattern.
const packagesFile = "packages.txt"

// target is where whoop runs and what it is given: a C file, the package of a Go file, or
// the packages that a module's file names.
func (s set) target(file string) (dir string, args []string) {
	switch {
	case filepath.Base(file) == packagesFile:
		text, err := os.ReadFile(file)
		if err != nil {
			return filepath.Dir(file), []string{"./..."}
		}
		return filepath.Dir(file), strings.Fields(string(text))
	case strings.HasSuffix(file, ".go"):
		return "", []string{"./" + filepath.Dir(file)}
	}
	return "", []string{file}
}
