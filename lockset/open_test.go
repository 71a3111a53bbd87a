package lockset

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestOpen holds what is open against what the pairs say of each access, and classes
// against the sets that they stand for.
func TestOpen(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20 {
		var entries []*ir.Entry
		for i := range 1 + r.Intn(100) {
			entries = append(entries, &ir.Entry{Name: fmt.Sprintf("e%d", i)})
		}
		var ins []ir.Instr
		for range 12 {
			ins = append(ins, &ir.Load{})
		}
		var shared []map[ir.Instr]bool // as members of two entries have them
		for range 3 {
			m := map[ir.Instr]bool{}
			for range r.Intn(6) {
				m[ins[r.Intn(len(ins))]] = true
			}
			shared = append(shared, m)
		}
		var pairs []diag.Pair
		for i, a := range entries {
			for _, b := range entries[i:] {
				p := diag.Pair{First: a.Name, Second: b.Name, Verdict: diag.Racy}
				switch r.Intn(8) {
				case 0:
					p.AllMayRace = true
				case 1:
					p.Verdict, p.AllMayRace = diag.RaceFree, true
				case 2:
					p.MayRace = map[ir.Instr]bool{ins[r.Intn(len(ins))]: true}
				case 3:
					p.MayRace = shared[r.Intn(len(shared))]
				case 4:
					p.MayRace, p.AllMayRace = shared[r.Intn(len(shared))], r.Intn(2) == 0
				default:
					continue
				}
				pairs = append(pairs, p)
			}
		}
		checkOpen(t, pairs, entries, ins)
	}
}

func checkOpen(t *testing.T, pairs []diag.Pair, entries []*ir.Entry, ins []ir.Instr) {
	t.Helper()
	o, of := NewOpen(pairs, nil), map[[2]string][]diag.Pair{}
	for _, p := range pairs {
		if p.Verdict != diag.RaceFree {
			of[[2]string{p.First, p.Second}] = append(of[[2]string{p.First, p.Second}], p)
			of[[2]string{p.Second, p.First}] = append(of[[2]string{p.Second, p.First}], p)
		}
	}
	for _, e := range entries {
		classes := map[int]string{}
		for _, in := range ins {
			var with []string // by the access alone, as classes tell them apart
			for _, f := range entries {
				ps := of[[2]string{e.Name, f.Name}]
				some := slices.ContainsFunc(ps, func(p diag.Pair) bool { return p.MayRace[in] })
				all := slices.ContainsFunc(ps, func(p diag.Pair) bool { return p.AllMayRace })
				if o.has(e, in, f) != (some || all) {
					t.Fatalf("%s with %s: open is %t", e.Name, f.Name, o.has(e, in, f))
				}
				if some {
					with = append(with, f.Name)
				}
			}
			n, text := o.class(e, in), fmt.Sprint(with)
			if old, seen := classes[n]; seen && old != text {
				t.Fatalf("%s: accesses that are open with %s and %s are of one class", e.Name, old, text)
			}
			classes[n] = text
		}
	}
}
