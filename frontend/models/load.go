package models

import (
	"bytes"
	_ "embed" // the built-in models
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// builtIn holds the built-in models, data/*.yaml, in a form that is read ten times faster
// than YAML: TestGenerated writes it.
//
//go:generate go test -run TestGenerated -update
//go:embed data/generated.json
var builtIn []byte

// Load reads the built-in models and then the given files; a later file replaces what an
// earlier one says about the same function, table, callback kind or initcall prefix, and
// adds rules. Errors start with file:line.
func Load(extra ...string) (*Set, error) {
	s := newSet()
	var files []File
	if err := json.Unmarshal(builtIn, &files); err != nil {
		return nil, fmt.Errorf("built-in models: %w", err)
	}
	for i := range files {
		s.Add(&files[i])
	}
	for _, name := range extra {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("models file: %w", err)
		}
		f, err := Decode(name, src)
		if err != nil {
			return nil, err
		}
		s.Add(f)
	}
	return s, nil
}

func newSet() *Set {
	return &Set{
		funcs: map[string]*Func{}, Tables: map[string]*OpTable{}, CallbackKinds: map[string]CallbackKind{},
		Initcalls: map[string]string{}, CancellationPoints: map[string]bool{}, Changes: map[string]map[string]uint64{},
		CallerStructs: map[string]bool{}, Stops: map[string]string{},
	}
}

// Add merges a file into the set: what it says replaces what the set said about the same
// name. Rules accumulate.
func (s *Set) Add(f *File) {
	s.AddFuncs(f.Funcs...)
	for i := range f.Tables {
		s.Tables[f.Tables[i].Struct] = &f.Tables[i]
	}
	s.Rules = append(s.Rules, f.Rules...)
	for k, v := range f.CallbackKinds {
		s.CallbackKinds[k] = v
	}
	for _, name := range f.CancellationPoints {
		s.CancellationPoints[name] = true
	}
	for k, v := range f.Initcalls {
		s.Initcalls[k] = v
	}
	for _, name := range f.CallerStructs {
		s.CallerStructs[name] = true
	}
	for k, v := range f.Changes {
		s.Changes[k] = v
	}
}

// AddFuncs adds models of functions, replacing those of the same names (an ep.yaml's lock
// functions, say).
func (s *Set) AddFuncs(fs ...Func) {
	for i := range fs {
		for _, n := range fs[i].Names {
			s.funcs[n] = &fs[i]
		}
		if _, one := fs[i].Arg["obj"]; !one || fs[i].Op != OpUnregister {
			continue
		}
		for _, k := range fs[i].Kinds {
			if s.Stops[k] == "" {
				s.Stops[k] = fs[i].Names[0]
			}
		}
	}
}

// Decode reads one file of models. Unknown keys, wrong types and contradictory models are
// errors, with file:line.
func Decode(name string, src []byte) (*File, error) {
	f := &File{}
	if err := Strict(name, src, f); err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		return nil, YAMLError(name, err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("%s:1: version is %d; this program reads version 1 (begin the file with \"version: 1\")",
			name, f.Version)
	}
	return f, check(name, f, &root)
}

// Strict decodes the YAML document src into v; unknown keys and a second document are
// errors. An empty document leaves v as it is.
func Strict(name string, src []byte, v any) (err error) {
	defer func() { // the YAML library panics on a few malformed documents
		if r := recover(); r != nil {
			err = fmt.Errorf("%s:1: not a YAML document: %v", name, r)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(src))
	d.KnownFields(true)
	if err := d.Decode(v); err != nil && !errors.Is(err, io.EOF) {
		var root yaml.Node
		if yaml.Unmarshal(src, &root) == nil && len(root.Content) == 1 && root.Content[0].Kind != yaml.MappingNode {
			return fmt.Errorf("%s:%d: want keys with values, such as \"version: 1\"", name, root.Content[0].Line)
		}
		return YAMLError(name, err)
	}
	var more yaml.Node
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		if err != nil {
			return YAMLError(name, err)
		}
		return fmt.Errorf("%s:%d: a second document; put everything into one", name, more.Line)
	}
	return nil
}

var (
	yamlLine  = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)$`)
	goTypeTag = regexp.MustCompile(` (?:in|into) type \S+$| into \S*\.\S+$`)
)

// YAMLError rewrites an error of the YAML library as file:line: message; of several it
// keeps the first.
func YAMLError(name string, err error) error {
	text := err.Error()
	var te *yaml.TypeError
	if errors.As(err, &te) && len(te.Errors) > 0 {
		text = te.Errors[0]
	}
	text, _, _ = strings.Cut(text, "\n")
	m := yamlLine.FindStringSubmatch(text)
	line := m[1]
	if line == "" {
		line = "1"
	}
	msg := goTypeTag.ReplaceAllString(m[2], "")
	msg = strings.Replace(msg, "field ", "unknown key ", 1)
	msg = strings.TrimSuffix(msg, " not found")
	return fmt.Errorf("%s:%s: %s", name, line, msg)
}

// ItemLines returns the lines of the elements of the list under a top-level key, for
// error messages about a document that Strict has accepted.
func ItemLines(src []byte, key string) []int {
	var root yaml.Node
	if yaml.Unmarshal(src, &root) != nil {
		return nil
	}
	return itemLines(&root, key)
}
