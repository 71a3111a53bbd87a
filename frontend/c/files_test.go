package c

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIncludes: what ends the preprocessor's input before the end of the file is
// reported, with its place, wherever it is; cc alone may run without end after it.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"computed.h": "#include NAME\nint *;\n", "plain.h": "int x;\n", "deep.h": "#include \"plain.h\"\n#include <nosuch.h>\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, src, want string }{
		{"found", "#include <stddef.h>\n#include \"plain.h\"\nint main(void) { return x; }\n", ""},
		{"missing", "#include <stddef.h>\n#include <nosuch.h>\nint *;\n", ":2:10: include file not found: <nosuch.h>"},
		{"missing own", "#include \"nosuch.h\"\n", ":1:10: include file not found: \"nosuch.h\""},
		{"inside a declaration", "int f(\n#include <nosuch.h>\n", ":2:10: include file not found"},
		{"missing in a header", "#include \"deep.h\"\nint *;\n", "deep.h:2:10: include file not found"},
		{"not reached", "#if 0\n#include <nosuch.h>\n#endif\nint main(void) { return 0; }\n", ""},
		{"asked for", "#if __has_include(<nosuch.h>)\n#include <nosuch.h>\n#endif\nint main(void) { return 0; }\n", ""},
		{"computed", "#define NAME \"plain.h\"\n#include NAME\nint main(void) { return x; }\n", ""},
		{"computed wrongly", "#define NAME 3\n#include NAME\nint *;\n", ":2:10: invalid argument"},
		{"computed wrongly in a header", "#include \"computed.h\"\nint *;\n", "computed.h:1:10: invalid argument"},
		{"open", "#include <stddef.h\nint *;\n", ":1:"},
		{"continued", "#include \\\n<nosuch.h>\nint *;\n", "include file not found: <nosuch.h>"},
		{"error", "#include <stddef.h>\n#error no\nint *;\n", ":2:2: no"},
		{"no condition", "#include <stddef.h>\n#if\nint *;\n", ":4:2: expected #endif"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(filepath.Join(dir, "main.c"), []byte(c.src), Options{})
			if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}
