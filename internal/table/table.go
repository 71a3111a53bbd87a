// Package table prints rows of texts in columns, in the style of all of the tool's tables.
//
//	t := table.New(1, "config", "tasks")
//	t.Append("bmc", "12")
//	err := t.Render(w)
package table

import (
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
)

// Table is rows below their headings. The first left columns are aligned on the left, the
// others on the right.
type Table struct {
	left int
	head []string
	rows [][]string
}

// New is a table without rows.
func New(left int, head ...string) *Table { return &Table{left: left, head: head} }

// Append adds a row.
func (t *Table) Append(row ...string) { t.rows = append(t.rows, row) }

// Render prints the table, without space at the ends of lines.
func (t *Table) Render(w io.Writer) error {
	align := make(tw.Alignment, len(t.head))
	for i := range align {
		align[i] = tw.AlignRight
		if i < t.left {
			align[i] = tw.AlignLeft
		}
	}
	var b strings.Builder
	tab := tablewriter.NewTable(&b,
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{Separators: tw.Separators{BetweenRows: tw.Off}},
		}),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone))
	tab.Header(t.head)
	if err := tab.Bulk(t.rows); err != nil {
		return err
	}
	if err := tab.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}
