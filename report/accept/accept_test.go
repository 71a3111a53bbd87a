package accept

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestScan: which comments are for us, and which line each is about.
func TestScan(t *testing.T) {
	for _, tc := range []struct {
		name, file, src string
		line            int // 0: about none; -1: no comment
		reason          string
	}{
		{"same line", "a.go", "x++ //whoop:ignore a reason\n", 1, "a reason"},
		{"space", "a.c", "x++; // whoop:ignore  two   words\n", 1, "two words"},
		{"above", "a.go", "\n//whoop:ignore r\nx++\n", 3, "r"},
		{"above, more comments", "a.go", "//whoop:ignore r\n// more\n/* and\nmore */\nx++\n", 5, "r"},
		{"blank line", "a.go", "//whoop:ignore r\n\nx++\n", 0, "r"},
		{"end of file", "a.go", "x++\n//whoop:ignore r", 0, "r"},
		{"block", "a.c", "/* whoop:ignore r */ x++;\n", 1, "r"},
		{"block of two lines", "a.c", "/* whoop:ignore r\n   s */\nx++;\n", 3, "r s"},
		{"no reason", "a.go", "x++ //whoop:ignore\n", 1, ""},
		{"another word", "a.go", "x++ //whoop:ignored r\n", -1, ""},
		{"in a sentence", "a.go", "x++ // see whoop:ignore r\n", -1, ""},
		{"string", "a.go", "s := \"//whoop:ignore r\"\n", -1, ""},
		{"escaped quote", "a.c", "s = \"\\\"//whoop:ignore r\";\n", -1, ""},
		{"raw string", "a.go", "s := `\n//whoop:ignore r\n`\n", -1, ""},
		{"character", "a.go", "c := '\"' //whoop:ignore r\n", 1, "r"},
		{"apostrophe of a directive", "a.c", "#error don't\nx++; //whoop:ignore r\n", 2, "r"},
		{"carriage returns", "a.c", "//whoop:ignore r\r\nx++;\r\n", 2, "r"},
		{"open comment", "a.c", "x++; /* whoop:ignore r", 1, "r"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cs := scan(tc.file, []byte(tc.src))
			switch {
			case tc.line < 0 && len(cs) == 0:
			case tc.line < 0 || len(cs) != 1:
				t.Errorf("%d comments in %q", len(cs), tc.src)
			case cs[0].Line != tc.line || cs[0].Reason != tc.reason:
				t.Errorf("about line %d because %q; want %d, %q", cs[0].Line, cs[0].Reason, tc.line, tc.reason)
			}
		})
	}
}

// FuzzScan: any text is scanned to its end.
func FuzzScan(f *testing.F) {
	f.Add("x++ //whoop:ignore r\n'\\")
	f.Add("`/*whoop:ignore")
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"a.c", "a.go"} {
			for _, c := range scan(name, []byte(s)) {
				if n := strings.Count(s, "\n") + 1; c.Line > n || c.Pos.Line > n || c.Pos.Line < 1 || c.Pos.Col < 1 {
					t.Errorf("%v about line %d in %d lines", c.Pos, c.Line, n)
				}
			}
		}
	})
}

// report has a race of a with itself at line 1, one of a and b at lines 2 and 3, and a
// warning at line 4.
func report(file string) *diag.Report {
	access := func(kind, entry string, line int) diag.Access {
		return diag.Access{Kind: kind, Entry: entry, Function: entry, Pos: ir.Pos{File: file, Line: line, Col: 1}}
	}
	r := &diag.Report{
		Pairs: []diag.Pair{{First: "a", Second: "a", Verdict: diag.Racy}, {First: "b", Second: "a", Verdict: diag.Racy}, {First: "b", Second: "b", Verdict: diag.RaceFree}},
		Races: []diag.Race{{Region: "heap(d/x.c:12).n", First: access("write", "a", 1), Second: access("write", "a", 1)},
			{Region: "box(line 7).n", First: access("write", "a", 2), Second: access("read", "b", 3)}},
		Findings: []diag.Finding{{Kind: "lock-copy", Level: diag.Warning, Pos: ir.Pos{File: file, Line: 4}, Subject: "T"}},
	}
	r.Finish()
	return r
}

// TestComments: what is taken out, and the verdicts that are left.
func TestComments(t *testing.T) {
	for _, tc := range []struct {
		name, src       string
		verdict         diag.Verdict
		races, accepted int
		kinds           string // of the findings left
	}{
		{"none", "a\nb\nc\nd\n", diag.Racy, 2, 0, "lock-copy"},
		{"one", "a //whoop:ignore r\nb\nc\nd\n", diag.Racy, 1, 1, "lock-copy"},
		{"second access", "a\nb\nc //whoop:ignore r\nd\n", diag.Racy, 1, 1, "lock-copy"},
		{"both accesses", "a\nb //whoop:ignore r\nc //whoop:ignore r\nd\n", diag.Racy, 1, 1, "lock-copy"},
		{"all", "a //whoop:ignore r\nb //whoop:ignore r\nc\nd //whoop:ignore r\n", diag.Accepted, 0, 3, ""},
		{"no reason", "a //whoop:ignore\nb\nc\nd\n", diag.Racy, 2, 0, "ignore-without-reason lock-copy"},
		{"unused", "a\nb\nc\nd\ne //whoop:ignore r\n", diag.Racy, 2, 0, "lock-copy unused-ignore"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.go")
			if err := os.WriteFile(file, []byte(tc.src), 0o644); err != nil {
				t.Fatal(err)
			}
			r := report(file)
			Comments([]string{file, "missing.go"}).Apply(r, true)
			var kinds []string
			for _, f := range r.Findings {
				kinds = append(kinds, f.Kind)
			}
			if r.Verdict != tc.verdict || len(r.Races) != tc.races || len(r.Accepted) != tc.accepted || strings.Join(kinds, " ") != tc.kinds {
				t.Errorf("%s, %d races, %d accepted, findings %v", r.Verdict, len(r.Races), len(r.Accepted), kinds)
			}
		})
	}
}

