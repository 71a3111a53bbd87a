package task

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	reach    = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
	race     = "CHECK( init(main()), LTL(G ! data-race) )\n"
	memory   = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n# all three\n\nCHECK( init(main()), LTL(G valid-memtrack) )"
	twoProps = `format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-data-race.prp
    expected_verdict: false
options:
  language: C
  data_model: LP64
`
)

func TestParseProperty(t *testing.T) {
	for _, c := range []struct{ text, name, function, sub string }{
		{reach, "unreach-call", "reach_error", ""},
		{"CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", "unreach-call", "__VERIFIER_error", ""},
		{"CHECK(init(main()),LTL(G!call(f())))\r\n", "unreach-call", "f", ""},
		{race, "no-data-race", "", ""},
		{"CHECK( init(main()), LTL(G ! overflow) )", "no-overflow", "", ""},
		{"CHECK( init(main()), LTL(G ! deadlock) )", "no-deadlock", "", ""},
		{"CHECK( init(main()), LTL(F end) )", "termination", "", ""},
		{"CHECK( init(main()), LTL(G valid-deref) )", "valid-deref", "", ""},
		{"CHECK( init(main()), LTL(G valid-memcleanup) )", "valid-memcleanup", "", ""},
		{memory, "valid-memsafety", "", "valid-deref valid-free valid-memtrack"},
	} {
		p, err := ParseProperty("p.prp", []byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if p.Name != c.name || p.Function != c.function || strings.Join(p.Sub, " ") != c.sub || p.File != "p.prp" {
			t.Errorf("%q: %+v", c.text, p)
		}
	}
}

func TestParsePropertyErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "p.prp:1: no property",
		"\nG ! data-race":                      "p.prp:2: not a property",
		"CHECK( init(main()), LTL(G p) )":      `p.prp:1: unknown formula "G p"`,
		race + reach:                           "p.prp:1: no-data-race beside other properties",
		"\n" + race + race:                     "p.prp:2: no-data-race beside other properties",
		"COVER( init(main()), FQL(COVER x) )":  "p.prp:1: a specification of coverage",
		"CHECK( init(main()), LTL(G ! f() )":   "p.prp:1: unknown formula",
		"CHECK( init(main()), LTL(G valid-x))": "unknown formula",
	} {
		if _, err := ParseProperty("p.prp", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestDefinition(t *testing.T) {
	dir := tree(t, map[string]string{"f/a.yml": twoProps, "f/a.c": "", "properties/unreach-call.prp": reach, "properties/no-data-race.prp": race})
	d, err := ReadDefinition(filepath.Join(dir, "f", "a.yml"))
	if err != nil {
		t.Fatal(err)
	}
	want := Definition{File: filepath.Join(dir, "f", "a.yml"), Inputs: []string{filepath.Join(dir, "f", "a.c")}, Language: "C", DataModel: "LP64",
		Properties: []Expectation{
			{Property{Name: "unreach-call", Function: "reach_error", File: filepath.Join(dir, "properties", "unreach-call.prp")}, Expected{Known: true, Holds: true}},
			{Property{Name: "no-data-race", File: filepath.Join(dir, "properties", "no-data-race.prp")}, Expected{Known: true}}}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

func TestDefinitionForms(t *testing.T) {
	dir := tree(t, map[string]string{"p.prp": memory, "a.c": "", "b.c": "", "x.h": "", "cover.prp": "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
		"t.yml": "format_version: \"2.1\"\ninput_files: ['a.c', '[b].c']\nrequired_files: ./*.h\nproperties:\n  - property_file: cover.prp\n  - property_file: p.prp\n    expected_verdict: false\n    subproperty: valid-free\nadditional_information: {a: [b]}\noptions: {language: Java}\n"})
	d, err := ReadDefinition(filepath.Join(dir, "t.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Inputs) != 2 || len(d.Required) != 1 || d.Language != "Java" || d.DataModel != "" {
		t.Errorf("%+v", d)
	}
	if len(d.Properties) != 1 || d.Properties[0].Expected != (Expected{Known: true, Sub: "valid-free"}) {
		t.Errorf("%+v", d.Properties)
	}
}

func TestDefinitionErrors(t *testing.T) {
	dir := tree(t, map[string]string{"a.c": "", "p.prp": race, "bad.prp": "\nCHECK( init(main()), LTL(G p) )"})
	head := "format_version: '2.0'\ninput_files: a.c\n"
	for text, want := range map[string]string{
		"":                            "t.yml: not a task definition",
		"- a":                         "t.yml: not a task definition",
		"a: b":                        "t.yml: not a task definition",
		"format_version: '1.0'":       `t.yml:1: format_version "1.0": want 2.0 or 2.1`,
		"\nformat_version: '2.0'":     "t.yml:2: input_files is missing",
		"format_version: '2.0'\nx: [": "t.yml:2: did not find expected",
		"format_version: '2.0'\ninput_files:\n  - no.c":                            `t.yml:3: "no.c": no such file`,
		"format_version: '2.0'\ninput_files: []":                                   "t.yml:2: input_files is empty",
		"format_version: '2.0'\ninput_files: {a: b}":                               "t.yml:2: input_files: want a file name",
		head + "properties: 3":                                                     "t.yml:3: properties: want a list",
		head + "properties:\n  - p.prp":                                            "t.yml:4: properties: want entries",
		head + "properties:\n  - expected_verdict: true":                           "t.yml:4: property_file is missing",
		head + "properties:\n  - property_file: q.prp":                             `t.yml:4: "q.prp": no such file`,
		head + "properties:\n  - property_file: '*.prp'":                           `t.yml:4: property_file "*.prp" matches 2 files`,
		head + "properties:\n  - property_file: bad.prp":                           "bad.prp:2: unknown formula",
		head + "properties:\n  - property_file: p.prp\n    expected_verdict: 7":    `t.yml:5: expected_verdict "7": want true or false`,
		head + "properties:\n  - property_file: p.prp\n    subproperty: x":         "t.yml:5: subproperty x: only where",
		head + "properties:\n  - property_file: p.prp\n  - property_file: ./p.prp": "t.yml:5: property no-data-race a second time",
		head + "options:\n  data_model: LLP64":                                     `t.yml:4: data_model "LLP64": want ILP32 or LP64`,
		"format_version: '2.0'\ninput_files: 'c/**/a.c'":                           "patterns with ** are not supported",
	} {
		path := filepath.Join(dir, "t.yml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDefinition(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestFromName(t *testing.T) {
	for name, want := range map[string]string{
		"foo_true-unreach-call.c":                      "unreach-call=true",
		"d/foo_false-no-data-race_true-termination.i":  "no-data-race=false termination=true",
		"foo_false-unreach-call1.c":                    "unreach-call=false",
		"a_true-unreach-call_false-valid-deref.i":      "unreach-call=true valid-memsafety=false(valid-deref)",
		"a_true-valid-memsafety_true-unreach-call.cil": "valid-memsafety=true unreach-call=true",
		"a_false-unreach-call_true-unreach-call.c":     "unreach-call=false",
		"lock_true.c":            "",
		"a_true-magic.c":         "",
		"a_true-unreach-calls.c": "",
	} {
		var got []string
		for _, x := range FromName(name) {
			got = append(got, x.Property.Name+"="+x.Expected.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestClassify: the whole table of expected verdicts and answers, and what each is worth.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		property, expected, verdict string
		class                       Class
		score                       int
	}{
		{"no-data-race", "true", "TRUE", CorrectTrue, 2},
		{"no-data-race", "true", "FALSE(no-data-race)", WrongFalse, -16},
		{"no-data-race", "true", "FALSE", WrongFalse, -16},
		{"no-data-race", "true", "FALSE(unreach-call)", Undecided, 0},
		{"no-data-race", "false", "TRUE", WrongTrue, -32},
		{"no-data-race", "false", "FALSE(no-data-race)", CorrectFalse, 1},
		{"no-data-race", "false", "FALSE(unreach-call)", Undecided, 0},
		{"no-data-race", "false", "UNKNOWN(why)", Undecided, 0},
		{"no-data-race", "false", "TIMEOUT", Undecided, 0},
		{"no-data-race", "true", "OUT OF MEMORY", Undecided, 0},
		{"no-data-race", "true", "ERROR(7)", Undecided, 0},
		{"no-data-race", "", "TRUE", Missing, 0},
		{"no-data-race", "", "FALSE(no-data-race)", Missing, 0},
		{"no-data-race", "", "UNKNOWN", Undecided, 0},
		{"valid-memsafety", "false(valid-deref)", "FALSE(valid-deref)", CorrectFalse, 1},
		{"valid-memsafety", "false(valid-deref)", "FALSE(valid-free)", Undecided, 0},
		{"valid-memsafety", "false(valid-deref)", "FALSE", Undecided, 0},
		{"valid-memsafety", "false(valid-deref)", "TRUE", WrongTrue, -32},
		{"valid-memsafety", "false", "FALSE(valid-free)", CorrectFalse, 1},
		{"valid-memsafety", "true", "FALSE(valid-free)", WrongFalse, -16},
		{"unreach-call", "false(unreach-call)", "FALSE", CorrectFalse, 1},
	} {
		p, ok := Named(c.property)
		if !ok {
			t.Fatalf("no property %s", c.property)
		}
		v, err := ParseVerdict(c.verdict)
		if err != nil {
			t.Fatal(err)
		}
		var e Expected
		if err := e.UnmarshalText([]byte(c.expected)); err != nil {
			t.Fatal(err)
		}
		got := Classify(p, e, v)
		if got != c.class || Score(got) != c.score {
			t.Errorf("%s expects %q, answer %s: %s, %d", c.property, c.expected, c.verdict, got, Score(got))
		}
		if Score(got) > MaxScore(e) {
			t.Errorf("%s expects %q: more than the maximum", c.property, c.expected)
		}
	}
}

// TestTexts: verdicts, expected verdicts and classes are read back as they were written.
func TestTexts(t *testing.T) {
	for _, s := range []string{"TRUE", "FALSE", "FALSE(no-data-race)", "UNKNOWN(two (nested) parts)", "TIMEOUT", "OUT OF MEMORY", "ERROR(exit status 2)"} {
		v, err := ParseVerdict(s)
		if err != nil || v.String() != s {
			t.Errorf("%s: %s, %v", s, v, err)
		}
	}
	for in, want := range map[string]string{"true": "TRUE", "false(unreach-call)": "FALSE(unreach-call)", "TIMEOUT (cpu)": "TIMEOUT(cpu)", " unknown\n": "UNKNOWN"} {
		if v, err := ParseVerdict(in); err != nil || v.String() != want {
			t.Errorf("%s: %s, %v", in, v, err)
		}
	}
	for _, s := range []string{"", "YES", "TRUE(", "UNKNOWN(a\nb)", "done"} {
		if v, err := ParseVerdict(s); err == nil {
			t.Errorf("%q is %v", s, v)
		}
	}
	for _, s := range []string{"", "true", "false", "false(valid-free)"} {
		var e Expected
		if err := e.UnmarshalText([]byte(s)); err != nil || e.String() != s {
			t.Errorf("%q: %q, %v", s, e, err)
		}
	}
	for _, c := range Classes() {
		var back Class
		if err := back.UnmarshalText([]byte(c.String())); err != nil || back != c {
			t.Errorf("%s: %s, %v", c, back, err)
		}
	}
}
