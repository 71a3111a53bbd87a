// Package main has a function that is not understood.
package main

func work(fs []func()) { // want `work and work: undecided: ` `work and main: undecided: `
	for _, f := range fs {
		defer f()
		defer f()
	}
}

func main() {
	go work(nil)
	go work(nil)
}
