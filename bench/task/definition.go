package task

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Definition is a program with everything it is to be checked for.
type Definition struct {
	File       string        // the .yml file, or the C file where its name says it all
	Inputs     []string      // the program's files
	Required   []string      // files it needs beside them
	Properties []Expectation // in the file's order
	Language   string        // "C", or what the file says
	DataModel  string        // ILP32, LP64, or "" where the file does not say
}

// Expectation is a property and the verdict its author gives.
type Expectation struct {
	Property Property
	Expected Expected
}

// errNotDefinition marks a YAML file that is something else.
var errNotDefinition = errors.New("not a task definition: no format_version")

// rawDefinition is a definition as its file has it, patterns not expanded. Lines are kept
// for messages.
type rawDefinition struct {
	inputs, required    []located
	properties          []rawProperty
	language, dataModel string
}

type located struct {
	text string
	line int
}

type rawProperty struct {
	file     located
	expected Expected
}

// ReadDefinition reads a task definition and the property files it names. Files are
// relative to the definition.
func ReadDefinition(path string) (Definition, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Definition{}, fmt.Errorf("task definition: %w", err)
	}
	raw, err := parseDefinition(path, src)
	if err != nil {
		return Definition{}, err
	}
	d := Definition{File: path, Language: raw.language, DataModel: raw.dataModel}
	if d.Inputs, err = expand(path, raw.inputs); err != nil {
		return Definition{}, err
	}
	if d.Required, err = expand(path, raw.required); err != nil {
		return Definition{}, err
	}
	for _, rp := range raw.properties {
		files, err := expand(path, []located{rp.file})
		if err != nil {
			return Definition{}, err
		}
		if len(files) != 1 {
			return Definition{}, fmt.Errorf("%s:%d: property_file %q matches %d files, want one", path, rp.file.line, rp.file.text, len(files))
		}
		p, err := ReadProperty(files[0])
		if errors.Is(err, errCoverage) {
			continue
		}
		if err != nil {
			return Definition{}, fmt.Errorf("%s:%d: %w", path, rp.file.line, err)
		}
		for _, x := range d.Properties {
			if x.Property.Name == p.Name {
				return Definition{}, fmt.Errorf("%s:%d: property %s a second time", path, rp.file.line, p.Name)
			}
		}
		d.Properties = append(d.Properties, Expectation{p, rp.expected})
	}
	return d, nil
}

// expand finds the files of patterns relative to a file.
func expand(file string, patterns []located) ([]string, error) {
	var out []string
	for _, p := range patterns {
		path := filepath.FromSlash(p.text)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		found, err := matches(path)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", file, p.line, p.text, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s:%d: %q: no such file", file, p.line, p.text)
		}
		out = append(out, found...)
	}
	return out, nil
}

// matches is the files a pattern means, sorted. A file of just that name comes first:
// names may have brackets in them.
func matches(pattern string) ([]string, error) {
	if _, err := os.Stat(pattern); err == nil {
		return []string{pattern}, nil
	}
	if strings.Contains(pattern, "**") {
		return nil, errors.New("patterns with ** are not supported")
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("not a pattern: %w", err)
	}
	return found, nil
}

// parseDefinition reads the text of a task definition; it looks at no other file.
func parseDefinition(file string, src []byte) (*rawDefinition, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, yamlError(file, err)
	}
	if len(doc.Content) == 0 || resolve(doc.Content[0]).Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: %w", file, errNotDefinition)
	}
	m := &mapping{file: file, node: resolve(doc.Content[0])}
	version := m.get("format_version")
	if version == nil {
		return nil, fmt.Errorf("%s: %w", file, errNotDefinition)
	}
	if v := version.Value; version.Kind != yaml.ScalarNode || v != "2.0" && v != "2.1" {
		return nil, fmt.Errorf("%s:%d: format_version %q: want 2.0 or 2.1", file, version.Line, v)
	}
	raw := &rawDefinition{language: "C"}
	var err error
	if raw.inputs, err = m.texts("input_files", true); err != nil {
		return nil, err
	}
	if raw.required, err = m.texts("required_files", false); err != nil {
		return nil, err
	}
	if err := raw.readProperties(m); err != nil {
		return nil, err
	}
	if err := raw.readOptions(m); err != nil {
		return nil, err
	}
	return raw, nil
}

