package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"whoop/ir"
)

// TestClosedExclusions: what the kernel serialises of entry points that are left out goes
// with them; such programs (SV-COMP's ldv-linux-3.14-races) were internal errors.
func TestClosedExclusions(t *testing.T) {
	const src = `struct usb_interface { int x; }; struct usb_device_id;
struct usb_driver { const char *name; int (*probe)(struct usb_interface *, const struct usb_device_id *); void (*disconnect)(struct usb_interface *); };
static int n; static int adu_probe(struct usb_interface *i, const struct usb_device_id *id) { n++; return 0; } static void adu_disconnect(struct usb_interface *i) { n--; }
static struct usb_driver adu = { "adu", adu_probe, adu_disconnect };
int main(void) { struct usb_interface i = { 0 }; adu_probe(&i, 0); return 0; }
`
	path := filepath.Join(t.TempDir(), "c.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Entries) != 1 || len(p.Exclusions) != 0 {
		t.Errorf("entries %v, exclusions %v", p.Entries, p.Exclusions)
	}
}

// TestClosed: tables that nobody gets have no entry points in a program with a main
// function, and the report says so; what other code may get has.
func TestClosed(t *testing.T) {
	const ops = `struct file { int x; }; struct file_operations { int (*read)(struct file *); int (*write)(struct file *); };
extern struct file_operations *registered; extern int core_register(void *); struct dev { int id; const struct file_operations *ops; } d;
static int n; static int rd(struct file *f) { return n; } static int wr(struct file *f) { n++; return 0; } struct file_operations fops = { .read = rd, .write = wr };
`
	for _, c := range []struct {
		name, main string
		entries    int
		said       bool
	}{
		{"given to nobody", "int main(void) { return 0; }", 1, true},
		{"given to a variable of others", "int main(void) { registered = &fops; return 0; }", 3, false},
		{"in what others are given", "int main(void) { d.ops = &fops; return core_register(&d); }", 3, false},
	} {
		path := filepath.Join(t.TempDir(), "c.c")
		if err := os.WriteFile(path, []byte(ops+c.main+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := Verify(context.Background(), path, Options{Jobs: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		said := slices.ContainsFunc(rep.Assumptions, func(a ir.Assumption) bool { return a.Kind == "whole-program" })
		if len(rep.Entries) != c.entries || said != c.said {
			t.Errorf("%s: %d entry points, said %v; want %d, %v", c.name, len(rep.Entries), said, c.entries, c.said)
		}
	}
}
