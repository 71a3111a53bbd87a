package witness

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// readYAML reads a file of the YAML format. Members that are not known are passed over.
func readYAML(b []byte) (*Witness, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("not a witness: %w", err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("not a witness: an empty document")
	}
	entries, err := list(doc.Content[0], "the file")
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("line %d: there is no entry", doc.Content[0].Line)
	}
	var out *Witness
	for _, n := range entries {
		w, err := readEntry(n)
		if err != nil {
			return nil, err
		}
		switch {
		case out == nil:
			out = w
		case out.Correctness == nil || w.Correctness == nil:
			return nil, fmt.Errorf("line %d: a second entry: only a correctness witness has several", n.Line)
		default:
			out.Correctness.Invariants = append(out.Correctness.Invariants, w.Correctness.Invariants...)
			out.Correctness.Other = append(out.Correctness.Other, w.Correctness.Other...)
		}
	}
	return out, nil
}

func readEntry(n *yaml.Node) (*Witness, error) {
	e, err := mapping(n, "the entry", "entry_type", "metadata", "content")
	if err != nil {
		return nil, err
	}
	kind, err := e.text("entry_type")
	if err != nil {
		return nil, err
	}
	meta, err := readMeta(e.node("metadata"))
	if err != nil {
		return nil, err
	}
	if kind == "ghost_instrumentation" {
		return &Witness{Correctness: &Correctness{Meta: meta, Other: []string{fmt.Sprintf("line %d: ghost variables", n.Line)}}}, nil
	}
	parts, err := list(e.node("content"), "content")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "violation_sequence":
		v := &Violation{Meta: meta}
		if v.Segments, err = readSegments(parts, meta.Version); err == nil && len(parts) == 0 {
			err = fmt.Errorf("line %d: content is empty: a violation needs a target", e.node("content").Line)
		}
		return &Witness{Violation: v}, err
	case "invariant_set":
		c := &Correctness{Meta: meta}
		err = readInvariants(parts, c)
		return &Witness{Correctness: c}, err
	}
	return nil, fmt.Errorf("line %d: entry_type %q: want violation_sequence, invariant_set or ghost_instrumentation", n.Line, kind)
}

func readMeta(n *yaml.Node) (Meta, error) {
	m, err := mapping(n, "metadata", "format_version", "task")
	if err != nil {
		return Meta{}, err
	}
	var out Meta
	if out.Version, err = m.text("format_version"); err != nil {
		return out, err
	}
	if !slices.Contains([]string{"2.0", "2.1", "2.2"}, out.Version) {
		return out, fmt.Errorf("line %d: format_version %q: want 2.0, 2.1 or 2.2", m.node("format_version").Line, out.Version)
	}
	out.UUID, _ = m.text("uuid")
	if s, err := m.text("creation_time"); err == nil {
		out.Created, _ = time.Parse(time.RFC3339, s)
	}
	if p := m.node("producer"); p != nil {
		x, err := mapping(p, "producer")
		if err != nil {
			return out, err
		}
		out.Producer.Name, _ = x.text("name")
		out.Producer.Version, _ = x.text("version")
	}
	return out, readTask(m.node("task"), &out)
}

func readTask(n *yaml.Node, out *Meta) error {
	t, err := mapping(n, "task", "specification")
	if err != nil {
		return err
	}
	if out.Specification, err = t.text("specification"); err != nil {
		return err
	}
	if x := t.node("data_model"); x != nil {
		out.DataModel = x.Value
	}
	if x := t.node("language"); x != nil && x.Value != "C" {
		return fmt.Errorf("line %d: language %q: want C", x.Line, x.Value)
	}
	if x := t.node("input_files"); x != nil {
		fs, err := list(x, "input_files")
		if err != nil {
			return err
		}
		for _, f := range fs {
			out.Files = append(out.Files, f.Value)
		}
	}
	if x := t.node("input_file_hashes"); x != nil {
		hs, err := mapping(x, "input_file_hashes")
		if err != nil {
			return err
		}
		out.Hashes = map[string]string{}
		for k, v := range hs.members {
			out.Hashes[k] = v.Value
		}
	}
	return nil
}

func readSegments(parts []*yaml.Node, version string) ([]Segment, error) {
	var out []Segment
	for i, p := range parts {
		m, err := mapping(p, "a part of the content", "segment")
		if err != nil {
			return nil, err
		}
		steps, err := list(m.node("segment"), "segment")
		if err != nil {
			return nil, err
		}
		var s Segment
		for _, x := range steps {
			w, err := readWaypoint(x)
			if err != nil {
				return nil, err
			}
			if w.Type == Target && (i+1 < len(parts) || w.Avoid) {
				return nil, fmt.Errorf("line %d: a target belongs to the last segment, to follow", x.Line)
			}
			s = append(s, w)
		}
		last := i+1 == len(parts)
		switch f := s.follow(); {
		case len(f) == 0 || s[len(s)-1].Avoid:
			return nil, fmt.Errorf("line %d: a segment ends with a waypoint to follow", p.Line)
		case !last && len(f) != 1 && version < "2.2":
			return nil, fmt.Errorf("line %d: a segment has one waypoint to follow, not %d", p.Line, len(f))
		case last && slices.ContainsFunc(f, func(w Waypoint) bool { return w.Type != Target }):
			return nil, fmt.Errorf("line %d: the last segment wants targets", p.Line)
		}
		out = append(out, s)
	}
	return out, nil
}

