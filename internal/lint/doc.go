// Package lint holds the house rules as tests: which package may import which
// (docs/contributing/architecture.md), that every package says what it is for in doc.go,
// that files are formatted and not too long, that no file names a place of one machine.
// It has no code; run it with "go test ./internal/lint".
package lint
