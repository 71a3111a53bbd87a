package task

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ids(tasks []Task) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.ID()+"="+t.Expected.String())
	}
	return out
}

func corpus(t *testing.T) string {
	return tree(t, map[string]string{
		"c/f/a.yml": twoProps, "c/f/a.c": "", "c/g/a.yml": twoProps, "c/g/a.c": "",
		"c/properties/unreach-call.prp": reach, "c/properties/no-data-race.prp": race,
		"c/f.set": "# one family\n\n  f/*.yml\n", "c/all.set": "f/*.yml\nnone/*.yml\ng/a.yml\nf/a.yml\n",
		"c/ci.yml": "jobs: []\n", "old/x_true-unreach-call.c": "", "old/x_true-unreach-call.i": "", "old/y.c": "", "old/z_false-no-data-race.c": "",
	})
}

func TestLoad(t *testing.T) {
	dir := corpus(t)
	both := []string{"f/a:no-data-race=false", "f/a:unreach-call=true", "g/a:no-data-race=false", "g/a:unreach-call=true"}
	for _, c := range []struct {
		paths      []string
		properties []string
		want       []string
		warning    string
	}{
		{[]string{"c/f/a.yml"}, nil, both[:2], ""},
		{[]string{"c/f/a.c"}, nil, both[:2], ""},
		{[]string{"c/f.set"}, nil, both[:2], ""},
		{[]string{"c/all.set"}, nil, both, `all.set:2: "none/*.yml" matches no file`},
		{[]string{"c"}, nil, both, "ci.yml: not a task definition: no format_version, left out"},
		{[]string{"c/g", "c/all.set", "c/f"}, []string{"no-data-race"}, []string{both[0], both[2]}, ""},
		{[]string{"old"}, nil, []string{"old/x_true-unreach-call:unreach-call=true", "old/z_false-no-data-race:no-data-race=false"}, ""},
		{[]string{"old/x_true-unreach-call.c", "old/x_true-unreach-call.i"}, nil,
			[]string{"old/x_true-unreach-call.c:unreach-call=true", "old/x_true-unreach-call.i:unreach-call=true"}, ""},
	} {
		var paths []string
		for _, p := range c.paths {
			paths = append(paths, filepath.Join(dir, p))
		}
		s, err := Load(paths...)
		if err != nil {
			t.Errorf("%v: %v", c.paths, err)
			continue
		}
		if diff := cmp.Diff(c.want, ids(s.Tasks(c.properties...))); diff != "" {
			t.Errorf("%v: %s", c.paths, diff)
		}
		if w := strings.Join(s.Warnings, "\n"); !strings.Contains(w, c.warning) {
			t.Errorf("%v: warnings %q, want %q", c.paths, w, c.warning)
		}
	}
}

// TestNames: names have two parts unless that is not enough.
func TestNames(t *testing.T) {
	dir := tree(t, map[string]string{"x/f/a_true-unreach-call.c": "", "y/f/a_true-unreach-call.c": "", "y/f/b_true-unreach-call.c": ""})
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range s.Tasks() {
		got = append(got, x.Name+" "+x.Family)
	}
	want := []string{"f/b_true-unreach-call f", "x/f/a_true-unreach-call x/f", "y/f/a_true-unreach-call y/f"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p := s.Properties(); len(p) != 1 || p[0] != "unreach-call" {
		t.Errorf("properties %v", p)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := corpus(t)
	more := tree(t, map[string]string{"bad.set": "[\n", "sets.set": "*.set\n", "a.txt": "", "empty/x": "",
		"two/a.yml": "format_version: 3\n", "two/b.yml": "format_version: '2.0'\n", "no.set": "*.yml\n"})
	for path, want := range map[string]string{
		filepath.Join(dir, "nothing"):   "nothing: no such file or directory",
		filepath.Join(more, "bad.set"):  "bad.set:1: ",
		filepath.Join(more, "sets.set"): "a set cannot name sets",
		filepath.Join(more, "a.txt"):    "want a task definition (.yml)",
		filepath.Join(more, "empty"):    "no task definitions",
		filepath.Join(more, "two"):      "b.yml:1: input_files is missing",
		filepath.Join(more, "no.set"):   `no.set:1: "*.yml" matches no file`,
	} {
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := Load(filepath.Join(more, "two")); !strings.Contains(err.Error(), "a.yml:1: format_version") {
		t.Errorf("not all errors are told: %v", err)
	}
}

func FuzzDefinition(f *testing.F) {
	f.Add([]byte(twoProps))
	f.Add([]byte("format_version: '2.1'\ninput_files: &a [x, *a]\nproperties: [{property_file: p, expected_verdict: no, subproperty: z}]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := parseDefinition("t.yml", src)
		switch {
		case err != nil && !strings.HasPrefix(err.Error(), "t.yml:"):
			t.Errorf("an error without its file: %v", err)
		case err == nil && len(d.inputs) == 0:
			t.Error("a definition without input")
		}
	})
}

func FuzzSet(f *testing.F) {
	f.Add([]byte("# c\n a/*.yml\r\n\nb.yml"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, l := range parseSet(src) {
			if l.text == "" || l.text[0] == '#' || l.line < 1 || l.line > strings.Count(string(src), "\n")+1 {
				t.Errorf("%+v", l)
			}
		}
	})
}

func FuzzProperty(f *testing.F) {
	f.Add([]byte(reach))
	f.Add([]byte(memory))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := ParseProperty("p.prp", src)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.prp:") {
				t.Errorf("an error without its place: %v", err)
			}
			return
		}
		if n, ok := Named(p.Name); !ok || len(n.Sub) == 0 != (len(p.Sub) == 0) {
			t.Errorf("%+v is no known property", p)
		}
	})
}

func FuzzVerdict(f *testing.F) {
	f.Add("FALSE(a)")
	f.Add("out of memory ()")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseVerdict(s)
		if err != nil {
			return
		}
		if back, err := ParseVerdict(v.String()); err != nil || back != v {
			t.Errorf("%q: %v, then %v, %v", s, v, back, err)
		}
	})
}
