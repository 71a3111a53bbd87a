package irutil

import (
	"slices"

	"whoop/ir"
)

// BlocksInside is an instruction at which an atomic section may have to wait, or may
// stand still at a false assumption, after it has accessed memory or taken an input; nil
// where there is none. What such a section accesses depends on whether it waits.
func BlocksInside(p *ir.Program) ir.Instr {
	b := &blocking{taken: ir.AddressTaken(p), waits: map[*ir.Func]bool{}}
	b.calls(p)
	for _, f := range p.Funcs {
		if in := b.function(f); in != nil {
			return in
		}
	}
	return nil
}

// place in a function is relative to its atomic sections.
type place int

const (
	outside place = iota
	begun         // in a section that has accessed nothing and taken no input
	within        // in one that has
)

type blocking struct {
	taken []*ir.Func
	waits map[*ir.Func]bool // whether a call may wait
}

// function follows the sections that begin in f.
func (b *blocking) function(f *ir.Func) ir.Instr {
	type state struct {
		b  *ir.Block
		at place
	}
	if len(f.Blocks) == 0 {
		return nil
	}
	seen := map[state]bool{}
	work := []state{{f.Blocks[0], outside}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		at := s.at
		for _, in := range s.b.Instrs {
			if at == within && b.mayWait(in) {
				return in
			}
			at = after(in, at)
		}
		for _, t := range s.b.Succs() {
			work = append(work, state{t, at})
		}
	}
	return nil
}

// after is where an instruction leads.
func after(in ir.Instr, at place) place {
	switch in.(type) {
	case *ir.AtomicBegin:
		return max(at, begun)
	case *ir.AtomicEnd:
		return outside
	case *ir.Await:
		return within
	case *ir.Assign, *ir.Assume, *ir.Assert:
		return at
	}
	if at == begun {
		return within
	}
	return at
}

// mayWait reports whether an instruction may block, or call something that does.
func (b *blocking) mayWait(in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Lock:
		return !in.Try
	case *ir.Assume, *ir.SemWait, *ir.CondWait, *ir.BarrierWait, *ir.Join, *ir.Once:
		return true
	case *ir.Call:
		if f, ok := in.Callee.(ir.FuncAddr); ok {
			return b.waits[f.Func]
		}
		return slices.ContainsFunc(b.taken, func(f *ir.Func) bool { return b.waits[f] })
	}
	return false
}

// calls finds the functions that may wait.
func (b *blocking) calls(p *ir.Program) {
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if b.waits[f] || !slices.ContainsFunc(f.Blocks, func(k *ir.Block) bool { return slices.ContainsFunc(k.Instrs, b.mayWait) }) {
				continue
			}
			b.waits[f], changed = true, true
		}
	}
}