// yamlError puts a YAML error's line where the others have it: file:line: what.
func yamlError(file string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if n, _ := fmt.Sscanf(text, "line %d:", &line); n == 1 {
		_, rest, _ := strings.Cut(text, ": ")
		return fmt.Errorf("%s:%d: %s", file, line, rest)
	}
	return fmt.Errorf("%s: %s", file, text)
}

func (raw *rawDefinition) readProperties(m *mapping) error {
	list := m.get("properties")
	if list == nil || list.Tag == "!!null" {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		return fmt.Errorf("%s:%d: properties: want a list", m.file, list.Line)
	}
	for _, item := range list.Content {
		item = resolve(item)
		if item.Kind != yaml.MappingNode {
			return fmt.Errorf("%s:%d: properties: want entries with property_file", m.file, item.Line)
		}
		p, err := readProperty(&mapping{file: m.file, node: item})
		if err != nil {
			return err
		}
		raw.properties = append(raw.properties, p)
	}
	return nil
}

func readProperty(m *mapping) (rawProperty, error) {
	var p rawProperty
	files, err := m.texts("property_file", true)
	if err != nil {
		return p, err
	}
	if len(files) != 1 {
		return p, fmt.Errorf("%s:%d: property_file: want one file", m.file, m.node.Line)
	}
	p.file = files[0]
	if v := m.get("expected_verdict"); v != nil && v.Tag != "!!null" {
		if v.Kind != yaml.ScalarNode || v.Decode(&p.expected.Holds) != nil {
			return p, fmt.Errorf("%s:%d: expected_verdict %q: want true or false", m.file, v.Line, v.Value)
		}
		p.expected.Known = true
	}
	sub := m.get("subproperty")
	switch {
	case sub == nil || sub.Tag == "!!null":
	case sub.Kind != yaml.ScalarNode || sub.Value == "":
		return p, fmt.Errorf("%s:%d: subproperty: want a name", m.file, sub.Line)
	case !p.expected.Known || p.expected.Holds:
		return p, fmt.Errorf("%s:%d: subproperty %s: only where expected_verdict is false", m.file, sub.Line, sub.Value)
	default:
		p.expected.Sub = sub.Value
	}
	return p, nil
}

// readOptions reads the options SV-COMP knows; all others are left to whom they concern.
func (raw *rawDefinition) readOptions(m *mapping) error {
	n := m.get("options")
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	opts := &mapping{file: m.file, node: n}
	if l := opts.get("language"); l != nil && l.Kind == yaml.ScalarNode {
		raw.language = l.Value
	}
	if d := opts.get("data_model"); d != nil {
		if d.Value != "ILP32" && d.Value != "LP64" {
			return fmt.Errorf("%s:%d: data_model %q: want ILP32 or LP64", m.file, d.Line, d.Value)
		}
		raw.dataModel = d.Value
	}
	return nil
}

// mapping is a YAML mapping of a file.
type mapping struct {
	file string
	node *yaml.Node
}

// get is the value of a key, or nil.
func (m *mapping) get(key string) *yaml.Node {
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		if m.node.Content[i].Value == key {
			return resolve(m.node.Content[i+1])
		}
	}
	return nil
}

// texts is the value of a key that is a string or a list of strings.
func (m *mapping) texts(key string, must bool) ([]located, error) {
	n := m.get(key)
	if n == nil || n.Tag == "!!null" {
		if must {
			return nil, fmt.Errorf("%s:%d: %s is missing", m.file, m.node.Line, key)
		}
		return nil, nil
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	var out []located
	for _, it := range items {
		it = resolve(it)
		if it.Kind != yaml.ScalarNode || it.Value == "" {
			return nil, fmt.Errorf("%s:%d: %s: want a file name or a list of file names", m.file, it.Line, key)
		}
		out = append(out, located{it.Value, it.Line})
	}
	if len(out) == 0 && must {
		return nil, fmt.Errorf("%s:%d: %s is empty", m.file, n.Line, key)
	}
	return out, nil
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}
