package task

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Suite is a number of definitions.
type Suite struct {
	Definitions []Definition
	Warnings    []string // patterns without files, files left out
	names       []string // of Definitions
}

// Task is one program and one property it is checked for.
type Task struct {
	// Name is the definition's directory and file name without extension,
	// "locks/ticket_ok": more directories where that is not unique. It is the same from
	// wherever the suite was named.
	Name      string   `json:"name"`
	Family    string   `json:"family"` // the name without its last part
	File      string   `json:"file"`
	Inputs    []string `json:"inputs"`
	Required  []string `json:"required,omitempty"` // files the program needs beside its own
	Property  Property `json:"property"`
	Expected  Expected `json:"expected"`
	Language  string   `json:"language"`
	DataModel string   `json:"data_model,omitempty"` // "" where the definition does not say
}

// ID tells tasks of a suite apart: the name and the property.
func (t Task) ID() string { return t.Name + ":" + t.Property.Name }

// Tasks are the suite's tasks sorted by name and then property, those of the named
// properties only where any are named.
func (s *Suite) Tasks(properties ...string) []Task {
	var out []Task
	for i, d := range s.Definitions {
		family := ""
		if k := strings.LastIndexByte(s.names[i], '/'); k >= 0 {
			family = s.names[i][:k]
		}
		for _, x := range d.Properties {
			if len(properties) > 0 && !slices.Contains(properties, x.Property.Name) {
				continue
			}
			out = append(out, Task{Name: s.names[i], Family: family, File: d.File, Inputs: d.Inputs, Required: d.Required, Property: x.Property,
				Expected: x.Expected, Language: d.Language, DataModel: d.DataModel})
		}
	}
	sort.SliceStable(out, func(i, k int) bool {
		if out[i].Name != out[k].Name {
			return out[i].Name < out[k].Name
		}
		return out[i].Property.Name < out[k].Property.Name
	})
	return out
}

// Properties are the names of all properties of the suite, sorted.
func (s *Suite) Properties() []string {
	var out []string
	for _, d := range s.Definitions {
		for _, x := range d.Properties {
			out = append(out, x.Property.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ShortName is the name of a file as tasks have it: its directory and its name without
// the extension of a definition or a C file.
func ShortName(path string) string { return lastParts(stem(path), 2) }

// name gives the definitions their names: two parts of the path, more for those that are
// not told apart by them.
func (s *Suite) name() {
	full := s.fullNames()
	s.names = make([]string, len(full))
	parts := make([]int, len(full))
	for i := range parts {
		parts[i] = 2
	}
	for clash := true; clash; {
		clash = false
		users := map[string][]int{}
		for i := range full {
			s.names[i] = lastParts(full[i], parts[i])
			users[s.names[i]] = append(users[s.names[i]], i)
		}
		for _, who := range users {
			for _, i := range who {
				if len(who) > 1 {
					clash = true // full names differ, so that this ends
					parts[i]++
				}
			}
		}
	}
}

// fullNames are the definitions' paths without their extension, where these do not tell
// two of them apart.
func (s *Suite) fullNames() []string {
	count := map[string]int{}
	for _, d := range s.Definitions {
		count[stem(absolute(d.File))]++
	}
	out := make([]string, len(s.Definitions))
	for i, d := range s.Definitions {
		if out[i] = absolute(d.File); count[stem(out[i])] == 1 {
			out[i] = stem(out[i])
		}
	}
	return out
}

// stem is a path without the extension of a definition or a C file.
func stem(path string) string {
	switch ext := filepath.Ext(path); ext {
	case ".yml", ".yaml", ".c", ".i":
		return strings.TrimSuffix(path, ext)
	}
	return path
}

// lastParts is the end of a path, with slashes.
func lastParts(path string, n int) string {
	all := strings.Split(strings.Trim(filepath.ToSlash(path), "/"), "/")
	return strings.Join(all[max(0, len(all)-n):], "/")
}
