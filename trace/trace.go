package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"whoop/ir"
	"whoop/ir/interp"
)

// Schema is the version of the file format.
const Schema = 1

// Trace is a schedule with inputs, and the bug that it shows.
type Trace struct {
	Schema  int    `json:"schema"`
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Input is the program's path, Options the flags that it was loaded with, Program a
	// hash of the program as loaded.
	Input   string   `json:"input"`
	Options []string `json:"options"`
	Program string   `json:"program"`
	// Harness: the main function, or the init entries and the roots by name.
	Main  bool     `json:"main"`
	Stays bool     `json:"stays,omitempty"` // main's return does not end other threads
	Init  []string `json:"init"`
	Roots []string `json:"roots"`
	// Inputs answer the interpreter's questions, in their order.
	Schedule Schedule `json:"schedule"`
	Inputs   []uint64 `json:"inputs"`
	Bug      Bug      `json:"bug"`
}

// Schedule says which thread takes how many steps. Threads are numbered in the order of
// their creation. A step is what Unit makes: an instruction that others may notice, with
// what it needs before, or a whole atomic section.
type Schedule []Run

// Run is some steps of one thread.
type Run struct {
	Thread interp.ThreadID `json:"thread"`
	Steps  int             `json:"steps"`
}

// Add appends steps of a thread, to its last run where that is the schedule's last one.
func (s *Schedule) Add(id interp.ThreadID, steps int) {
	if k := len(*s); k > 0 && (*s)[k-1].Thread == id {
		(*s)[k-1].Steps += steps
		return
	}
	if steps > 0 {
		*s = append(*s, Run{id, steps})
	}
}

// Bug is what the execution ends with.
type Bug struct {
	// Kind is assert, reach_error, race, deadlock, livelock, panic, double-lock,
	// unlock-not-held or another error of the interpreter.
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Thread fails at File:Line, or is about to make one of the two accesses of a race;
	// Other makes the other.
	Thread interp.ThreadID `json:"thread"`
	Other  interp.ThreadID `json:"other_thread"`
	At     Place           `json:"at"`
	AtToo  Place           `json:"other_at"`
	// Loop, of a livelock, is how many steps of the schedule come before the cycle that
	// it ends with: what comes after can be repeated for ever.
	Loop int `json:"loop,omitempty"`
}

// Place is a place in the source.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// PlaceOf converts a position.
func PlaceOf(p ir.Pos) Place { return Place{p.File, p.Line, p.Col} }

// Pos is the opposite of PlaceOf.
func (p Place) Pos() ir.Pos { return ir.Pos{File: p.File, Line: p.Line, Col: p.Column} }

// Hash identifies a program by its textual form.
func Hash(p *ir.Program) string {
	h := sha256.Sum256([]byte(ir.String(p)))
	return hex.EncodeToString(h[:])
}

// Write saves a trace.
func (t *Trace) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(t)
}

// Read reads what Write wrote.
func Read(r io.Reader) (*Trace, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var t Trace
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("not a trace: %w", err)
	}
	if t.Schema != Schema {
		return nil, fmt.Errorf("the trace has schema %d, this version reads %d", t.Schema, Schema)
	}
	for i, x := range t.Schedule {
		if x.Thread < 0 || x.Steps <= 0 {
			return nil, fmt.Errorf("not a trace: run %d of the schedule is of thread %d with %d steps", i, x.Thread, x.Steps)
		}
	}
	return &t, nil
}

// Harness finds the threads that the execution starts with.
func (t *Trace) Harness(p *ir.Program) (interp.Harness, error) {
	h := interp.Harness{Main: t.Main, Stays: t.Stays, Registrations: !t.Main}
	find := func(names []string) ([]interp.Root, error) {
		var out []interp.Root
		for _, n := range names {
			e := p.EntryByName(n)
			if e == nil {
				return nil, fmt.Errorf("the program has no entry point %q", n)
			}
			out = append(out, interp.RootOf(e))
		}
		return out, nil
	}
	var err error
	if h.Init, err = find(t.Init); err != nil {
		return h, err
	}
	if h.Roots, err = find(t.Roots); err != nil || t.Main {
		return h, err
	}
	entries := func(names []string) []*ir.Entry {
		var es []*ir.Entry
		for _, n := range names {
			es = append(es, p.EntryByName(n))
		}
		return es
	}
	h.Registered = ir.RegistrationsOf(p).Before(entries(t.Init), entries(t.Roots))
	return h, nil
}
