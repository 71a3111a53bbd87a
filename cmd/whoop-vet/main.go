// Whoop-vet reports data races for go vet:
//
//	go vet -vettool=$(which whoop-vet) ./...
//	whoop-vet ./...          # the same without go vet
//
// Flags of the analyzer: -whoop.warnings, -whoop.undecided (see "whoop-vet help whoop").
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"whoop/pipeline/goanalysis"
)

func main() { multichecker.Main(goanalysis.Analyzer) }
