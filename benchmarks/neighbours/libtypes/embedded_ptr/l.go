// WANT: verify | racy | the lock is in an embedded pointer's struct, shared by views;
// View.Skip is not locked
package embedded_ptr

import "sync"

type core struct {
	sync.Mutex
	rows [][]int
}

// Table is safe for concurrent use.
type Table struct{ *core }

// View looks at a part of a table.
type View struct {
	*core
	from int
}

// NewTable makes a table.
func NewTable() Table { return Table{core: &core{}} }

// Append adds a row.
func (t Table) Append(r ...int) {
	t.Lock()
	defer t.Unlock()
	t.rows = append(t.rows, r) // RACE!
}

// View makes a view from row n on.
func (t Table) View(n int) *View { return &View{core: t.core, from: n} }

// Len counts the view's rows.
func (v *View) Len() int {
	v.Lock()
	defer v.Unlock()
	return len(v.rows) - v.from // NORACE
}

// Empty tells whether there is no row.
func (v *View) Empty() bool { return len(v.rows) == 0 } // RACE!
