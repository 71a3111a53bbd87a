package c

import (
	"fmt"
	"testing"
)

// TestFormats: which argument a conversion is about.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ format, printf, scanf string }{
		{"a%s %d%%%n", "[{0 s } {1 d } {2 n }] true", "[{0 s } {1 d } {2 n }] true"},
		{"%*d%-8.3lf|%hhn", "[{1 d } {2 f l} {3 n hh}] true", ""},
		{"%.*s%m%ls", "[{1 s } {2 s l}] true", ""},
		{"%2$s%1$d", "[{1 s } {0 d }] true", "[{1 s } {0 d }] true"},
		{"%1$*2$d", "[] false", ""},
		{"%", "[] false", "[] false"},
		{"%*s%5c%[]a%]%ms%ld", "", "[{0 c } {1 [ } {2 s m} {3 d l}] true"},
		{"%[^,],%hi", "", "[{0 [ } {1 i h}] true"},
	} {
		text := func(cs []conversion, ok bool) string {
			out := "["
			for i, x := range cs {
				if i > 0 {
					out += " "
				}
				out += fmt.Sprintf("{%d %c %s}", x.arg, x.verb, x.length)
			}
			return fmt.Sprintf("%s] %t", out, ok)
		}
		if got := text(printfConversions(c.format)); c.printf != "" && got != c.printf {
			t.Errorf("printf(%q): %s, want %s", c.format, got, c.printf)
		}
		if got := text(scanfConversions(c.format)); c.scanf != "" && got != c.scanf {
			t.Errorf("scanf(%q): %s, want %s", c.format, got, c.scanf)
		}
	}
}
