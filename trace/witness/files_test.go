package witness_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/pipeline"
	"whoop/trace/witness"
)

// TestSeveralFiles: a program of several files names and hashes them all, and places are
// told apart by file.
func TestSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"main.c":  head + "extern void *other(void *);\nint main(void) {\n\tpthread_t p;\n\tpthread_create(&p, 0, other, 0);\n\tx = 1;\n\tif (x != 1) reach_error();\n\treturn 0;\n}\n",
		"other.c": "extern int x;\nvoid *other(void *a)\n{\n\tx = 2;\n\treturn 0;\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pipeline.Load(dir, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, res, err := witness.Checked(context.Background(), p, bug(t, p, "reach_error"), meta, witness.YAML, witness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Notes) > 0 || !strings.Contains(string(b), "- "+filepath.Join(dir, "main.c")) || !strings.Contains(string(b), filepath.Join(dir, "other.c")+": ") {
		t.Errorf("notes %q\n%s", res.Notes, b)
	}
	_, res, err = witness.Checked(context.Background(), p, bug(t, p, "race"), meta, witness.YAML, witness.Options{})
	if err != nil || len(res.Notes) > 0 {
		t.Errorf("%v %+v", err, res)
	}
}
