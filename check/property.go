package check

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Property is what is asked of a program, by its name in competitions.
type Property string

// Properties that are understood. Those that no engine answers yet are UNKNOWN.
const (
	Unreach     Property = "unreach-call"
	DataRace    Property = "no-data-race"
	Deadlock    Property = "no-deadlock"
	Overflow    Property = "no-overflow"
	MemSafety   Property = "valid-memsafety"
	MemCleanup  Property = "valid-memcleanup"
	Termination Property = "termination"
)

// Names lists the properties, for messages.
func Names() []string {
	return []string{string(Unreach), string(DataRace), string(Deadlock), string(Overflow), string(MemSafety), string(MemCleanup), string(Termination)}
}

// formulas are the conditions that property files state, in the words of the competitions' rules.
var formulas = []struct {
	text *regexp.Regexp
	prop Property
}{
	{regexp.MustCompile(`^G!call\((reach_error|__VERIFIER_error)(\(\))?\)$`), Unreach},
	{regexp.MustCompile(`^G!data-race$`), DataRace},
	{regexp.MustCompile(`^G!deadlock$`), Deadlock},
	{regexp.MustCompile(`^G!overflow$`), Overflow},
	{regexp.MustCompile(`^Gvalid-(free|deref|memtrack)$`), MemSafety},
	{regexp.MustCompile(`^Gvalid-memcleanup$`), MemCleanup},
	{regexp.MustCompile(`^Fend$`), Termination},
}

var checkLine = regexp.MustCompile(`^CHECK\(init\((\w+)\(\)\),LTL\((.*)\)\)$`)

// ParseProperty reads a property's name, or the property file of that path. All lines of a file must state the same property
// (valid-memsafety is three lines), of the function main.
func ParseProperty(s string) (Property, error) {
	for _, n := range Names() {
		if s == n {
			return Property(n), nil
		}
	}
	src, err := os.ReadFile(s)
	if err != nil {
		return "", fmt.Errorf("property %q: want %s, or a property file", s, strings.Join(Names(), ", "))
	}
	return parseFile(s, string(src))
}

func parseFile(name, src string) (Property, error) {
	var out Property
	for i, line := range strings.Split(src, "\n") {
		line = strings.Join(strings.Fields(line), "")
		if line == "" {
			continue
		}
		p, err := parseLine(line)
		if err == nil && out != "" && p != out {
			err = fmt.Errorf("%s beside %s: one property at a time", p, out)
		}
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		out = p
	}
	if out == "" {
		return "", fmt.Errorf("%s: no CHECK( init(main()), LTL(…) )", name)
	}
	return out, nil
}

// parseLine reads a line without its spaces.
func parseLine(line string) (Property, error) {
	m := checkLine.FindStringSubmatch(line)
	if m == nil {
		return "", fmt.Errorf("%q: want CHECK( init(main()), LTL(…) )", line)
	}
	if m[1] != "main" {
		return "", fmt.Errorf("programs start with %s: only main is understood", m[1])
	}
	for _, f := range formulas {
		if f.text.MatchString(m[2]) {
			return f.prop, nil
		}
	}
	return "", fmt.Errorf("LTL(%s) is no property that is understood: want one of %s", m[2], strings.Join(Names(), ", "))
}
