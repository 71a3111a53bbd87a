package lint

import (
	"go/build"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

// allowed lists, for each package, which packages of this module its code (not its tests)
// may import. Imports point down; a package that is not listed may not exist.
var allowed = map[string][]string{
	"ir":                {},
	"ir/irutil":         {"ir"},
	"ir/build":          {"ir"},
	"ir/messages":       {"ir", "ir/build"},
	"ir/interp":         {"ir", "ir/irutil"},
	"ir/vm":             {"ir", "ir/interp", "ir/irutil"},
	"explore":           {"ir", "ir/interp", "ir/irutil"},
	"explore/dpor":      {"ir", "ir/interp", "ir/vm", "explore"},
	"explore/delay":     {"ir", "ir/interp", "ir/vm", "explore"},
	"explore/strategy":  {"ir", "ir/interp", "ir/irutil", "ir/vm", "explore", "explore/delay", "explore/dpor", "trace"},
	"analysis/dataflow": {},
	"smt":               {},
	"diag":              {"ir", "trace"},
	"smt/bv":            {},
	"smt/z3":            {"smt", "smt/bv"},
	"smt/irterm":        {"ir", "smt/bv"},
	"smt/goz3":          {"smt"},
	"bmc":               {"ir", "ir/interp", "ir/irutil", "smt/bv", "smt/irterm", "trace"},
	"frontend/models":   {"ir"},
	"frontend/kbuild":   {},
	"frontend/c":        {"ir", "diag", "frontend/models"},
	"frontend/golang": {"ir", "ir/build", "ir/messages", "frontend/golang/stdgo", "frontend/golang/external", "frontend/golang/form", "frontend/golang/irgen", "frontend/golang/library",
		"frontend/golang/precise", "frontend/golang/program", "frontend/golang/retained", "frontend/golang/world"},
	"frontend/golang/retained": {"frontend/golang/external", "frontend/golang/form", "frontend/golang/library", "frontend/golang/world"},
	"frontend/golang/precise":  {"ir", "ir/build", "ir/messages", "frontend/golang/form", "frontend/golang/irgen", "frontend/golang/library", "frontend/golang/program", "frontend/golang/world"},
	"frontend/golang/irgen":    {"ir", "ir/build", "ir/messages", "frontend/golang/form", "frontend/golang/library"},
	"frontend/golang/form":     {},
	"frontend/golang/library":  {"frontend/golang/form"},
	"frontend/golang/world":    {"ir", "frontend/golang/external", "frontend/golang/form", "frontend/golang/library", "frontend/golang/program"},
	"frontend/golang/program":  {"ir", "frontend/golang/form", "frontend/golang/stdgo"},
	"frontend/golang/stdgo":    {},
	"frontend/golang/external": {},
	"frontend/golang/lockuse":  {"ir", "analysis/dataflow", "diag", "frontend/golang/form", "frontend/golang/program"},
	"report/accept":            {"ir", "diag"},
	"pipeline/goanalysis":      {"report", "report/accept", "diag", "frontend/golang", "frontend/golang/lockuse", "frontend/golang/program", "ir", "pipeline"},
	"frontend/entry":           {"ir", "diag", "frontend/models", "analysis/dataflow"},
	"analysis/alias":           {"ir", "analysis/dataflow"},
	"prove/absint":             {"ir", "analysis/alias", "smt/bv", "smt/irterm"},
	"prove/reduction":          {"ir", "prove/absint", "analysis/alias", "smt/bv", "smt/irterm"},
	"prove/explicit":           {"ir", "ir/interp", "analysis/alias", "trace"},
	"analysis/crowd":           {"ir"},
	"analysis/contexts":        {"ir"},
	"seqz":                     {"ir", "analysis/dataflow", "analysis/alias"},
	"smt/vcgen":                {"ir", "analysis/dataflow", "smt"},
	"summaries":                {"ir", "analysis/dataflow", "smt", "smt/vcgen"},
	"analysis/mhp":             {"ir", "analysis/dataflow", "analysis/alias"},
	"lockset":                  {"ir", "lockset/permission", "analysis/dataflow", "analysis/alias", "diag", "smt", "seqz", "smt/vcgen", "summaries", "analysis/mhp"},
	"lockset/permission":       {"ir"},
	"report":                   {"report/accept", "ir", "diag", "trace"},
	"export/boogie":            {"ir", "analysis/alias"},
	"pipeline": {"report/accept", "ir", "ir/messages", "analysis/alias", "analysis/contexts", "analysis/crowd", "diag", "frontend/c", "frontend/entry", "frontend/golang", "frontend/golang/lockuse", "frontend/golang/program", "frontend/models", "lockset", "analysis/mhp", "report", "smt",
		"smt/bv", "smt/goz3", "smt/z3", "bmc", "explore/strategy", "ir/interp", "pipeline/memcleanup", "summaries", "trace"},
	"trace":               {"ir", "ir/interp"},
	"pipeline/memcleanup": {"ir"},
	"pipeline/confirm":    {"diag", "ir", "pipeline", "pipeline/check"},
	"pipeline/check":      {"ir", "ir/interp", "prove/absint", "bench/task", "diag", "pipeline/memcleanup", "prove/reduction", "pipeline", "prove/explicit", "trace", "explore/strategy"},
	"cmd/whoop-vet":       {"pipeline/goanalysis"},
	"cmd/whoop":           {"report/accept", "bench", "bench/page", "bench/run", "bench/task", "pipeline/check", "pipeline/confirm", "ir", "diag", "export/boogie", "frontend/entry", "frontend/kbuild", "pipeline/invariant", "ir/interp", "ir/irutil", "pipeline", "report", "trace", "trace/witness"},
	"pipeline/invariant":  {"prove/absint", "frontend/c", "ir", "ir/interp", "pipeline", "trace", "trace/witness"},
	"trace/witness":       {"ir", "ir/interp", "trace"},
	"benchmarks":          {"diag", "pipeline"},
	"benchmarks/expect":   {},
	"benchmarks/gorace":   {"benchmarks/expect", "diag", "pipeline"},
	"internal/lint":       {},
	"examples/visits":     {}, "examples/visits/repaired": {},
	"benchmarks/svcomp": {},
	"bench/task":        {},
	"bench/run":         {},
	"bench":             {"bench/task", "bench/run"},
	"bench/plot":        {},
	"bench/page":        {"bench", "bench/plot", "bench/task"},
	"contrib/benchexec": {},
	"contrib/golangci":  {"pipeline/goanalysis"},
}

// TestImports holds the packages against the table.
func TestImports(t *testing.T) {
	for _, dir := range packages(t) {
		p, err := build.ImportDir(filepath.Join(root, dir), 0)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		may, ok := allowed[dir]
		if !ok {
			if !strings.HasPrefix(dir, "internal/") && !strings.HasPrefix(dir, "benchmarks/") {
				t.Errorf("package %s is not in the table of import directions", dir)
			}
			continue
		}
		for _, imp := range p.Imports {
			own, ok := strings.CutPrefix(imp, "whoop/")
			if ok && !slices.Contains(may, own) && !strings.HasPrefix(own, "internal/") {
				t.Errorf("%s imports %s: not one of %v", dir, own, may)
			}
		}
	}
}

// TestIRImports: the language everybody speaks depends on the standard library alone.
func TestIRImports(t *testing.T) {
	p, err := build.ImportDir(filepath.Join(root, "ir"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, imp := range p.Imports {
		if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
			t.Errorf("ir imports %s", imp)
		}
	}
}

// packages lists the directories with Go files, relative to the root.
func packages(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		seen[filepath.ToSlash(filepath.Dir(f))] = true
	}
	var out []string
	for d := range seen {
		out = append(out, d)
	}
	sort.Strings(out)
	return out
}
