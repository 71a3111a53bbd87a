package c

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"
)

// TestTokenSearch: the tokens of a declaration are those that cc.NodeSource writes.
func TestTokenSearch(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/races/data/*.c")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	search, met := newTokenSearch(), 0
	for _, f := range files[:10] {
		u, err := Parse(f, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for tu := u.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			var got []byte
			search.any(tu.ExternalDeclaration, func(text []byte) bool {
				got = append(got, text...)
				met++
				return false
			})
			if want := cc.NodeSource(tu.ExternalDeclaration); letters(string(got)) != letters(want) {
				t.Errorf("%s: other tokens than those of %s", f, want)
			}
		}
	}
	if met < 1000 {
		t.Errorf("%d tokens", met)
	}
}

// letters are the bytes of a text in their order, without blanks.
func letters(s string) string {
	b := []byte(strings.ReplaceAll(s, " ", ""))
	slices.Sort(b)
	return string(b)
}
