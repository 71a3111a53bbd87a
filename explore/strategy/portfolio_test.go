package strategy

import (
	"fmt"
	"testing"

	"whoop/ir"
)

// rare is a program with more traces than can be explored, of which few have an error:
// all threads but the first one come before it.
func rare(t *testing.T, n int) *ir.Program {
	t.Helper()
	s := "program \"rare\"\nglobal x: i32\nfunc w(i: i32) void {\nreg r: i32\nentry:\n  r := rmw add seq_cst &x, i32 1\n" +
		"  assert lor(ne(i, i32 0), ne(r, i32 " + fmt.Sprint(n-1) + ")) tag \"last\"\n  return\n}\nfunc main() i32 {\nentry:\n"
	for i := range n {
		s += fmt.Sprintf("  spawn w(i32 %d)\n", i)
	}
	p, err := ir.Parse("rare.wir", []byte(s+"  return i32 0\n}\nentry main kind \"main\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPortfolio: it finds by drawing what optimal-dpor alone comes to late, ends with the
// total of optimal-dpor where that is small enough, and does the same each time.
func TestPortfolio(t *testing.T) {
	for range 2 {
		r, err := Run(rare(t, 14), Options{Strategy: Portfolio, Seed: 1})
		if err != nil || len(r.Traces) != 1 || r.Executions != roundSearched || r.Reason != "ended at the first finding" {
			t.Fatalf("%v, %+v", err, r)
		}
		if want := "50 executions were drawn, too"; len(r.Notes) != 1 || len(r.Notes[0]) < len(want) {
			t.Errorf("%q", r.Notes)
		}
	}
	p, err := ir.Parse("stores.wir", []byte(stores(6)))
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		r, err := Run(p, Options{Strategy: Portfolio, Seed: 1, KeepGoing: true, Workers: workers})
		if err != nil || !r.Complete || r.Executions != 5040 || len(r.Traces) != 1 ||
			r.Notes[0] != "200 executions were drawn, too, by pct, pos, sample:rtc, urw" {
			t.Errorf("%v, %+v", err, r)
		}
	}
	r, err := Run(p, Options{Strategy: Portfolio, KeepGoing: true, Executions: 2100})
	if err != nil || r.Complete || r.Executions != 2000 || r.Reason != "2100 executions were made, and no more were asked for" {
		t.Errorf("%v, %+v", err, r)
	}
}
