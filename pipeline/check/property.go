package check

import (
	"fmt"
	"os"
	"strings"

	"whoop/bench/task"
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

// ParseProperty reads a property's name, or the property file of that path.
func ParseProperty(s string) (Property, error) {
	for _, n := range Names() {
		if s == n {
			return Property(n), nil
		}
	}
	if _, err := os.Stat(s); err != nil {
		return "", fmt.Errorf("property %q: want %s, or a property file", s, strings.Join(Names(), ", "))
	}
	p, err := task.ReadProperty(s)
	if err != nil {
		return "", err
	}
	if p.Name == string(Unreach) && p.Function != "reach_error" && p.Function != "__VERIFIER_error" {
		return "", fmt.Errorf("%s: calls of %s: only those of reach_error and __VERIFIER_error are looked for", s, p.Function)
	}
	for _, n := range Names() {
		if p.Name == n {
			return Property(n), nil
		}
	}
	return "", fmt.Errorf("%s: %s is no property that is understood: want one of %s", s, p.Name, strings.Join(Names(), ", "))
}
