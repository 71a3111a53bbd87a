package delay

import (
	"maps"
	"slices"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// TestFindings: on random programs, those among them whose atomic sections may wait in
// their middle, all explorers find what the plain exploration of the interpreter finds.
func TestFindings(t *testing.T) {
	inside, errors := 0, 0
	for n := *seed; n < *seed+8*uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 4 + int(n%6), Workers: int(n % 4)})
		if irutil.BlocksInside(p) != nil {
			inside++
		} else if n%10 != 0 {
			continue
		}
		ref, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		h, failures := interp.MainOf(p.FuncByName("main")), n%2 == 0
		all, err := explore.Exhaustive(ref, h,
			explore.Options{Bound: -1, Cache: true, Failures: failures})
		if err != nil || !all.Complete {
			t.Fatal(err, all.Reason)
		}
		want := map[string]bool{}
		for _, f := range all.Findings {
			want[f.Key()] = true
		}
		errors += len(want)
		for name, mk := range explorers {
			c, err := vm.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			m, err := vm.New(c, p.FuncByName("main"), vm.Config{Failures: failures})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			x := Search(m, Options{Make: mk, Bound: -1, Found: func(f Found) bool {
				y, err := explore.Follow(ref, h, f.Path)
				if err != nil {
					t.Errorf("seed %d: %s: %v is not confirmed: %v", n, name, f.Place, err)
					return true
				}
				got[y.Key()] = true
				return true
			}})
			if x.Incomplete != "" || !maps.Equal(got, want) {
				t.Fatalf("seed %d: %s finds\n%q, want\n%q, %s\n%s", n, name, slices.Sorted(maps.Keys(got)),
					slices.Sorted(maps.Keys(want)), x.Incomplete, ir.String(p))
			}
		}
	}
	t.Logf("%d programs have sections that may wait, %d errors", inside, errors)
}
