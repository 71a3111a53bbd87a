// Package ctor has a method that runs any number of times, and a constructor that calls it.
package ctor

import "sync"

// Upgrader makes connections.
type Upgrader struct {
	mu   sync.Mutex
	n    int
	made int
}

// Conn is a connection.
type Conn struct {
	own sync.Mutex
	mu  *sync.Mutex
	n   int
}

// Upgrade makes a connection of an upgrader.
func (u *Upgrader) Upgrade() *Conn {
	var mu sync.Mutex
	c := &Conn{mu: &mu}
	mu.Lock() // each call has a lock of its own
	u.made++  // RACE!
	mu.Unlock()
	return c
}

// Upgrade makes a connection.
func Upgrade(u *Upgrader) *Conn { return u.Upgrade() }

// Add counts.
func (u *Upgrader) Add() {
	u.mu.Lock()
	u.n++ // NORACE
	u.mu.Unlock()
}

// Add counts.
func (c *Conn) Add() {
	c.own.Lock()
	c.n++ // NORACE
	c.own.Unlock()
}
