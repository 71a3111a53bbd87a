// Package store prints values whose String methods nothing in it calls, and has a function for its users that it does not call itself: what that
// function's arguments are says nothing about the receivers of the methods.
package store

import (
	"fmt"
	"sync"
)

// Page is a page.
type Page struct{ id int }

// String is called by package fmt only.
func (p *Page) String() string { return fmt.Sprintf("page %d", p.id) }

type stats struct{ adds int }

// DB is a database.
type DB struct {
	mu    sync.Mutex
	stats *stats
	pages []*Page
}

// Open makes a database.
func Open() *DB { return &DB{stats: &stats{}} }

// Add adds a page.
func (db *DB) Add() { db.add(1) }

func (db *DB) add(n int) {
	if n > 1 {
		db.add(n - 1)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.stats.adds++ // NORACE
	db.pages = append(db.pages, &Page{id: n})
}

// Adds counts.
func (db *DB) Adds() int {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.stats.adds // NORACE
}

// Dump prints the pages.
func (db *DB) Dump() string {
	db.mu.Lock()
	defer db.mu.Unlock()
	return fmt.Sprintln(db.pages)
}

// Merge is for users, who have two of them.
func Merge(to, from *DB) {
	to.add(2)
	from.add(0)
}
