// Package parts has types whose locks lie in arrays, slices and maps, or behind interfaces, and their repaired twins.
package parts

import "sync"

// Striped has an array of locks; the sum of all is nobody's.
type Striped struct {
	locks [4]sync.Mutex
	n     [4]int
	sum   int
}

// Add counts.
func (s *Striped) Add(i uint) {
	s.locks[i%4].Lock()
	defer s.locks[i%4].Unlock()
	s.n[i%4]++
	s.sum++ // RACE!
}

// Sum reads.
func (s *Striped) Sum() int {
	return s.sum // RACE!
}

// StripedOK has no sum.
type StripedOK struct {
	locks [4]sync.Mutex
	n     [4]int
}

// Add counts.
func (s *StripedOK) Add(i uint) {
	s.locks[i%4].Lock()
	defer s.locks[i%4].Unlock()
	s.n[i%4]++
}

// Row is made with as many locks as it is told.
type Row struct {
	locks []sync.RWMutex
	last  int
}

// NewRow makes one.
func NewRow(n int) *Row { return &Row{locks: make([]sync.RWMutex, n)} }

// Set writes under the lock of one number.
func (r *Row) Set(i int) {
	r.locks[i].Lock()
	r.last = i // RACE!
	r.locks[i].Unlock()
}

// Last reads under another one's.
func (r *Row) Last(i int) int {
	r.locks[i].RLock()
	defer r.locks[i].RUnlock()
	return r.last // RACE!
}

// Keyed has a lock for each name, and one map.
type Keyed struct {
	locks map[string]*sync.Mutex
	n     map[string]int
}

// NewKeyed makes one for two names.
func NewKeyed() *Keyed {
	return &Keyed{locks: map[string]*sync.Mutex{"a": {}, "b": {}}, n: map[string]int{}}
}

// Inc counts.
func (k *Keyed) Inc(name string) {
	l := k.locks[name]
	l.Lock()
	k.n[name]++ // RACE!
	l.Unlock()
}

// Table has its locks in a map's values.
type Table struct {
	cells map[int]*cell
}

type cell struct {
	sync.Mutex
	n int
}

// NewTable makes one.
func NewTable() *Table { return &Table{cells: map[int]*cell{0: {}, 1: {}}} }

// Inc counts under the cell's lock.
func (t *Table) Inc(i int) {
	c := t.cells[i]
	c.Lock()
	c.n++ // RACE!
	c.Unlock()
}

// Get does not.
func (t *Table) Get(i int) int {
	return t.cells[i].n // RACE!
}

// TableOK is a Table all of whose methods take the locks.
type TableOK struct {
	cells map[int]*cellOK
}

type cellOK struct {
	sync.Mutex
	n int
}

// NewTableOK makes one.
func NewTableOK() *TableOK { return &TableOK{cells: map[int]*cellOK{0: {}, 1: {}}} }

// Inc counts under the cell's lock.
func (t *TableOK) Inc(i int) {
	c := t.cells[i]
	c.Lock()
	c.n++
	c.Unlock()
}

// Get reads under it.
func (t *TableOK) Get(i int) int {
	c := t.cells[i]
	c.Lock()
	defer c.Unlock()
	return c.n
}

// guard is a lock of any kind.
type guard interface {
	Lock()
	Unlock()
}

// Guarded has a lock behind an interface of the package.
type Guarded struct {
	mu guard
	n  int
}

// NewGuarded makes one.
func NewGuarded() *Guarded { return &Guarded{mu: new(sync.Mutex)} }

// Inc counts under it.
func (g *Guarded) Inc() {
	g.mu.Lock()
	g.n++ // RACE!
	g.mu.Unlock()
}

// N does not.
func (g *Guarded) N() int {
	return g.n // RACE!
}

// Locked has a sync.Locker.
type Locked struct {
	mu sync.Locker
	n  int
}

// NewLocked makes one.
func NewLocked() *Locked { return &Locked{mu: &sync.RWMutex{}} }

// Inc counts under it.
func (l *Locked) Inc() {
	l.mu.Lock()
	l.n++ // RACE!
	l.mu.Unlock()
}

// N does not.
func (l *Locked) N() int {
	return l.n // RACE!
}

// Slots is an array of values with locks.
type Slots [2]struct {
	sync.Mutex
	n int
}

// Inc counts in one.
func (s *Slots) Inc(i int) {
	s[i].Lock()
	defer s[i].Unlock()
	s[i].n++ // RACE!
}

// N looks.
func (s *Slots) N(i int) int {
	return s[i].n // RACE!
}

// SlotsOK is one that is always locked.
type SlotsOK [3]struct {
	sync.Mutex
	k int
}

// Inc counts in one.
func (s *SlotsOK) Inc(i int) {
	s[i].Lock()
	defer s[i].Unlock()
	s[i].k++
}

// N looks.
func (s *SlotsOK) N(i int) int {
	s[i].Lock()
	defer s[i].Unlock()
	return s[i].k
}
