package task

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// verdictPart matches one verdict in an old-style name: _true-unreach-call,
// _false-valid-deref, _false-unreach-call1.
var verdictPart = regexp.MustCompile(`_(true|false)-([a-z]+(?:-[a-z]+)*)\d*(?:$|[_.])`)

// FromName reads the verdicts an old-style file name has:
// foo_false-no-data-race_true-termination.i. The name's parts that look like verdicts of
// unknown properties are left aside, as other tools' marks are. A part of valid-memsafety
// means that property: _false-valid-deref. Repeated properties keep their first verdict.
func FromName(path string) []Expectation {
	name := filepath.Base(path)
	var out []Expectation
	for {
		m := verdictPart.FindStringSubmatchIndex(name)
		if m == nil {
			return out
		}
		e := Expected{Known: true, Holds: name[m[2]:m[3]] == "true"}
		p, ok := Named(name[m[4]:m[5]])
		if ok && slices.Contains(memsafety(), p.Name) {
			if !e.Holds {
				e.Sub = p.Name
			}
			p, _ = Named("valid-memsafety")
		}
		if p.Name == "unreach-call" {
			// what the error function was called when names had verdicts
			p.Function = "__VERIFIER_error"
		}
		if ok && !slices.ContainsFunc(out, func(x Expectation) bool { return x.Property.Name == p.Name }) {
			out = append(out, Expectation{p, e})
		}
		name = name[m[5]:] // the next verdict's underscore is not consumed
	}
}

// isSource reports whether a file is a C program.
func isSource(path string) bool {
	return strings.HasSuffix(path, ".c") || strings.HasSuffix(path, ".i")
}

// readSource makes a definition of a C file: the .yml beside it where there is one, or
// its name.
func readSource(path string) (Definition, error) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	if yml := stem + ".yml"; exists(yml) {
		return ReadDefinition(yml)
	}
	return Definition{File: path, Inputs: []string{path}, Language: "C", Properties: FromName(path)}, nil
}
