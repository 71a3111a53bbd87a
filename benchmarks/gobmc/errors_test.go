package bmc

import (
	"errors"
	"fmt"
	"testing"
)

// Errors that are found in others by their types.

type codeError struct{ code int }

func (e *codeError) Error() string { return fmt.Sprint("code ", e.code) }

type timeout interface{ Timeout() bool }

type slow struct{ error }

func (slow) Timeout() bool { return true }

// want: none
func TestErrorsAs(t *testing.T) {
	ch := make(chan error)
	go func() { ch <- fmt.Errorf("wrapped: %w", &codeError{7}) }()
	err := <-ch
	var ce *codeError
	if !errors.As(err, &ce) || ce.code != 7 {
		t.Fatal("it is in there")
	}
	var to timeout
	if errors.As(err, &to) || to != nil {
		t.Fatal("it has no time limit")
	}
	if !errors.As(fmt.Errorf("and %w", slow{err}), &to) || !to.Timeout() {
		t.Fatal("it has one")
	}
	if errors.As(errors.New("y"), &ce) || errors.As(nil, &ce) {
		t.Fatal("neither is one")
	}
}

// What is found is the object that was wrapped.
// want: race 1
func TestErrorsAsShared(t *testing.T) {
	e := &codeError{1}
	err := fmt.Errorf("wrapped: %w", e)
	go func() { e.code = 2 }()
	var ce *codeError
	if errors.As(err, &ce) {
		ce.code++
	}
}

type mover interface{ move() }

type piece struct{ at int }

func (p *piece) move() { p.at++ }

var onBoard mover

// A type that is asked for before a value of it is put into an interface.
// want: race 1
func TestAskedForBefore(t *testing.T) {
	if _, ok := onBoard.(*piece); ok {
		return
	}
	onBoard = &piece{}
	done := make(chan bool)
	go func() { onBoard.move(); done <- true }()
	onBoard.move()
	<-done
}
