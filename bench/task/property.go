package task

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Property is what a program is checked for.
type Property struct {
	// Name is the usual name: unreach-call, no-data-race, no-overflow, no-deadlock,
	// valid-memsafety, termination, ….
	Name string `json:"name"`
	// File is the property file, or "" where the property is known by its name alone.
	File string `json:"file,omitempty"`
	// Function is the function that must not be called, for unreach-call.
	Function string `json:"function,omitempty"`
	// Sub are the parts of a property that is several: valid-free, valid-deref and
	// valid-memtrack of valid-memsafety.
	Sub []string `json:"sub,omitempty"`
}

// String is the property's name.
func (p Property) String() string { return p.Name }

// Argument is what names the property on a command line: its file where there is one, its
// name otherwise.
func (p Property) Argument() string {
	if p.File != "" {
		return p.File
	}
	return p.Name
}

// violation reports whether an answer FALSE(name) is about this property.
func (p Property) violation(name string) bool {
	return name == "" || name == p.Name || slices.Contains(p.Sub, name)
}

// memsafety are the parts of valid-memsafety, in the order they are listed in.
func memsafety() []string { return []string{"valid-deref", "valid-free", "valid-memtrack"} }

// Named is the property of that name without a file; false where the name is unknown. The
// parts of valid-memsafety are properties too.
func Named(name string) (Property, bool) {
	p := Property{Name: name}
	switch name {
	case "unreach-call":
		p.Function = "reach_error"
	case "valid-memsafety":
		p.Sub = memsafety()
	case "no-data-race", "no-overflow", "no-deadlock", "termination", "def-behavior", "valid-memcleanup",
		"valid-deref", "valid-free", "valid-memtrack":
	default:
		return Property{}, false
	}
	return p, true
}

// ReadProperty reads a property file.
func ReadProperty(path string) (Property, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Property{}, fmt.Errorf("property file: %w", err)
	}
	return ParseProperty(path, src)
}

// errCoverage marks a property file of Test-Comp.
var errCoverage = errors.New("a specification of coverage: there is nothing to prove or refute")

// checkLine matches a line of a property file; its only part is the formula.
var checkLine = regexp.MustCompile(`^CHECK\s*\(\s*init\s*\(\s*[A-Za-z_]\w*\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((.*)\)\s*\)$`)

// callFormula matches "G ! call(f())" with the spaces taken out.
var callFormula = regexp.MustCompile(`^G!call\((\w+)\(\)\)$`)

// ParseProperty reads the text of a property file: lines CHECK( init(main()),
// LTL(FORMULA) ), blank lines and lines that begin with # aside. Several lines are one
// property only where they are the parts of valid-memsafety.
func ParseProperty(file string, src []byte) (Property, error) {
	var found []Property
	first := 0
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parseCheck(line)
		if err != nil {
			return Property{}, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		if len(found) == 0 {
			first = i + 1
		}
		found = append(found, p)
	}
	p, err := joinChecks(found)
	if err != nil {
		return Property{}, fmt.Errorf("%s:%d: %w", file, max(first, 1), err)
	}
	p.File = filepath.Clean(file)
	return p, nil
}

// parseCheck reads one line.
func parseCheck(line string) (Property, error) {
	m := checkLine.FindStringSubmatch(line)
	if m == nil {
		if strings.HasPrefix(line, "COVER") {
			return Property{}, errCoverage
		}
		return Property{}, fmt.Errorf("not a property: want CHECK( init(main()), LTL(FORMULA) ), have %q", line)
	}
	f := strings.Join(strings.Fields(m[1]), "")
	if c := callFormula.FindStringSubmatch(f); c != nil {
		return Property{Name: "unreach-call", Function: c[1]}, nil
	}
	name := ""
	switch f {
	case "G!data-race":
		name = "no-data-race"
	case "G!overflow":
		name = "no-overflow"
	case "G!deadlock":
		name = "no-deadlock"
	case "Fend":
		name = "termination"
	case "Gdef-behavior", "Gvalid-memcleanup", "Gvalid-deref", "Gvalid-free", "Gvalid-memtrack":
		name = f[1:]
	default:
		return Property{}, fmt.Errorf("unknown formula %q: want G ! call(F()), G ! data-race, G ! overflow, G ! deadlock, "+
			"G valid-free, G valid-deref, G valid-memtrack, G valid-memcleanup, G def-behavior or F end", strings.TrimSpace(m[1]))
	}
	return Property{Name: name}, nil
}

// joinChecks makes one property of a file's lines.
func joinChecks(found []Property) (Property, error) {
	switch len(found) {
	case 0:
		return Property{}, fmt.Errorf("no property: want a line CHECK( init(main()), LTL(FORMULA) )")
	case 1:
		return found[0], nil
	}
	joint := Property{Name: "valid-memsafety"}
	for _, p := range found {
		if !slices.Contains(memsafety(), p.Name) || slices.Contains(joint.Sub, p.Name) {
			return Property{}, fmt.Errorf("%s beside other properties: only valid-deref, valid-free and valid-memtrack make one property", p.Name)
		}
		joint.Sub = append(joint.Sub, p.Name)
	}
	slices.Sort(joint.Sub)
	return joint, nil
}
