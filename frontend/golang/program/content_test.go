package program_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"whoop/frontend/golang/program"
)

// TestContent: the content of an input is another one when anything is that its reading
// depends on, and the same otherwise.
func TestContent(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.21\n")
	write("a.go", "package m\n\nimport \"m/sub\"\n\nvar X = sub.Y\n")
	write("sub/b.go", "package sub\n\nvar Y = 1\n")
	in := program.Input{Paths: []string{dir}}
	content := func() *program.Content {
		t.Helper()
		c, err := in.Content()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := content()
	if again := content(); *again != *first {
		t.Error("the same files, and another content")
	}
	for _, x := range []struct{ what, name, text string }{
		{"a file", "a.go", "package m\n\nimport \"m/sub\"\n\nvar X = sub.Y + 1\n"},
		{"a comment", "a.go", "package m\n\nimport \"m/sub\"\n\n// X\nvar X = sub.Y + 1\n"},
		{"an imported package", "sub/b.go", "package sub\n\nvar Y = 2\n"},
		{"a new file", "sub/c.go", "package sub\n"},
		{"a file for another system", "sub/c_plan9.go", "package sub\n\nvar Z = 1\n"},
		{"the version of the language", "go.mod", "module m\n\ngo 1.22\n"},
		{"a test", "a_test.go", "package m\n"},
	} {
		old := content()
		write(x.name, x.text)
		if now := content(); now.Sum == old.Sum {
			t.Errorf("%s is changed, and not the content", x.what)
		}
	}
	old := content()
	in.Tags = "some"
	if content().Sum == old.Sum {
		t.Error("build tags, and the same content")
	}
	in.Tags = ""
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "sub", "b.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if now := content(); now.Sum != old.Sum || now.Stamp == old.Stamp {
		t.Error("a file that was written again is not another content, but has another stamp")
	}
	old = content()
	name, away := filepath.Join(dir, "sub", "b.go"), filepath.Join(dir, "away")
	if err := os.Rename(name, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, name); err != nil {
		t.Fatal(err)
	}
	if content().Stamp == old.Stamp {
		t.Error("a file was away in between, and the stamp is the same")
	}
	write("e.go", "package m\n\nimport _ \"embed\"\n\n//go:embed x.txt\nvar e string\n")
	if _, err := in.Content(); err == nil {
		t.Error("a package with an embedded file that is not there has a content")
	}
	write("x.txt", "x")
	old = content()
	write("x.txt", "y")
	if content().Sum == old.Sum {
		t.Error("an embedded file is changed, and not the content")
	}
	write("c.go", "package m\n\n// int x;\nimport \"C\"\n")
	if _, err := in.Content(); err == nil {
		t.Error("a package with C code has a content")
	}
	if _, err := (program.Input{Paths: []string{filepath.Join(dir, "a.go")}}).Content(); err == nil {
		t.Error("a single file has a content")
	}
}
