package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseProperty(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.prp")
	for _, c := range []struct {
		text string
		want Property
		err  string
	}{
		{"CHECK( init(main()), LTL(G ! call(reach_error())) )\n", Unreach, ""},
		{"CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", Unreach, ""},
		{"\nCHECK( init(main()), LTL(G ! data-race) )\n\n", DataRace, ""},
		{"CHECK( init(main()), LTL(G ! deadlock) )", Deadlock, ""},
		{"CHECK( init(main()), LTL(G ! overflow) )", Overflow, ""},
		{"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n", MemSafety, ""},
		{"CHECK( init(main()), LTL(G valid-memcleanup) )", MemCleanup, ""},
		{"CHECK( init(main()), LTL(F end) )", Termination, ""},
		{"CHECK( init(main()), LTL(G ! call(other())) )", "", "only those of reach_error"},
		{"CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! data-race) )", "", "p.prp"},
		{"CHECK( init(main()), LTL(G ! nonsense) )", "", "p.prp"},
		{"", "", "p.prp"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := ParseProperty(file)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %q, %v; want %q, %q", c.text, got, err, c.want, c.err)
		}
	}
	if p, err := ParseProperty("no-data-race"); p != DataRace || err != nil {
		t.Errorf("by name: %q, %v", p, err)
	}
	if _, err := ParseProperty("no-such"); err == nil || !strings.Contains(err.Error(), "or a property file") {
		t.Errorf("an unknown name: %v", err)
	}
}
