package alias

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"whoop/ir"
)

// bigProgram makes a driver of n entry points with their helpers, about 50 instructions
// each. Dense: there are n devices and each entry may work on any of them; else there is
// one.
func bigProgram(t testing.TB, n int, dense bool) *ir.Program {
	var b strings.Builder
	b.WriteString(`program "big"
struct node size 16 { next: *struct("node") @0, val: i64 @8 }
struct dev size 96 { lock: i32 @0, n: [8]i32 @4; head: *struct("node") @40, ops: *struct("ops") @48, priv: *void @56, buf: [16]u8 @64, link: struct("node") @80 }
struct ops size 16 { get: *func(*struct("dev"), i64) i64 @0, put: *func(*struct("dev"), i64) i64 @8 }
struct file size 24 { pos: i64 @0, private_data: *void @8, next: *struct("file") @16 }
func unseen(p: *void) *void extern
func kzalloc(n: u64) *void {
  reg p: *void
a:
  p := alloc heap u8, n zero mayfail
  return p
}
`)
	for i := range n {
		fmt.Fprintf(&b, "global dev%d: struct(\"dev\")\nglobal ops%d: struct(\"ops\") = { 0 = fn get%d, 8 = fn get%d }\n", i, i, i, (i+7)%n)
	}
	for i := range n {
		fmt.Fprintf(&b, "func get%d(d: *struct(\"dev\"), i: i64) i64 {\n  reg p, q: *struct(\"node\")\n  reg x: i64\na:\n", i)
		for k := range 6 {
			b.WriteString(nodeOps(i, k))
		}
		b.WriteString("  return x\n}\n")
		entryFunc(&b, i, n)
	}
	for i := range n {
		fmt.Fprintf(&b, "entry read%d kind \"file_operations.read\"\n", i)
	}
	text := b.String()
	if !dense {
		text = regexp.MustCompile(`&dev\d+`).ReplaceAllString(text, "&dev0")
	}
	p, err := ir.Parse("big.wir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func nodeOps(i, k int) string {
	return fmt.Sprintf(`  p := load plain field(d, dev, head)
  q := load plain field(p, node, next)
  store plain field(q, node, val), i64 %d
  store plain field(field(d, dev, link), node, next), q
  store plain index(cast(*i32, field(d, dev, n)), i, 4, *i32), i32 %d
`, i, k)
}

func entryFunc(b *strings.Builder, i, n int) {
	fmt.Fprintf(b, `func read%[1]d(f: *struct("file"), c: i32) i64 {
  reg d: *struct("dev")
  reg v: *void
  reg o: *struct("ops")
  reg g: *func(*struct("dev"), i64) i64
  reg x: i64
  reg m, q: *struct("node")
a:
  v := load plain field(f, file, private_data)
  d := cast(*struct("dev"), v)
  lock exclusive mutex field(d, dev, lock)
  v := call kzalloc(u64 16)
  m := cast(*struct("node"), v)
  store plain field(m, node, val), i64 1
  q := load plain field(d, dev, head)
  store plain field(m, node, next), q
  store plain field(d, dev, head), m
  store plain field(d, dev, ops), &ops%[1]d
  goto l
l:
  if eq(c, i32 0) then body else z
body:
  o := load plain field(d, dev, ops)
  g := load plain field(o, ops, get)
  x := call *g(d, x)
  x := call get%[2]d(&dev%[1]d, x)
  q := load plain field(q, node, next)
  goto l
z:
  store plain field(f, file, private_data), cast(*void, &dev%[1]d)
  unlock exclusive mutex field(d, dev, lock)
  v := call unseen(v)
  return x
}
`, i, (i+1)%n)
}

func count(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			n += len(b.Instrs)
		}
	}
	return n
}

func BenchmarkBig(b *testing.B) {
	for _, c := range []struct {
		n     int
		dense bool
	}{{100, false}, {200, false}, {400, false}, {1000, false}, {100, true}, {200, true}} {
		p := bigProgram(b, c.n, c.dense)
		b.Run(fmt.Sprintf("entries=%d/dense=%t", c.n, c.dense), func(b *testing.B) {
			b.ReportAllocs()
			var r *Result
			for b.Loop() {
				r = Analyze(p, Options{})
			}
			b.ReportMetric(float64(count(p)), "instrs")
			b.ReportMetric(float64(len(r.Regions())), "regions")
		})
	}
}

// TestBig checks that a second run over a larger program gives the same result.
func TestBig(t *testing.T) {
	a, b := printed(Analyze(bigProgram(t, 20, true), Options{})), printed(Analyze(bigProgram(t, 20, true), Options{}))
	if a != b {
		t.Error("two runs differ")
	}
}
