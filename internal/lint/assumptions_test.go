package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// kindCall matches where the code records an assumption of a constant kind.
var kindCall = regexp.MustCompile(`(?:\.Assume|\.assume|\.warn)\("([a-z-]+)"|\.once\([^\n]*?, "([a-z-]+)", pos|Assumption\{Kind: "([a-z-]+)"|\{Kind: "([a-z-]+)", Text:`)

// TestAssumptionsDocumented: docs/explanation/soundness.md explains every kind of
// assumption that the code can make.
func TestAssumptionsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "soundness.md"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range kindCall.FindAllStringSubmatch(string(src), -1) {
			kinds[m[1]+m[2]+m[3]+m[4]] = f
		}
	}
	if len(kinds) < 10 {
		t.Fatalf("only %d kinds found: the pattern no longer fits the code", len(kinds))
	}
	for k, f := range kinds {
		if !regexp.MustCompile(`(?m)^\|[^|]*\b` + regexp.QuoteMeta(k) + `\b[^|]*\|`).Match(doc) {
			t.Errorf("%s records assumptions of kind %q, which docs/explanation/soundness.md does not explain", f, k)
		}
	}
}
