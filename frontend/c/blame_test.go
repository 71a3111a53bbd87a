package c

import (
	"strconv"
	"strings"
	"testing"
)

// What makes the parser fail without a place is found: the line, or the function, which
// is cut out then.
func TestParserFailures(t *testing.T) {
	_, err := Parse("a.c", []byte("int y;\n\n0(x!{int x !x"), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "a.c:3: internal error of the C parser") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	u, err := Parse("a.c", []byte("int y;\nint f(void) { return 1; }\nint g(void)\n{\n\treturn 1de5;\n}\nint main(void) { return f(); }\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Degraded) != 1 || u.Degraded[0].Name != "g" || !strings.Contains(u.Degraded[0].Reason, "a.c:4: internal error of the C parser") {
		t.Errorf("%+v", u.Degraded)
	}
	_, err = Parse("a.c", []byte("int void x;\n"), Options{})
	if err == nil || strings.Contains(err.Error(), "TODO") || !strings.HasPrefix(err.Error(), "a.c:1:") {
		t.Errorf("%v", err)
	}
	_, err = Parse("a.c", []byte("int f { return 1; }\nint main(void) { return 0; }\n"), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "a.c:1:") {
		t.Errorf("%v", err)
	}
}

// Macros that expand to more than any memory holds are an error at their use, and C that
// expands to much is none.
func TestExpansion(t *testing.T) {
	doubled := func(n int) string {
		var b strings.Builder
		b.WriteString("#define X0 0,\n")
		for i := 1; i <= n; i++ {
			b.WriteString("#define X" + strconv.Itoa(i) + strings.Repeat(" X"+strconv.Itoa(i-1), 4) + "\n")
		}
		return b.String() + "int y[] = { X" + strconv.Itoa(n) + " };\nint main(void) { return y[0]; }\n"
	}
	if _, err := Parse("a.c", []byte(doubled(6)), Options{}); err != nil {
		t.Error(err)
	}
	_, err := Parse("a.c", []byte(doubled(20)), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "a.c:22:") || strings.Contains(err.Error(), "Config") {
		t.Errorf("%v", err)
	}
}
