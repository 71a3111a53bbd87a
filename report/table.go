package report

import "whoop/internal/table"

// table prints rows below their headings, all of them on the left, in columns.
func (t *text) table(head []string, rows [][]string) {
	if t.err != nil {
		return
	}
	tab := table.New(len(head), head...)
	for _, r := range rows {
		tab.Append(r...)
	}
	t.err = tab.Render(t.w)
}
