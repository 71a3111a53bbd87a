package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link matches the target of a link in Markdown.
var link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)

// TestLinks: a link from one document to another one leads somewhere, and the index of
// the documents names every one of them.
func TestLinks(t *testing.T) {
	indexed := map[string]bool{"../../docs/README.md": true}
	var all []string
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		all = append(all, path)
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := filepath.Join(filepath.Dir(path), m[1])
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s does not exist", path, m[1])
			}
			if path == "../../docs/README.md" {
				indexed[to] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if !indexed[path] {
			t.Errorf("docs/README.md does not name %s", path)
		}
	}
}
