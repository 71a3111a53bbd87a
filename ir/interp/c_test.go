package interp_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
	"whoop/ir/interp"
)

// load lowers a C file.
func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Load(path, m, c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAgainstCompiler runs C programs here and as the compiler translates them: the
// results are the same.
func TestAgainstCompiler(t *testing.T) {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), "a.out")
			if out, err := exec.Command(cc, "-w", "-o", bin, f).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			cmd := exec.Command(bin)
			err := cmd.Run()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			want := cmd.ProcessState.ExitCode()
			p := load(t, f)
			m, err := interp.Compile(p, interp.Config{})
			if err != nil {
				t.Fatal(err)
			}
			s := m.Start(interp.MainOf(p.FuncByName("main")), interp.Zero{})
			for n := 0; s.Status() == interp.Running && n < 1<<24; n++ {
				s.Step(s.Enabled()[0])
			}
			if s.Status() != interp.Done {
				t.Fatal(s.Status(), s.Err())
			}
			if got := int(s.Result(0)[0]); got != want {
				t.Errorf("%d, the compiled program returns %d", got, want)
			}
		})
	}
}
