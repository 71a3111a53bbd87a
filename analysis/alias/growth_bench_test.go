package alias

import (
	"fmt"
	"strings"
	"testing"
)

// boxesText is a program of n types whose values all meet in one variable of an interface
// type. The method of each keeps what it finds there, takes a value of its own type out,
// and hands it to the method of the next.
func boxesText(n int) string {
	var b strings.Builder
	b.WriteString("program \"boxes\" typesafe\nstruct i size 16 { type: u32 @0; data: *void @8 }\nglobal all: struct(\"i\")\n")
	for k := range n {
		fmt.Fprintf(&b, "struct t%d size 24 { n: i64 @0; e: struct(\"i\") @8 }\n", k)
	}
	for k := range n {
		fmt.Fprintf(&b, `func m%[1]d(a: *struct("t%[1]d"), d: *void) void {
  reg x, y: *struct("t%[1]d")
  reg v, w: *void
a:
  x := alloc heap struct("t%[1]d"), i64 1 zero
  v := load plain field(&all, i, data)
  store plain field(field(x, t%[1]d, e), i, data), v
  store plain field(&all, i, data), cast(*void, x)
  y := cast(*struct("t%[1]d"), v)
  store plain field(y, t%[1]d, n), i64 1
  w := load plain field(field(y, t%[1]d, e), i, data)
`, k)
		if k+1 < n {
			fmt.Fprintf(&b, "  call m%[1]d(cast(*struct(\"t%[1]d\"), d), w)\n  call m%[1]d(cast(*struct(\"t%[1]d\"), w), d)\n", k+1)
		}
		b.WriteString("  return\n}\n")
	}
	for k := 0; k < n; k += 4 {
		fmt.Fprintf(&b, "entry m%[1]d kind \"method\" multi\n", k)
	}
	return b.String()
}

// BenchmarkBoxes shows how the stages of points-to grow: nodes, members, and the time of
// each, with the number of types behind an interface.
func BenchmarkBoxes(b *testing.B) {
	for _, n := range []int{25, 50, 100} {
		p := parsed(b, boxesText(n))
		b.Run(fmt.Sprint("types=", n), func(b *testing.B) {
			took := map[string]Stage{}
			for b.Loop() {
				r := Analyze(p, Options{Note: func(s Stage) { took[s.Name] = s }})
				if _, err := r.Separate(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			for name, s := range took {
				name = strings.ReplaceAll(name, " ", "-")
				b.ReportMetric(float64(s.Time.Microseconds())/1000, name+"-ms")
				if s.Name != StageRegions {
					b.ReportMetric(float64(s.Nodes), name+"-nodes")
					b.ReportMetric(float64(s.Members), name+"-members")
				}
			}
		})
	}
}
