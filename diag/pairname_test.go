package diag

import "testing"

func TestCutPair(t *testing.T) {
	for _, c := range []struct {
		in, a, b string
		ok       bool
	}{
		{"f, g", "f", "g", true},
		{"(*Cache[K, V]).Get,(*Cache[K, V]).Set", "(*Cache[K, V]).Get", "(*Cache[K, V]).Set", true},
		{"one: m(a=true),two: m(a=true)", "one: m(a=true)", "two: m(a=true)", true},
		{"(*Cache[K, V]).Get", "(*Cache[K, V]).Get", "", false},
	} {
		if a, b, ok := CutPair(c.in); a != c.a || b != c.b || ok != c.ok {
			t.Errorf("%s: %q, %q, %t", c.in, a, b, ok)
		}
	}
}
