package witness_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"whoop/trace/witness"
)

// good is a small witness that the tests of errors break.
var good = yamlOf(unreach, []string{"assumption|7:3|1|x == 0"}, []string{"target|21:5|0|"})

// TestErrors: each file is refused, with the place.
func TestErrors(t *testing.T) {
	cut := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	graph := graphOf(unreach, "startline=7", "startline=8")
	for _, x := range []struct{ file, want string }{
		{"", "the file is empty"},
		{"a: [", "not a witness: yaml"},
		{"just text", "line 1: the file is not a list"},
		{"[]", "there is no entry"},
		{"- 5", "line 1: the entry is not a mapping"},
		{cut("violation_sequence", "violations"), `line 1: entry_type "violations"`},
		{cut("  content:", "  contents:"), "line 1: the entry has no member content"},
		{cut(`"2.2"`, `"3.0"`), `line 3: format_version "3.0"`},
		{cut("language: C", "language: Java"), `line 12: language "Java"`},
		{cut("type: assumption", "type: hope"), `line 16: a waypoint's type "hope"`},
		{cut("action: follow", "action: lead"), `action "lead"`},
		{cut("line: 7", "line: x"), `line 18: line "x"`},
		{cut("line: 7", "line: -7"), `line 18: line "-7"`},
		{cut("line: 7, ", ""), "line 18: location has no member line"},
		{cut("type: assumption", "type: target"), "a target belongs to the last segment"},
		{cut("type: target", "type: function_enter"), "the last segment wants targets"},
		{cut("action: follow", "action: avoid"), "ends with a waypoint to follow"},
		{cut(`constraint: {value: "x == 0"}`, "c: 1"), "assumption wants a constraint"},
		{cut(`specification: `, "specification: *"), "not a witness: yaml"},
		{cut("data_model", "specification"), "has two members specification"},
		{cut("thread_id: 1", "thread_id: [1]"), "thread_id of waypoint is not a plain value"},
		{"<a>", "not a witness: XML"},
		{"<a></a>", "want one graph, not 0"},
		{strings.Replace(graph, "violation_witness", "", 1), `witness-type ""`},
		{strings.Replace(graph, `key="sourcecodelang">C`, `key="sourcecodelang">Java`, 1), `sourcecodelang "Java"`},
		{strings.Replace(graph, `key="entry"`, `key="exit"`, 1), "no entry node"},
		{strings.Replace(graph, `id="n1"`, `id="n0"`, 1), `a node wants an id of its own, not "n0"`},
		{strings.Replace(graph, `target="n1"`, `target="n9"`, 1), `there is no node "n9"`},
		{strings.Replace(graph, `<data key="violation">true</data>`, "", 1), "no path leads"},
		{strings.Replace(graph, `key="startline">7`, `key="startline">seven`, 1), `startline "seven"`},
	} {
		_, err := witness.Read(strings.NewReader(x.file))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want %q in\n%s", err, x.want, x.file)
		}
	}
	if _, err := witness.Read(strings.NewReader(good)); err != nil {
		t.Error(err)
	}
	if _, err := witness.Read(strings.NewReader(graph)); err != nil {
		t.Error(err)
	}
}

// TestCorrectness: correctness witnesses are written and read in both formats.
func TestCorrectness(t *testing.T) {
	c := &witness.Correctness{Meta: witness.Meta{Specification: unreach, Files: []string{"a.c"}, Hashes: map[string]string{"a.c": "00"},
		DataModel: "ILP32", Created: time.Unix(1e9, 0).UTC(), Producer: witness.Producer{Name: "whoop", Version: "1"}}}
	for n := range 3 {
		for _, yaml := range []bool{true, false} {
			var b bytes.Buffer
			write := c.WriteGraphML
			if yaml {
				write = c.WriteYAML
			}
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			w, err := witness.Read(&b)
			if err != nil {
				t.Fatal(err)
			}
			got := *w.Correctness
			got.Meta.Version, got.Meta.UUID = "", ""
			want := *c
			if !yaml {
				want.Invariants = nil
				for _, i := range c.Invariants {
					i.At.File, i.At.Column = "", 0
					want.Invariants = append(want.Invariants, i)
				}
			}
			if d := cmp.Diff(&want, &got); d != "" {
				t.Errorf("%d invariants, YAML %t: %s", n, yaml, d)
			}
		}
		c.Invariants = append(c.Invariants, witness.Invariant{Loop: n == 0, At: witness.Location{File: "a.c", Line: n + 3, Column: 2, Function: "main"}, Value: "x < 3 && y >= 0"})
	}
}

// TestDeterministic: the same content has the same UUID, another one another.
func TestDeterministic(t *testing.T) {
	id := func(m witness.Meta) string {
		c := &witness.Correctness{Meta: m}
		var b strings.Builder
		if err := c.WriteYAML(&b); err != nil {
			t.Fatal(err)
		}
		_, s, _ := strings.Cut(b.String(), "uuid: ")
		s, _, _ = strings.Cut(s, "\n")
		return s
	}
	a, b := id(witness.Meta{Specification: unreach}), id(witness.Meta{Specification: noRace})
	if a == b || a != id(witness.Meta{Specification: unreach}) || len(a) != 36 || a[14] != '8' {
		t.Errorf("%s %s", a, b)
	}
}

// FuzzRead: no file makes Read panic, and what it reads can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(graphOf(unreach, "startline=7,threadId=1,assumption=\\result == 1,assumption.resultfunction=f", "startline=8")))
	f.Add([]byte(`[{entry_type: violation_sequence, metadata: {format_version: "2.2", task: {specification: s, input_file_hashes: {a: b}}}, content: [
{segment: [{waypoint: {type: branching, action: avoid, location: {line: 1}, constraint: {value: t}}}, {waypoint: {type: target, action: follow, thread_id: x, location: {line: 2}}}]}]}]`))
	f.Add([]byte(`[{entry_type: invariant_set, metadata: {format_version: "2.1", task: {specification: s}}, content: [
{invariant: {type: loop_invariant, location: {line: 1, column: 2}, value: v}}]}]`))
	f.Add([]byte(`<graphml><graph><data key="witness-type">correctness_witness</data><node id="a"/><node id="b"><data key="invariant">x</data></node>
<edge source="a" target="b"><data key="startline">3</data></edge></graph></graphml>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := witness.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		for _, yaml := range []bool{true, false} {
			var out bytes.Buffer
			switch {
			case w.Violation != nil && yaml:
				err = w.Violation.WriteYAML(&out)
			case w.Violation != nil:
				err = w.Violation.WriteGraphML(&out)
			case yaml:
				err = w.Correctness.WriteYAML(&out)
			default:
				err = w.Correctness.WriteGraphML(&out)
			}
			if err != nil {
				t.Fatal(err)
			}
			again, err := witness.Read(bytes.NewReader(out.Bytes()))
			if err != nil {
				if yaml == (b[0] != '<') && !strings.Contains(err.Error(), "number from 1") {
					t.Fatalf("%v\n%q\n%s", err, b, out.String())
				}
				continue
			}
			if (again.Violation == nil) != (w.Violation == nil) {
				t.Fatal("another kind of witness")
			}
		}
	})
}
