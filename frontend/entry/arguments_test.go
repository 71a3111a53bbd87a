package entry

import (
	"fmt"
	"strings"
	"testing"

	"whoop/ir"
)

const argumentsSrc = `program "arguments"
struct file size 8 { private_data: *void @0 }
struct inode size 8 { n: i64 @0 }
struct file_operations size 24 {
  open: *func(*struct("inode"), *struct("file")) i32 @0
  release: *func(*struct("inode"), *struct("file")) i32 @8
  read: *func(*struct("file")) i64 @16
}
struct work_struct size 16 { entry: i64 @0; func: *func(*struct("work_struct")) void @8 }
struct device size 8 { n: i64 @0 }
struct platform_device size 16 { id: i64 @0; dev: struct("device") @8 }
struct platform_driver size 16 { probe: *func(*struct("platform_device")) i32 @0; remove: *func(*struct("platform_device")) i32 @8 }
struct device_attribute size 8 { show: *func(*struct("device")) i64 @0 }

global fops: struct("file_operations") const = { 0 = fn op; 8 = fn rel; 16 = fn rd }
global drv: struct("platform_driver") = { 0 = fn probe; 8 = fn remove }
global attr: struct("device_attribute") = { 0 = fn show }
global w: struct("work_struct")

func op(i: *struct("inode"), f: *struct("file")) i32 {
e:
  store plain field(&w, work_struct, func), fn work
  return i32 0
}
func rel(i: *struct("inode"), f: *struct("file")) i32 {
e:
  return i32 0
}
func rd(f: *struct("file")) i64 {
e:
  return i64 0
}
func probe(p: *struct("platform_device")) i32 {
e:
  return i32 0
}
func remove(p: *struct("platform_device")) i32 {
e:
  return i32 0
}
func show(d: *struct("device")) i64 {
e:
  return i64 0
}
func work(w: *struct("work_struct")) void {
e:
  return
}
`

// TestArguments: what entries get is found, also of entries that a file names without
// inference.
func TestArguments(t *testing.T) {
	want := map[string]string{
		"op":     "nonnull [0 1]",
		"rel":    "nonnull [0 1] same 0 as op 0 at 0, 1 as op 1 at 0",
		"rd":     "nonnull [0] same 0 as op 1 at 0",
		"probe":  "nonnull [0]",
		"remove": "nonnull [0] same 0 as probe 0 at 0",
		"show":   "nonnull [0] same 0 as probe 0 at 8",
		"work":   "nonnull [0] given 0 in work_struct at 8",
	}
	p, err := ir.Parse("a.wir", []byte(argumentsSrc))
	if err != nil {
		t.Fatal(err)
	}
	if err := Infer(p, set(t), Options{}); err != nil {
		t.Fatal(err)
	}
	said := len(p.Assumptions)
	Arguments(p, set(t))
	if len(p.Assumptions) != said {
		t.Errorf("assumptions: %v", p.Assumptions[said:])
	}
	for _, e := range p.Entries {
		if got := arguments(e); got != want[e.Name] {
			t.Errorf("%s: %s, want %s", e.Name, got, want[e.Name])
		}
		e.NonNull, e.Given, e.Same = nil, nil, nil
	}
	p.Assumptions = nil
	Arguments(p, set(t)) // as after a file that lists them
	for _, e := range p.Entries {
		if got := arguments(e); got != want[e.Name] {
			t.Errorf("listed %s: %s, want %s", e.Name, got, want[e.Name])
		}
	}
}

func arguments(e *ir.Entry) string {
	out := []string{fmt.Sprint("nonnull ", e.NonNull)}
	for _, g := range e.Given {
		out = append(out, fmt.Sprintf("given %d in %s at %d", g.Param, g.S.Name, g.Off))
	}
	var same []string
	for _, x := range e.Same {
		same = append(same, fmt.Sprintf("%d as %s %d at %d", x.Param, x.Of, x.OfParam, x.Off))
	}
	if len(same) > 0 {
		out = append(out, "same "+strings.Join(same, ", "))
	}
	return strings.Join(out, " ")
}
