package messages_test

import (
	"slices"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/messages"
)

// queues is a program with two queues, to be followed by the threads that use them.
const queues = `program "queues"
struct "chan int" size 40 {
  __closed: u8 @0
  __timer: u32 @4
  __cap: i32 @8
  __count: i32 @12
  __sent: u16 @16
  __taken: u16 @18
  __ends: u8 @20
  __buffer: [2]i64 @24
}
global a: struct("chan int") = { 8 = i32 2 }
global b: struct("chan int")
global n: i64
`

// inMain are programs of which main is the last thread, and what goes wrong in them.
var inMain = []struct{ name, src, wrong string }{
	{"in order", `
func sends() void {
  reg s: *i64
e:
  send &a slot s s := i64 1
  send &a slot s s := i64 2
  close &a
  return
}
func main() void {
  reg x, s: *i64
  reg v, w: i64
  reg ok: bool
e:
  spawn sends()
  receive &a slot s v := s capacity 2
  receive &a slot s w := s ok ok
  assert ok tag assert
  assert land(eq(v, i64 1), eq(w, i64 2)) tag assert
  w := i64 7
  receive &a slot s w := s ok ok
  assert land(not_ok, eq(w, i64 7)) tag assert
  return
}`, ""},
	{"hand over", `
func sends() void {
  reg s: *i64
e:
  store plain &n, i64 5
  send &b slot s s := i64 1 capacity 0
  return
}
func main() void {
  reg s: *i64
  reg v: i64
e:
  spawn sends()
  receive &b slot s v := s capacity 0
  v := load plain &n
  assert eq(v, i64 5) tag assert
  return
}`, ""},
	{"nobody receives", `
func main() void {
  reg s: *i64
e:
  send &b slot s s := i64 1
  return
}`, "deadlock"},
	{"closed", `
func main() void {
  reg s: *i64
  reg c: bool
e:
  close &a closed c
  assert lnot(c) tag assert
  send &a slot s s := i64 1 closed c
  assert c tag assert
  close &a closed c
  assert c tag assert
  return
}`, ""},
	{"any case", `
func sends() void {
  reg s: *i64
e:
  send &a slot s s := i64 1
  return
}
func main() void {
  reg s: *i64
  reg v: i64
e:
  spawn sends()
  select receive &a then got, send &b then sent, receive null *struct("chan int") then never
got:
  receive &a slot s v := s selected
  assert eq(v, i64 1) tag assert
  return
sent:
  send &b slot s s := i64 1 selected
  assert false tag assert
  return
never:
  receive null *struct("chan int") slot s v := s selected
  assert false tag assert
  return
}`, ""},
	{"not there yet", `
func sends() void {
  reg s: *i64
e:
  send &a slot s s := i64 1
  return
}
func main() void {
  reg s: *i64
  reg v: i64
e:
  spawn sends()
  select receive &a then got else none
got:
  receive &a slot s v := s selected
  return
none:
  assert false tag assert msg "none"
  return
}`, "assert"},
}

// TestExact: messages come in order, queues without capacity hand over, selections take
// cases that can go on.
func TestExact(t *testing.T) {
	for _, c := range inMain {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, queues+strings.ReplaceAll(c.src, "not_ok", "lnot(ok)"))
			messages.Exact(p)
			if err := ir.Validate(p); err != nil {
				t.Fatal(err)
			}
			m, err := interp.Compile(p, interp.Config{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Kind)
			}
			slices.Sort(got)
			if s := strings.Join(slices.Compact(got), ", "); s != c.wrong {
				t.Errorf("%q goes wrong, want %q", s, c.wrong)
			}
		})
	}
}

// TestAbstract: threads do not wait, and get anything.
func TestAbstract(t *testing.T) {
	for _, c := range inMain {
		p := parse(t, queues+strings.ReplaceAll(c.src, "not_ok", "lnot(ok)"))
		messages.Abstract(p)
		if err := ir.Validate(p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, in := range p.Instrs() {
			if _, waits := in.(*ir.Await); waits || ir.MessageOf(in) != nil {
				t.Errorf("%s: there is %s", c.name, in)
			}
		}
	}
}

// TestLaidOut: queues of another layout are not understood, and nothing else is lost.
func TestLaidOut(t *testing.T) {
	p := parse(t, `program "odd"
global q: i64
func main() void {
e:
  close &q
  return
}`)
	messages.Exact(p)
	if p.Funcs[0].Unknown == "" {
		t.Error("it is understood")
	}
	if err := ir.Validate(p); err != nil {
		t.Error(err)
	}
}

// parse reads a program, which prints as it is read.
func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("queues.wir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Fatal(err)
	}
	printed := func(p *ir.Program) string {
		var b strings.Builder
		if err := ir.Print(&b, p); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	text := printed(p)
	q, err := ir.Parse("queues.wir", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if again := printed(ir.Clone(q)); again != text {
		t.Errorf("printed as\n%s\nand then as\n%s", text, again)
	}
	return p
}
