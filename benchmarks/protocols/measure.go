package main

import (
	"fmt"
	"os"
	"slices"

	"whoop/explore/delay"
	"whoop/explore/strategy"
	"whoop/ir"
	"whoop/ir/vm"
)

// options are the budgets.
type options struct {
	states, executions int64
	seeds              int
}

// column is a strategy of the table.
type column struct {
	name  string
	find  func(p *ir.Program, x protocol, opt options, seed uint64) int64 // 0: not found
	drawn bool                                                            // it depends on the seed
	// it counts states, not executions
	states bool
	strata bool // it goes by delays
}

var columns = []column{
	{name: "delay:rr", find: visited("delay:rr"), states: true, strata: true},
	{name: "delay:rtc", find: visited("delay:rtc"), states: true, strata: true},
	{name: "delay:prr", find: visited("delay:prr"), states: true, strata: true, drawn: true},
	{name: "custom", find: custom, states: true, strata: true},
	{name: "context-bound", find: preemptions, states: true},
	{name: "sample:rtc", find: drawn("sample:rtc"), strata: true, drawn: true},
	{name: "pct", find: drawn("pct"), drawn: true},
	{name: "random", find: drawn("random"), drawn: true},
	{name: "irs", find: drawn("irs"), drawn: true},
}

// measure is what the strategies take for a program; 0 where they find nothing.
func measure(p *ir.Program, x protocol, opt options) []int64 {
	var row []int64
	for _, c := range columns {
		var all []int64
		for seed := range uint64(opt.seeds) {
			all = append(all, c.find(p, x, opt, seed+1))
			if !c.drawn {
				break
			}
		}
		slices.SortFunc(all, func(a, b int64) int { // not found is the most
			switch {
			case a == b:
				return 0
			case a == 0 || b != 0 && a > b:
				return 1
			}
			return -1
		})
		row = append(row, all[len(all)/2])
	}
	return row
}

// explored runs a strategy; found: something went wrong.
func explored(p *ir.Program, o strategy.Options) (r *strategy.Result, found bool) {
	r, err := strategy.Run(p, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "protocols:", err)
		os.Exit(1)
	}
	return r, len(r.Findings) > 0
}

// visited is a strategy that visits states.
func visited(name string) func(*ir.Program, protocol, options, uint64) int64 {
	return func(p *ir.Program, _ protocol, opt options, seed uint64) int64 {
		r, found := explored(p, strategy.Options{Strategy: name, Bound: -1, Seed: seed, MaxStates: opt.states, FastOnly: true})
		if !found {
			return 0
		}
		return r.States
	}
}

// preemptions bounds them by 0, 1, 2 and so on, each time from the start.
func preemptions(p *ir.Program, _ protocol, opt options, _ uint64) int64 {
	sum := int64(0)
	for bound := 0; sum < opt.states; bound++ {
		r, found := explored(p, strategy.Options{Strategy: "context-bound", Bound: bound, MaxStates: opt.states - sum})
		sum += r.States
		if found {
			return sum
		}
		if !r.BoundHit && r.Complete {
			break
		}
	}
	return 0
}

// drawn is a strategy that draws executions.
func drawn(name string) func(*ir.Program, protocol, options, uint64) int64 {
	return func(p *ir.Program, _ protocol, opt options, seed uint64) int64 {
		o := strategy.Options{Strategy: name, Bound: -1, Seed: seed, Executions: opt.executions, FastOnly: true}
		if name == "pct" {
			o.Bound = 5
		}
		r, found := explored(p, o)
		if !found {
			return 0
		}
		return r.Executions
	}
}

// later goes on with who was woken last, as run to completion does, but puts off the
// threads that are late: what fails comes when all else has been done.
type later struct {
	delay.Queue
	late []int
}

// Copy copies the explorer.
func (l *later) Copy() delay.Explorer {
	c := *l
	c.Order = slices.Clone(l.Order)
	return &c
}

// Start puts a thread in front, and late ones behind.
func (l *later) Start(t, parent int) {
	l.Queue.Start(t, parent)
	if !slices.Contains(l.late, t) {
		l.Move(t, 0)
	}
}

// Step puts those in front that can go on now.
func (l *later) Step(e delay.Event) {
	l.Queue.Step(e)
	for t := range 64 {
		if e.Woken>>t&1 != 0 && !slices.Contains(l.late, t) {
			l.Move(t, 0)
		}
	}
}

// custom is a search by the explorer that knows who should come last.
func custom(p *ir.Program, x protocol, opt options, _ uint64) int64 {
	c, err := vm.Compile(p)
	if err != nil {
		return 0
	}
	m, err := vm.New(c, mainOf(p), vm.Config{})
	if err != nil {
		return 0
	}
	found := false
	r := delay.Search(m, delay.Options{Make: func() delay.Explorer { return &later{late: x.late} }, Bound: -1, MaxStates: opt.states,
		Found: func(f delay.Found) bool {
			found = true
			return false
		}})
	if !found {
		return 0
	}
	return r.States
}

// mainOf is the function that a program begins with.
func mainOf(p *ir.Program) *ir.Func {
	i := slices.IndexFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
	return p.Entries[i].Func
}