// TestNotAccepted: accepting all races of a pair proves nothing else of it.
func TestNotAccepted(t *testing.T) {
	take := func(diag.Race) *diag.Acceptance { return &diag.Acceptance{By: byComment} }
	r := report("x.c")
	r.Pairs[0].Doubt = "x.c:1: not understood"
	r.Accept(take, nil)
	if r.Verdict != diag.Unknown || r.Pairs[0].Reason != "x.c:1: not understood" || r.Pairs[1].Verdict != diag.Accepted {
		t.Errorf("%s, pairs %v", r.Verdict, r.Pairs)
	}
	r = report("x.c")
	r.Cut = 1
	if r.Accept(take, nil); r.Verdict != diag.Racy {
		t.Errorf("races were left out, but the verdict is %s", r.Verdict)
	}
}

// TestBaseline: what is written is known when it is read, however lines and directories
// move, and no more than that.
func TestBaseline(t *testing.T) {
	var b bytes.Buffer
	if err := WriteBaseline(&b, report("here/x.c")); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "12") || strings.Contains(s, "line") || strings.Contains(s, "here") {
		t.Errorf("lines or directories in\n%s", s)
	}
	known, err := parseBaseline("base.json", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	r := report("elsewhere/x.c")
	r.Races[0].Region = "heap(e/x.c:99).n"
	known.Apply(r, true)
	if r.Verdict != diag.Accepted || len(r.Findings) != 0 || len(r.Accepted) != 3 || len(r.Notes) != 0 {
		t.Errorf("%s, %d findings, %d accepted, notes %v", r.Verdict, len(r.Findings), len(r.Accepted), r.Notes)
	}
	var again bytes.Buffer
	if err := WriteBaseline(&again, r); err != nil || again.String() != b.String() {
		t.Errorf("%v; it is written differently when it is known:\n%s", err, again.String())
	}
	r = report("x.c")
	more := r.Races[0]
	more.First.Pos.Line = 9
	r.Races = append(r.Races, more)
	known.Apply(r, true)
	if len(r.Races) != 2 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "knows 1") {
		t.Errorf("one race more than is known: %d races, notes %q", len(r.Races), r.Notes)
	}
	r = report("x.c")
	r.Races, r.Pairs[1].Verdict = r.Races[:1], diag.RaceFree
	known.Apply(r, true)
	if r.Verdict != diag.Accepted || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no longer") {
		t.Errorf("%s, one race less than is known: notes %q", r.Verdict, r.Notes)
	}
}

// TestMalformed: errors name the place.
func TestMalformed(t *testing.T) {
	const good = `{"kind": "data-race", "region": "r", "accesses": [{"function": "f", "file": "x.c"}, {"function": "g", "file": "x.c"}], "count": 1}`
	for _, tc := range []struct{ text, want string }{
		{"", "b:1:1: not a baseline: unexpected end"},
		{"[]", "b:1:1: not a baseline: want \"{\""},
		{"{\n  \"version\": 2, \"known\": []}", "b:2:14: not a baseline: version 2: want 1"},
		{"{\"version\": 1}", "\"known\" is missing"},
		{"{\"known\": []}", "\"version\" is missing"},
		{"{\"version\": 1, \"version\": 1}", "b:1:16: not a baseline: the key \"version\" is there twice"},
		{"{\"version\": 1,\n\"knwon\": []}", "b:2:1: not a baseline: unknown key \"knwon\""},
		{"{\"version\": 1,\n\"known\": [{\"kind\": 3}]}", "b:2:11: not a baseline: json: "},
		{"{\"version\": 1,\n\"known\": [\n  {\"line\": 3}]}", "b:3:3: not a baseline: json: unknown field"},
		{"{\"version\": 1,\n\"known\": [\n  {\"kind\": \"data-race\" \"region\"}]}", "b:3:24: not a baseline: invalid character"},
		{"{\"version\": 1, \"known\": [{\"kind\": \"data-race\", \"accesses\": []}]}", "with 0 accesses: want 2"},
		{"{\"version\": 1, \"known\": [{\"kind\": \"x\", \"accesses\": [{}]}]}", "count 0"},
		{"{\"version\": 1, \"known\": [" + good + ",\n" + good + "]}", "b:2:1: not a baseline: this entry is there twice"},
		{"{\"version\": 1, \"known\": []} x", "b:1:29: not a baseline: invalid character"},
		{"{\"version\": 1, \"known\": [", "b:1:25: not a baseline: unexpected end"},
	} {
		if _, err := parseBaseline("b", []byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// FuzzBaseline: no text makes reading fail otherwise than with an error that names a
// place.
func FuzzBaseline(f *testing.F) {
	f.Add(`{"version": 1, "known": [{"kind": "lock-copy", "region": "T", "accesses": [{"function": "f", "file": "x.go"}], "count": 1}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := parseBaseline("b", []byte(s)); err != nil && !strings.HasPrefix(err.Error(), "b:") {
			t.Errorf("%v", err)
		}
	})
}
