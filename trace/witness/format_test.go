package witness_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"whoop/trace/witness"
)

// shape says what a mapping of the YAML format has: required members, and others that are
// allowed, each with its own shape or the values it may have.
type shape struct {
	// shape, []shape of a list's elements, *regexp.Regexp of a text, kind of a plain
	// value
	required, optional map[string]any
}

// plain is the YAML tag of a value.
type plain string

var (
	text = plain("!!str")
	uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	day  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$`)

	place = shape{required: map[string]any{"file_name": text, "line": plain("!!int")}, optional: map[string]any{"column": plain("!!int"), "function": text}}
)

func metadata(version string) shape {
	return shape{required: map[string]any{"format_version": regexp.MustCompile("^" + regexp.QuoteMeta(version) + "$"), "uuid": uuid, "creation_time": day,
		"producer": shape{required: map[string]any{"name": text, "version": text}, optional: map[string]any{"configuration": text, "command_line": text, "description": text}},
		"task": shape{required: map[string]any{"input_files": nil, "input_file_hashes": nil, "specification": regexp.MustCompile(`^CHECK\( init\(main\(\)\), LTL\(.*\) \)`),
			"data_model": regexp.MustCompile("^(ILP32|LP64)$"), "language": regexp.MustCompile("^C$")}}}}
}

// entry is the shape of an entry of a version. In 2.0, what a function returns is ACSL;
// waypoints have threads from 2.2 on.
func entry(kind, version string) shape {
	invariant := shape{required: map[string]any{"type": regexp.MustCompile("^(loop|location)_invariant$"), "location": place, "value": text, "format": regexp.MustCompile("^c_expression$")}}
	results := "ext_c_expression"
	if version == "2.0" {
		results = "acsl_expression"
	}
	constraint := shape{required: map[string]any{"value": text}, optional: map[string]any{"format": regexp.MustCompile("^(c_expression|" + results + ")$")}}
	waypoint := shape{required: map[string]any{"type": regexp.MustCompile("^(assumption|target|function_enter|function_return|branching)$"), "action": regexp.MustCompile("^(follow|avoid)$"), "location": place},
		optional: map[string]any{"constraint": constraint}}
	if version >= "2.2" {
		waypoint.optional["thread_id"] = plain("!!int")
	}
	part := shape{required: map[string]any{"invariant": invariant}}
	if kind == "violation_sequence" {
		part = shape{required: map[string]any{"segment": []shape{{required: map[string]any{"waypoint": waypoint}}}}}
	}
	return shape{required: map[string]any{"entry_type": regexp.MustCompile("^" + kind + "$"), "metadata": metadata(version), "content": []shape{part}}}
}

// misfit says where a node is not as wanted.
func misfit(n *yaml.Node, want any, path string) string {
	switch want := want.(type) {
	case plain:
		if n.Kind != yaml.ScalarNode || n.ShortTag() != string(want) {
			return fmt.Sprintf("%s: %s %q, want %s", path, n.ShortTag(), n.Value, want)
		}
	case *regexp.Regexp:
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" && !want.MatchString("2001-01-01T00:00:00Z") || !want.MatchString(n.Value) {
			return fmt.Sprintf("%s: %s %q, want %s", path, n.ShortTag(), n.Value, want)
		}
	case []shape:
		if n.Kind != yaml.SequenceNode {
			return path + ": not a list"
		}
		for i, c := range n.Content {
			if d := misfit(c, want[0], fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
	case shape:
		if n.Kind != yaml.MappingNode {
			return path + ": not a mapping"
		}
		seen := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			k := n.Content[i].Value
			w, ok := want.required[k]
			if !ok {
				w, ok = want.optional[k]
			}
			if !ok {
				return path + ": a member " + k
			}
			seen[k] = true
			if d := misfit(n.Content[i+1], w, path+"."+k); d != "" {
				return d
			}
		}
		for k := range want.required {
			if !seen[k] {
				return path + ": no member " + k
			}
		}
	}
	return ""
}

// conforms checks a YAML file: its shape, and that files and hashes are the same.
func conforms(t *testing.T, b []byte, kind, version string) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if d := misfit(doc.Content[0], []shape{entry(kind, version)}, ""); d != "" {
		t.Errorf("%s %s: %s\n%s", kind, version, d, b)
	}
	var es []struct {
		Metadata struct {
			Task struct {
				Files  []string          `yaml:"input_files"`
				Hashes map[string]string `yaml:"input_file_hashes"`
			}
		}
	}
	if err := yaml.Unmarshal(b, &es); err != nil {
		t.Fatal(err)
	}
	task := es[0].Metadata.Task
	if len(task.Files) == 0 || len(task.Hashes) != len(task.Files) {
		t.Errorf("files %v, hashes %v", task.Files, task.Hashes)
	}
	for _, f := range task.Files {
		if !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(task.Hashes[f]) {
			t.Errorf("the hash of %s is %q", f, task.Hashes[f])
		}
	}
}

// TestYAMLFields: what is written has the members that the versions of the format
// require, and no others.
func TestYAMLFields(t *testing.T) {
	for _, x := range programs[:6] {
		p := load(t, head+x.src)
		v, err := witness.FromTrace(p, bug(t, p, x.kind), witness.Meta{Producer: witness.Producer{Name: "whoop", Version: "1"}, Created: time.Unix(1e9, 0)})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		for _, version := range []string{"2.0", "2.1", "2.2"} {
			v.Meta.Version = version
			var b bytes.Buffer
			if err := v.WriteYAML(&b); err != nil {
				t.Fatal(err)
			}
			conforms(t, b.Bytes(), "violation_sequence", version)
			c := &witness.Correctness{Meta: v.Meta, Invariants: []witness.Invariant{{Loop: true, At: v.Segments[0][0].At, Value: "1"}, {At: v.Segments[0][0].At, Value: "x == 1"}}}
			b.Reset()
			if err := c.WriteYAML(&b); err != nil {
				t.Fatal(err)
			}
			conforms(t, b.Bytes(), "invariant_set", version)
		}
	}
}

// TestBranchingValue: a branching's constraint is a truth value or a number, without a
// format.
func TestBranchingValue(t *testing.T) {
	v := &witness.Violation{Meta: witness.Meta{Specification: unreach}, Segments: []witness.Segment{
		{{Type: witness.Branching, At: witness.Location{File: "a.c", Line: 1}, Constraint: "true"}}, {{Type: witness.Target, At: witness.Location{File: "a.c", Line: 2}}}}}
	var b bytes.Buffer
	if err := v.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "value: true\n") || strings.Contains(b.String(), "format:") {
		t.Error(b.String())
	}
}

// graphML is a file of the GraphML format.
type graphML struct {
	Keys []struct {
		ID  string `xml:"id,attr"`
		For string `xml:"for,attr"`
	} `xml:"key"`
	Graph struct {
		Default string    `xml:"edgedefault,attr"`
		Data    []keyed   `xml:"data"`
		Nodes   []element `xml:"node"`
		Edges   []element `xml:"edge"`
	} `xml:"graph"`
}

type element struct {
	ID, Source, Target string  `xml:",attr"`
	Data               []keyed `xml:"data"`
}

type keyed struct {
	Key  string `xml:"key,attr"`
	Text string `xml:",chardata"`
}

// TestGraphMLKeys: all keys that are used are declared, all that are required are there,
// and threads are created before they do anything.
func TestGraphMLKeys(t *testing.T) {
	for _, x := range programs[:6] {
		p := load(t, head+x.src)
		b, _, err := witness.Checked(context.Background(), p, bug(t, p, x.kind), witness.Meta{Producer: witness.Producer{Name: "whoop", Version: "1"}, Created: time.Unix(1e9, 0)}, witness.GraphML, witness.Options{})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		var g graphML
		if err := xml.Unmarshal(b, &g); err != nil {
			t.Fatal(err)
		}
		declared := map[string]bool{}
		for _, k := range g.Keys {
			declared[k.For+" "+k.ID] = true
		}
		has := map[string]string{}
		for _, d := range g.Graph.Data {
			has[d.Key] = d.Text
		}
		for _, k := range []string{"witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime"} {
			if has[k] == "" {
				t.Errorf("%s: no %s", x.name, k)
			}
		}
		if !day.MatchString(has["creationtime"]) || g.Graph.Default != "directed" {
			t.Errorf("%s: created %s, edges %s", x.name, has["creationtime"], g.Graph.Default)
		}
		created := map[string]bool{}
		for _, e := range g.Graph.Edges {
			for _, d := range e.Data {
				if !declared["edge "+d.Key] {
					t.Errorf("%s: the key %s is not declared", x.name, d.Key)
				}
				if d.Key == "createThread" {
					created[d.Text] = true
				}
			}
			for _, d := range e.Data {
				if d.Key == "threadId" && !created[d.Text] {
					t.Errorf("%s: thread %s does something before it is created", x.name, d.Text)
				}
			}
		}
		if n := len(g.Graph.Nodes); n != len(g.Graph.Edges)+1 || !slices.ContainsFunc(g.Graph.Nodes[n-1].Data, func(d keyed) bool { return d.Key == "violation" && d.Text == "true" }) {
			t.Errorf("%s: %d nodes, %d edges", x.name, n, len(g.Graph.Edges))
		}
	}
}

// TestOtherEntries: files of format 2.1 and 2.2 may have entries and parts that are not
// read, and segments with several waypoints to follow.
func TestOtherEntries(t *testing.T) {
	meta := `  metadata:
    format_version: "2.2"
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: "2026-06-19T13:48:06+02:00"
    producer: {name: other, version: "1", configuration: x}
    task: {input_files: [a.c], input_file_hashes: {a.c: "00"}, specification: "` + unreach + `", data_model: LP64, language: C}
`
	w, err := witness.Read(strings.NewReader(`- entry_type: ghost_instrumentation
` + meta + `  content:
    ghost_variables: [{name: held, type: int, scope: global, initial: {value: "0", format: c_expression}}]
    ghost_updates: [{location: {file_name: a.c, line: 3}, updates: [{variable: held, value: "1", format: c_expression}]}]
- entry_type: invariant_set
` + meta + `  content:
  - invariant: {type: loop_invariant, location: {file_name: a.c, line: 3}, value: "x == 1", format: c_expression, labels: [inductive]}
  - invariant: {type: loop_transition_invariant, location: {file_name: a.c, line: 3}, value: "\\at(x, AnyPrev) < x", format: ext_c_expression}
  - contract: {type: function_contract, location: {file_name: a.c, line: 1}, requires: "x > 0", ensures: "\\result > 0", format: ext_c_expression}
`))
	if err != nil {
		t.Fatal(err)
	}
	if c := w.Correctness; len(c.Invariants) != 1 || len(c.Other) != 3 {
		t.Errorf("%d invariants, others: %v", len(c.Invariants), c.Other)
	}
	w, err = witness.Read(strings.NewReader(`- entry_type: violation_sequence
` + meta + `  content:
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 1, location: {file_name: a.c, line: 3}, constraint: {value: "1", format: c_expression}}
    - waypoint: {type: assumption, action: follow, thread_id: 2, location: {file_name: a.c, line: 4}, constraint: {value: "1", format: c_expression}}
  - segment:
    - waypoint: {type: target, action: follow, thread_id: 1, location: {file_name: a.c, line: 5}}
    - waypoint: {type: target, action: follow, thread_id: 2, location: {file_name: a.c, line: 6}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if v := w.Violation; len(v.Segments) != 2 || len(v.Segments[0]) != 2 || v.Segments[1][1].Thread != "2" {
		t.Errorf("%+v", v)
	}
}
