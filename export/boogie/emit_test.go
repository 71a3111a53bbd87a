package boogie_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"whoop/export/boogie"
	"whoop/ir"
	"whoop/pipeline"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden are the programs whose translation was read and is kept.
var golden = []struct {
	name string
	opt  boogie.Options
}{
	{"counter", boogie.Options{}},
	{"memory", boogie.Options{Inline: 2}},
	{"sync", boogie.Options{CheckLocks: true}},
	{"driver", boogie.Options{Pair: []string{"read", "write"}}},
	{"start", boogie.Options{Pair: []string{"probe", "read"}, CheckRaces: true}},
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		t.Run(g.name, func(t *testing.T) {
			file := filepath.Join("testdata", g.name)
			src := file
			if g.name == "start" {
				src = filepath.Join("testdata", "driver")
			}
			got := emit(t, load(t, src+".wir"), g.opt)
			structure(t, got)
			if *update {
				if err := os.WriteFile(file+".bpl", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file + ".bpl")
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s.bpl differs (-update rewrites it); now:\n%s", file, got)
			}
		})
	}
}

func load(t *testing.T, file string) *ir.Program {
	t.Helper()
	p, err := pipeline.Load(file, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func emit(t *testing.T, p *ir.Program, opt boogie.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := boogie.Emit(&b, p, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCorpus: every program is translated, twice to the same text, and the text is
// well-formed.
func TestCorpus(t *testing.T) {
	n, checks := 0, boogie.Options{CheckLocks: true, CheckRaces: true}
	for _, dir := range []string{"../../benchmarks/races", "../../examples", "../../benchmarks/boogie", "../../ir/testdata"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".c" && filepath.Ext(path) != ".wir" {
				return err
			}
			n++
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				p := load(t, path)
				got := emit(t, p, checks)
				structure(t, got)
				if again := emit(t, p, checks); got != again {
					t.Error("the second translation differs from the first")
				}
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 150 {
		t.Errorf("only %d programs found", n)
	}
}

// TestYield: the option says where yields are; what blocks has one in any case.
func TestYield(t *testing.T) {
	p := load(t, filepath.Join("testdata", "counter.wir"))
	never := func(ir.Instr) bool { return false }
	all := strings.Count(emit(t, p, boogie.Options{}), "yield;")
	few := emit(t, p, boogie.Options{Yield: never})
	// The thread's begin and end, main's end, lock and join.
	if n := strings.Count(few, "yield;"); n != 5 {
		t.Errorf("%d yields without any wanted, want 5:\n%s", n, few)
	}
	// All of these, two loads and a store, the other load, unlock and spawn.
	if all != 11 {
		t.Errorf("%d yields by default, want 11", all)
	}
}

func TestErrors(t *testing.T) {
	p := load(t, filepath.Join("testdata", "counter.wir"))
	for _, pair := range [][]string{{"worker", "nobody"}, {"worker"}} {
		if err := boogie.Emit(&bytes.Buffer{}, p, boogie.Options{Pair: pair}); err == nil {
			t.Errorf("pair %v: no error", pair)
		}
	}
	if err := boogie.Emit(&bytes.Buffer{}, &ir.Program{Name: "empty"}, boogie.Options{}); err == nil {
		t.Error("a program without entry points: no error")
	}
}

// TestStructure: the check below sees what is wrong.
func TestStructure(t *testing.T) {
	for _, bad := range []string{"f(x: int)\n{\n  y := x;\n}\n", "f()\n{\n  goto a;\n}\n", "f()\n{\n{\n}\n", "f()\n{\na:\na:\n}\n"} {
		if len(problems(bad, map[string]bool{"f": true})) == 0 {
			t.Errorf("nothing wrong is seen in %q", bad)
		}
	}
	if ps := problems("f(x: int)\n{\n  var y: int;\na:\n  y := x;\n  goto a;\n}\n", map[string]bool{"f": true}); len(ps) > 0 {
		t.Error(ps)
	}
}

var (
	textual = regexp.MustCompile(`"[^"\n]*"|//[^\n]*|\{:[a-z]+`)
	ident   = regexp.MustCompile(`[A-Za-z_$.][A-Za-z0-9_$.]*`)
	heading = regexp.MustCompile(`^(procedure|function|const|var)\b[^A-Za-z_$]*([A-Za-z0-9_$.]+)`)
	binder  = regexp.MustCompile(`([A-Za-z_$.][A-Za-z0-9_$.]*)\s*:(?:[^:=]|$)`)
	many    = regexp.MustCompile(`\bvar ([^:]*):`)
	part    = regexp.MustCompile(`\n(procedure|function) `)
	vector  = regexp.MustCompile(`^bv[0-9]+$`)
	label   = regexp.MustCompile(`^([A-Za-z_.][A-Za-z0-9_$.]*):$`)
	jump    = regexp.MustCompile(`\bgoto ([^;]*);`)
)

const words = ` assert assume async axiom bool call const div else ensures false forall function goto havoc if int mod procedure
 return returns then true var yield `

// structure checks without Boogie what a parser and a resolver would: brackets match,
// labels and names are declared.
func structure(t *testing.T, text string) {
	t.Helper()
	text = textual.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "{:") {
			return "{"
		}
		return ""
	})
	known := map[string]bool{}
	for _, l := range strings.Split(text, "\n") {
		if m := heading.FindStringSubmatch(l); m != nil {
			if known[m[2]] {
				t.Errorf("%s is declared twice", m[2])
			}
			known[m[2]] = true
		}
	}
	for _, part := range part.Split("\n"+text, -1)[1:] {
		for _, s := range problems(part, known) {
			t.Error(s)
		}
	}
}

// problems checks one procedure.
func problems(text string, known map[string]bool) (out []string) {
	depth := map[rune]int{}
	local, labels := map[string]bool{}, map[string]bool{}
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth[r]++
		case ')':
			depth['(']--
		case ']':
			depth['[']--
		case '}':
			depth['{']--
		}
	}
	for r, n := range depth {
		if n != 0 {
			out = append(out, fmt.Sprintf("%d too many %c in procedure %.40s", n, r, text))
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if m := label.FindStringSubmatch(l); m != nil {
			if labels[m[1]] {
				out = append(out, "label "+m[1]+" occurs twice")
			}
			labels[m[1]] = true
			continue
		}
		for _, m := range binder.FindAllStringSubmatch(l, -1) {
			local[m[1]] = true
		}
		for _, m := range many.FindAllStringSubmatch(l, -1) {
			for _, v := range strings.Split(m[1], ",") {
				local[strings.TrimSpace(v)] = true
			}
		}
	}
	return append(out, unknown(text, known, local, labels)...)
}

// unknown lists the names and labels of a procedure that nothing declares.
func unknown(text string, known, local, labels map[string]bool) (out []string) {
	for _, m := range jump.FindAllStringSubmatch(text, -1) {
		for _, l := range strings.Split(m[1], ",") {
			if !labels[strings.TrimSpace(l)] {
				out = append(out, "no label "+l)
			}
		}
	}
	reserved := strings.ReplaceAll(words, "\n", " ")
	text = jump.ReplaceAllString(text, "")
	for _, l := range strings.Split(text, "\n") {
		if label.MatchString(l) {
			continue
		}
		for _, n := range ident.FindAllString(l, -1) {
			if !known[n] && !local[n] && !strings.Contains(reserved, " "+n+" ") && !vector.MatchString(n) && n != "inline" && n != "entrypoint" &&
				n != "sourceline" && n != "sourcefile" && n != "tag" && n != "msg" {
				out = append(out, "nothing declares "+n+": "+l)
			}
		}
	}
	return out
}