func readWaypoint(n *yaml.Node) (Waypoint, error) {
	var w Waypoint
	o, err := mapping(n, "a member of a segment", "waypoint")
	if err != nil {
		return w, err
	}
	m, err := mapping(o.node("waypoint"), "waypoint", "type", "action", "location")
	if err != nil {
		return w, err
	}
	t, err := m.text("type")
	if err != nil {
		return w, err
	}
	w.Type = Type(t)
	if !slices.Contains([]Type{Assumption, Branching, FunctionEnter, FunctionReturn, Target}, w.Type) {
		return w, fmt.Errorf("line %d: a waypoint's type %q is not known", m.n.Line, t)
	}
	switch a, err := m.text("action"); {
	case err != nil:
		return w, err
	case a != "follow" && a != "avoid":
		return w, fmt.Errorf("line %d: action %q: want follow or avoid", m.n.Line, a)
	default:
		w.Avoid = a == "avoid"
	}
	if x := m.node("thread_id"); x != nil {
		if w.Thread, err = m.text("thread_id"); err != nil {
			return w, err
		}
	}
	if w.At, err = readLocation(m.node("location")); err != nil {
		return w, err
	}
	return w, readConstraint(m, &w)
}

func readConstraint(m *object, w *Waypoint) error {
	x := m.node("constraint")
	if x == nil {
		if w.Type == Assumption || w.Type == Branching || w.Type == FunctionReturn {
			return fmt.Errorf("line %d: a waypoint of type %s wants a constraint", m.n.Line, w.Type)
		}
		return nil
	}
	c, err := mapping(x, "constraint", "value")
	if err != nil {
		return err
	}
	w.Constraint, err = c.text("value")
	return err
}

func readLocation(n *yaml.Node) (Location, error) {
	var l Location
	m, err := mapping(n, "location", "line")
	if err != nil {
		return l, err
	}
	if l.Line, err = m.number("line"); err != nil {
		return l, err
	}
	if m.node("column") != nil {
		if l.Column, err = m.number("column"); err != nil {
			return l, err
		}
	}
	l.File, _ = m.text("file_name")
	l.Function, _ = m.text("function")
	return l, nil
}

// readInvariants reads the parts of an invariant set. Contracts of functions and
// invariants about two states are not read.
func readInvariants(parts []*yaml.Node, c *Correctness) error {
	for _, p := range parts {
		o, err := mapping(p, "a part of the content")
		if err != nil {
			return err
		}
		if o.node("invariant") == nil {
			if o.node("contract") == nil && o.node("predicate_definition") == nil {
				return fmt.Errorf("line %d: a part of the content has no member invariant", p.Line)
			}
			c.Other = append(c.Other, fmt.Sprintf("line %d: a contract or a definition", p.Line))
			continue
		}
		m, err := mapping(o.node("invariant"), "invariant", "type", "location", "value")
		if err != nil {
			return err
		}
		t, err := m.text("type")
		switch {
		case err != nil:
			return err
		case t == "loop_transition_invariant" || t == "location_transition_invariant":
			c.Other = append(c.Other, fmt.Sprintf("line %d: a %s", p.Line, t))
			continue
		case t != "loop_invariant" && t != "location_invariant":
			return fmt.Errorf("line %d: an invariant's type %q: want loop_invariant or location_invariant", p.Line, t)
		}
		i := Invariant{Loop: t == "loop_invariant"}
		if i.At, err = readLocation(m.node("location")); err != nil {
			return err
		}
		if i.Value, err = m.text("value"); err != nil {
			return err
		}
		c.Invariants = append(c.Invariants, i)
	}
	return nil
}

// object is a mapping of the file.
type object struct {
	n       *yaml.Node
	what    string
	members map[string]*yaml.Node
}

// mapping checks that n is a mapping that has some members.
func mapping(n *yaml.Node, what string, want ...string) (*object, error) {
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: %s is not a mapping", n.Line, what)
	}
	o := &object{n, what, map[string]*yaml.Node{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i].Value
		if o.members[k] != nil {
			return nil, fmt.Errorf("line %d: %s has two members %s", n.Content[i].Line, what, k)
		}
		o.members[k] = n.Content[i+1]
	}
	for _, k := range want {
		if o.members[k] == nil {
			return nil, fmt.Errorf("line %d: %s has no member %s", n.Line, what, k)
		}
	}
	return o, nil
}

func (o *object) node(k string) *yaml.Node { return o.members[k] }

func (o *object) text(k string) (string, error) {
	n := o.members[k]
	if n == nil {
		return "", fmt.Errorf("line %d: %s has no member %s", o.n.Line, o.what, k)
	}
	if n.Kind != yaml.ScalarNode {
		return "", fmt.Errorf("line %d: %s of %s is not a plain value", n.Line, k, o.what)
	}
	return n.Value, nil
}

func (o *object) number(k string) (int, error) {
	s, err := o.text(k)
	if err != nil {
		return 0, err
	}
	i, err := strconv.Atoi(s)
	if err != nil || i < 1 {
		return 0, fmt.Errorf("line %d: %s %q: want a number from 1", o.members[k].Line, k, s)
	}
	return i, nil
}

func list(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d: %s is not a list", n.Line, what)
	}
	return n.Content, nil
}
