package table

import (
	"strings"
	"testing"
)

// TestTable: columns are aligned, colours take no room, and lines have no space at their
// ends.
func TestTable(t *testing.T) {
	tab := New(1, "name", "n")
	tab.Append("a long name", "1")
	tab.Append("\x1b[31mred\x1b[0m", "1234")
	var b strings.Builder
	if err := tab.Render(&b); err != nil {
		t.Fatal(err)
	}
	want := " name        |    n\n-------------+------\n a long name |    1\n \x1b[31mred\x1b[0m         | 1234\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
