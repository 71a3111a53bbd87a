package c

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A command is divided as a shell does it.
func TestShellWords(t *testing.T) {
	for command, want := range map[string][]string{
		`cc -c a.c`:                       {"cc", "-c", "a.c"},
		"  cc\t-c \n a.c ":                {"cc", "-c", "a.c"},
		`cc -DN=\"a\ b\" a.c`:             {"cc", `-DN="a b"`, "a.c"},
		`cc -D'N="a b"' a.c`:              {"cc", `-DN="a b"`, "a.c"},
		`cc "-DN=\"a\\n\"" a.c`:           {"cc", `-DN="a\n"`, "a.c"},
		`cc "-DN='x'" ''`:                 {"cc", "-DN='x'", ""},
		`cc '-DN=\' a"b"'c d'`:            {"cc", `-DN=\`, "abc d"},
		`cc "\a" \a`:                      {"cc", `\a`, "a"},
		"cc a\\\nb":                       {"cc", "ab"},
		`cc -DS=$HOME "-DT=$(x)" *.c`:     {"cc", "-DS=$HOME", "-DT=$(x)", "*.c"},
		`cc -DE="" -DF=''`:                {"cc", "-DE=", "-DF="},
		`"C:\dir with blank\cc" \\x`:      {"C:\\dir with blank\\cc", `\x`},
		``:                                nil,
		`cc "-DN=\$x\` + "`" + `y\"" end`: {"cc", "-DN=$x`y\"", "end"},
	} {
		got, err := shellWords(command)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q (%v), want %q", command, got, err, want)
		}
	}
	for _, command := range []string{`cc "a`, `cc 'a`, `cc a\`, `cc "a\`} {
		if got, err := shellWords(command); err == nil {
			t.Errorf("%s: %q, want an error", command, got)
		}
	}
}

// What a compilation database says is what the compiler would see: the program's checks
// are static assertions of its own.
func TestCommands(t *testing.T) {
	src := `
#include "own.h"
char name[] = NAME;
#if SUM(1, 2) != 3 || PLAIN != 1 || LATE != 2 || OWN != 7
#error not defined
#endif
#if defined GONE || defined __linux__ || EMPTY+0 != 0
#error not undefined
#endif
#if BIG != 9
#error not included
#endif
int works = LATE;
int main(void) { return sizeof(long) == 4; }
`
	flags := []string{"-DNAME=\"a b\"", "-DSUM(x,y)=((x)+(y))", "-DPLAIN", "-D", "LATE=1", "-DGONE", "-UGONE", "-U", "__linux__", "-ULATE", "-DLATE=2",
		"-DEMPTY=", "-Iinc", "-include", "pre.h", "-DSLASH=\\", "-m32"}
	quoted := make([]string, len(flags))
	for i, f := range flags {
		quoted[i] = "'" + f + "'"
	}
	for name, c := range map[string]command{
		"arguments": {Directory: "sub", File: "a.c", Arguments: append(append([]string{"cc"}, flags...), "-c", "a.c")},
		"command":   {Directory: "sub", File: "a.c", Command: "cc " + strings.Join(quoted, " ") + " -c a.c"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			again := c
			again.Arguments, again.Command = []string{"cc", "-DOTHER", "-c", "a.c"}, ""
			db, err := json.Marshal([]command{c, {Directory: ".", File: "b.cpp"}, again})
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, map[string]string{"compile_commands.json": string(db), "sub/a.c": src, "sub/inc/own.h": "#define OWN 7\n", "sub/pre.h": "#define BIG 9\n"})
			jobs, err := commands(filepath.Join(dir, "compile_commands.json"), Options{})
			if err != nil || len(jobs) != 1 {
				t.Fatalf("%d files: %v", len(jobs), err)
			}
			u, err := Parse(jobs[0].path, nil, jobs[0].opts)
			if err != nil || len(u.Degraded) > 0 {
				t.Fatal(err, u)
			}
			if jobs[0].opts.DataModel != "ILP32" || !jobs[0].twice {
				t.Errorf("%+v", jobs[0])
			}
		})
	}
}

// Headers may have absolute names, in directives and in options, and may end in a line
// that is continued.
func TestAbsoluteHeaders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"x/given.h": "#define GIVEN 1\\\n", "x/named.h": "int named = GIVEN;\\"})
	given, named := filepath.Join(dir, "x/given.h"), filepath.Join(dir, "x/named.h")
	for _, src := range []string{"#include \"" + named + "\"\nint main(void) { return named; }\n", "#include <" + named + ">\nint main(void) { return named; }\n",
		"#if !__has_include(\"" + named + "\")\n#error\n#endif\n#define H \"" + named + "\"\n#include H\nint main(void) { return named; }\n"} {
		u, err := Parse(filepath.Join(dir, "a.c"), []byte(src), Options{Includes: []string{given}})
		if err != nil || len(u.Degraded) > 0 {
			t.Errorf("%s: %v", src, err)
		}
	}
	t.Chdir(dir)
	if _, err := Parse("x/a.c", []byte("int x = GIVEN;\n"), Options{Includes: []string{"x/given.h"}}); err != nil {
		t.Errorf("relative: %v", err)
	}
	_, err := Parse("x/a.c", []byte("int x = GIVEN;\n"), Options{Includes: []string{"missing.h"}})
	if err == nil || !strings.Contains(err.Error(), "missing.h") {
		t.Errorf("missing: %v", err)
	}
}

// A function before a header that includes what a macro names, or that only speaks of it
// in a comment, is none of the parser's panics.
func TestFunctionBeforeHeader(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"next.h": "#define NEXT 1\n", "computed.h": "#define H \"next.h\"\n#include H\n", "said.h": "/* previously #included */\n"})
	for _, h := range []string{"<stdio.h>", "\"computed.h\"", "\"said.h\"", "<nowhere.h>", "NOTHING"} {
		src := "static int sq(int x) { return x * x; }\n#include " + h + "\nint main(void) { return sq(2); }\n"
		_, err := Parse(filepath.Join(dir, "a.c"), []byte(src), Options{})
		if broken := h == "<nowhere.h>" || h == "NOTHING"; (err != nil) != broken || err != nil && strings.Contains(err.Error(), "failed") {
			t.Errorf("%s: %v", h, err)
		}
	}
}

// write makes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
