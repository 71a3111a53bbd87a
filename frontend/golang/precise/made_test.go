package precise

import (
	"fmt"
	"testing"
)

// TestForms: texts of forms that do not collide are different, and each is found to be of
// its form and number.
func TestForms(t *testing.T) {
	var forms []textForm
	for _, b := range []string{"", "k", "k1", "key", "-", "9", "é"} {
		for _, a := range []string{"", "s", "1", "1s", "é"} {
			forms = append(forms, textForm{before: b, after: a}, textForm{before: b, after: a, char: true})
		}
	}
	made := map[textForm][]string{}
	for _, f := range forms {
		for _, n := range []int64{0, 1, 2, 9, 10, 11, 48, 49, 75, 107, 115, 191, 1000, 1048575, 0xe9} {
			text := fmt.Sprintf("%s%d%s", f.before, n, f.after)
			if f.char {
				text = f.before + string(rune(n)) + f.after
			}
			if !f.follows(n) {
				continue
			}
			made[f] = append(made[f], text)
			if got, ok := f.number(text); !ok || got != n {
				t.Errorf("%q of %+v: %d, %v, want %d", text, f, got, ok, n)
			}
		}
	}
	apart := 0
	for _, f := range forms {
		for _, g := range forms {
			if collide(f, g) != collide(g, f) {
				t.Errorf("%+v and %+v: collide one way", f, g)
			}
			if f == g || collide(f, g) {
				continue
			}
			apart++
			for _, text := range made[f] {
				if n, ok := g.number(text); ok {
					t.Errorf("%q is of %+v and of %+v, with %d", text, f, g, n)
				}
			}
		}
	}
	if apart == 0 {
		t.Error("all collide")
	}
	for _, bad := range []string{"k", "k01", "k-1", "k+1", "k1048576", "k99999999999", "x1", "k1x", "k 1"} {
		if n, ok := (textForm{before: "k"}).number(bad); ok {
			t.Errorf("%q: %d", bad, n)
		}
	}
}
