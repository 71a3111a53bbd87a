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

// spinning are threads that take a lock by a loop of exchanges, and check what they count
// under it.
func spinning(t *testing.T, n int, check string) *ir.Program {
	t.Helper()
	s := `program "spinning"
global l: i32
global x: i32
func w() void {
reg r: i32
entry:
  r := rmw xchg seq_cst &l, i32 1
  if eq(r, i32 0) then got else entry
got:
  r := load seq_cst &x
  store seq_cst &x, add(r, i32 1)
  r := load seq_cst &x
  assert ` + check + ` tag "count"
  store seq_cst &l, i32 0
  return
}
func main() i32 {
entry:
`
	for range n {
		s += "  spawn w()\n"
	}
	p, err := ir.Parse("spinning.wir", []byte(s+"  return i32 0\n}\nentry main kind \"main\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPortfolioVisits: where executions are too long since threads wait in a loop, all
// states are visited, so that the answer is complete; one that counts for ever has too
// many, and ends all the same.
func TestPortfolioVisits(t *testing.T) {
	for _, x := range []struct {
		check  string
		traces int
	}{{"ne(r, i32 0)", 0}, {"ne(r, i32 3)", 1}} {
		r, err := Run(spinning(t, 3, x.check), Options{Strategy: Portfolio, Seed: 1, KeepGoing: true})
		if err != nil || !r.Complete || len(r.Traces) != x.traces || r.States == 0 {
			t.Errorf("%s: %v, %+v", x.check, err, r)
		}
	}
	p, err := ir.Parse("endless.wir", []byte("program \"endless\"\nglobal x: i32\nfunc w() void {\nreg r: i32\nentry:\n"+
		"  r := rmw add seq_cst &x, i32 1\n  goto entry\n}\nfunc main() i32 {\nentry:\n  spawn w()\n  spawn w()\n"+
		"  return i32 0\n}\nentry main kind \"main\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(p, Options{Strategy: Portfolio, Seed: 1})
	if err != nil || r.Complete || r.Reason != "an execution has more than 1000 events" {
		t.Errorf("%v, %+v", err, r)
	}
}
