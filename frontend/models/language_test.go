package models

import (
	"strings"
	"testing"
)

// TestLanguage: the keys and names of a file tell its language, and a file is for one.
func TestLanguage(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want Language
		err  string
	}{
		{"version: 1\nfuncs:\n  - {names: [my_lock], op: lock, arg: {lock: 0}}\n", C, ""},
		{"version: 1\nfuncs:\n  - {names: [\"(*example.com/m.Mutex).Lock\"], op: lock}\n", Go, ""},
		{"version: 1\nsafe: [example.com/m.Pool]\n", Go, ""},
		{"version: 1\ntables:\n  - struct: my_ops\n", C, ""},
		{"version: 1\n", C, ""},
		{"version: [1\n", C, ""},
		{"version: 1\nfuncs: 7\n", C, ""},
		{"version: 1\nfuncs:\n  - {names: [my_lock, m.Lock], op: lock}\n", "", "function my_lock is for C, and function m.Lock for Go"},
		{"version: 1\nsafe: [m.T]\ntables: []\n", "", "safe is for Go, and tables for C"},
	} {
		got, err := LanguageOf("my.yaml", []byte(tc.src))
		if got != tc.want || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%q: %q, %v; want %q, %q", tc.src, got, err, tc.want, tc.err)
		}
	}
}
