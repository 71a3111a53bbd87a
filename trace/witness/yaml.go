package witness

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// The shapes of a YAML file, in the order in which members are written.
type (
	yamlEntry struct {
		EntryType string     `yaml:"entry_type"`
		Metadata  yamlMeta   `yaml:"metadata"`
		Content   []yamlPart `yaml:"content"`
	}
	yamlMeta struct {
		FormatVersion yaml.Node    `yaml:"format_version"`
		UUID          string       `yaml:"uuid"`
		CreationTime  string       `yaml:"creation_time"`
		Producer      yamlProducer `yaml:"producer"`
		Task          yamlTask     `yaml:"task"`
	}
	yamlProducer struct {
		Name    string `yaml:"name"`
		Version string `yaml:"version"`
	}
	yamlTask struct {
		InputFiles      []string          `yaml:"input_files"`
		InputFileHashes map[string]string `yaml:"input_file_hashes"`
		Specification   string            `yaml:"specification"`
		DataModel       string            `yaml:"data_model"`
		Language        string            `yaml:"language"`
	}
	yamlPart struct {
		Segment   []yamlStep     `yaml:"segment,omitempty"`
		Invariant *yamlInvariant `yaml:"invariant,omitempty"`
	}
	yamlStep struct {
		Waypoint yamlWaypoint `yaml:"waypoint"`
	}
	yamlWaypoint struct {
		Type       string          `yaml:"type"`
		Action     string          `yaml:"action"`
		ThreadID   *yaml.Node      `yaml:"thread_id,omitempty"`
		Location   yamlLocation    `yaml:"location"`
		Constraint *yamlConstraint `yaml:"constraint,omitempty"`
	}
	yamlLocation struct {
		FileName string `yaml:"file_name"`
		Line     int    `yaml:"line"`
		Column   int    `yaml:"column,omitempty"`
		Function string `yaml:"function,omitempty"`
	}
	yamlConstraint struct {
		Value  *yaml.Node `yaml:"value"`
		Format string     `yaml:"format,omitempty"`
	}
	yamlInvariant struct {
		Type     string       `yaml:"type"`
		Location yamlLocation `yaml:"location"`
		Value    string       `yaml:"value"`
		Format   string       `yaml:"format"`
	}
)

// WriteYAML writes the violation in the YAML format: version 2.2 where it has several
// threads, else 2.0, unless Meta says.
func (v *Violation) WriteYAML(w io.Writer) error {
	meta := v.Meta
	if meta.Version == "" || meta.Version == graphMLVersion {
		meta.Version = "2.0"
		if v.threads() {
			meta.Version = "2.2"
		}
	}
	e := yamlEntry{EntryType: "violation_sequence"}
	for _, s := range v.Segments {
		var part yamlPart
		for _, p := range s {
			part.Segment = append(part.Segment, yamlStep{waypointYAML(p, meta.Version)})
		}
		e.Content = append(e.Content, part)
	}
	return writeYAML(w, e, meta)
}

// WriteYAML writes the invariants in the YAML format, version 2.0 unless Meta says.
func (c *Correctness) WriteYAML(w io.Writer) error {
	meta := c.Meta
	if meta.Version == "" || meta.Version == graphMLVersion {
		meta.Version = "2.0"
	}
	e := yamlEntry{EntryType: "invariant_set", Content: []yamlPart{}}
	for _, i := range c.Invariants {
		y := &yamlInvariant{Type: "location_invariant", Location: locationYAML(i.At), Value: i.Value, Format: "c_expression"}
		if i.Loop {
			y.Type = "loop_invariant"
		}
		e.Content = append(e.Content, yamlPart{Invariant: y})
	}
	return writeYAML(w, e, meta)
}

func waypointYAML(p Waypoint, version string) yamlWaypoint {
	y := yamlWaypoint{Type: string(p.Type), Action: "follow", Location: locationYAML(p.At)}
	if p.Avoid {
		y.Action = "avoid"
	}
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.Constraint}
	switch p.Type {
	case Assumption:
		y.Constraint = &yamlConstraint{value, "c_expression"}
	case FunctionReturn:
		y.Constraint = &yamlConstraint{value, "ext_c_expression"}
		if version == "2.0" { // whose expressions of results are ACSL
			y.Constraint.Format = "acsl_expression"
		}
	case Branching: // true, false, a number or default, as they are
		y.Constraint = &yamlConstraint{&yaml.Node{Kind: yaml.ScalarNode, Value: p.Constraint}, ""}
	}
	if p.Thread != "" && version >= "2.2" {
		y.ThreadID = &yaml.Node{Kind: yaml.ScalarNode, Value: p.Thread}
		if _, err := strconv.Atoi(p.Thread); err != nil {
			y.ThreadID.Style = yaml.DoubleQuotedStyle
		}
	}
	return y
}

func locationYAML(l Location) yamlLocation {
	return yamlLocation{FileName: l.File, Line: l.Line, Column: l.Column, Function: l.Function}
}

func writeYAML(w io.Writer, e yamlEntry, meta Meta) error {
	e.Metadata = yamlMeta{
		FormatVersion: yaml.Node{Kind: yaml.ScalarNode, Value: meta.Version, Style: yaml.DoubleQuotedStyle},
		UUID:          meta.UUID, CreationTime: timestamp(meta.Created),
		Producer: yamlProducer(meta.Producer),
		Task: yamlTask{InputFiles: meta.Files, InputFileHashes: meta.Hashes, Specification: meta.Specification,
			DataModel: meta.DataModel, Language: "C"},
	}
	if meta.UUID == "" {
		b, err := yaml.Marshal(e)
		if err != nil {
			return fmt.Errorf("write a witness: %w", err)
		}
		e.Metadata.UUID = contentID(b)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode([]yamlEntry{e}); err != nil {
		return fmt.Errorf("write a witness: %w", err)
	}
	if err := enc.Close(); err != nil {
		return fmt.Errorf("write a witness: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// contentID is a UUID of the free form of RFC 9562 (version 8), made of a hash: the same
// content has the same one.
func contentID(b []byte) string {
	h := sha256.Sum256(b)
	h[6] = h[6]&0x0f | 0x80
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
