package bmc_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"whoop/diag"
	"whoop/ir"
	"whoop/pipeline"
)

const handlerHead = `#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
struct dev { int n; struct work_struct w; struct timer_list t; };
`

// handlerCases are drivers of which the pair h|rd races on n of a struct dev.
var handlerCases = []struct{ name, src string }{
	{"registered through a pointer to the function", `static struct dev *g;
static void h(struct work_struct *w) { struct dev *d = container_of(w, struct dev, w); d->n++; }
static void setup(struct work_struct *w, void (*f)(struct work_struct *)) { INIT_WORK(w, f); }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { return g->n--; }
static int op(struct inode *i, struct file *f) { schedule_work(&g->w); return 0; }
static const struct file_operations fo = { .open = op, .read = rd };
static int __init ini(void) { g = kzalloc(sizeof *g, GFP_KERNEL); if (!g) return -1; setup(&g->w, h); return register_chrdev(240, "x", &fo); }
`},
	{"registered by a call and by an initialiser", `void init_timer_key(struct timer_list *t, void (*f)(struct timer_list *), unsigned fl, const char *name, void *key);
static void h(struct timer_list *t);
static struct dev a, b = { .t = { .function = h } };
static void h(struct timer_list *t) { struct dev *d = from_timer(d, t, t); d->n++; }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { return b.n--; }
static int op(struct inode *i, struct file *f) { mod_timer(&a.t, 1); mod_timer(&b.t, 1); return 0; }
static const struct file_operations fo = { .open = op, .read = rd };
static int __init ini(void) { init_timer_key(&a.t, h, 0, "x", 0); return register_chrdev(240, "x", &fo); }
`},
	{"two devices, of which the first is read", `static struct dev a, b;
static irqreturn_t h(int irq, void *data) { struct dev *d = data; d->n++; return 0; }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { return a.n--; }
static const struct file_operations fo = { .read = rd };
static int __init ini(void)
{
	if (request_irq(3, h, 0, "a", &a) || request_irq(4, h, 0, "b", &b))
		return -1;
	return register_chrdev(240, "x", &fo);
}
`},
	{"registered by an entry that is not of the pair", `static struct dev *g;
static irqreturn_t h(int irq, void *data) { struct dev *d = data; d->n++; return 0; }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { return g ? g->n-- : 0; }
static ssize_t wr(struct file *f, const char __user *u, size_t n, loff_t *p)
{
	struct dev *d = kzalloc(sizeof *d, GFP_KERNEL);
	if (!d)
		return -1;
	g = d;
	return request_irq(3, h, 0, "x", d);
}
static const struct file_operations fo = { .read = rd, .write = wr };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`},
	{"a device that may be open once", `static struct dev one;
static unsigned long busy;
static void h(struct work_struct *w) { struct dev *d = container_of(w, struct dev, w); d->n++; }
static int op(struct inode *i, struct file *f)
{
	if (busy)
		return -EBUSY;
	busy = 1;
	f->private_data = &one;
	INIT_WORK(&one.w, h);
	schedule_work(&one.w);
	return 0;
}
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { struct dev *d = f->private_data; return d->n--; }
static const struct file_operations fo = { .open = op, .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`},
}

// handlerPair runs bmc on a pair of a driver.
func handlerPair(t *testing.T, src, names string, with ...func(*pipeline.BMCOptions)) *diag.Run {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(handlerHead+src+"module_init(ini);\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := pipeline.BMCOptions{CSB: 2, Unroll: 2, Yields: "mr", Properties: []string{"race"}, Options: pipeline.Options{Jobs: 1, Pairs: []string{names}}}
	for _, f := range with {
		f(&o)
	}
	r, err := pipeline.BMC(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Runs[0]
}

// hasKind tells whether something that is not covered is of a kind.
func hasKind(kind string) func(ir.Assumption) bool {
	return func(a ir.Assumption) bool { return a.Kind == kind }
}

// TestHandlerArguments: a handler gets what it was registered with, wherever that was.
func TestHandlerArguments(t *testing.T) {
	for _, c := range handlerCases {
		t.Run(c.name, func(t *testing.T) {
			if r := handlerPair(t, c.src, "h,rd"); r.Answer != diag.HasBug || r.Reason != "" {
				t.Errorf("%s %s %v", r.Answer, r.Reason, r.Assumptions)
			}
		})
	}
}

// TestHandlerNotSeen: a handler in a work item that is copied is called with what is not
// known: that is no proof.
func TestHandlerNotSeen(t *testing.T) {
	r := handlerPair(t, `static struct dev g;
static void h(struct work_struct *w) { struct dev *d = container_of(w, struct dev, w); d->n++; }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { schedule_work(&g.w); return g.n--; }
static const struct file_operations fo = { .read = rd };
static int __init ini(void) { struct work_struct w = { .func = h }; g.w = w; return register_chrdev(240, "x", &fo); }
`, "h,rd")
	if r.Answer == diag.NoBug || !slices.ContainsFunc(r.Assumptions, hasKind("registered")) {
		t.Errorf("%s %v", r.Answer, r.Assumptions)
	}
}

// TestHandlerNeverStarts: a timer that nothing but itself starts does not run, and the
// report says so.
func TestHandlerNeverStarts(t *testing.T) {
	r := handlerPair(t, `static struct dev g;
static void h(struct timer_list *t) { struct dev *d = from_timer(d, t, t); d->n++; mod_timer(t, 5); }
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p) { return g.n--; }
static const struct file_operations fo = { .read = rd };
static int __init ini(void) { timer_setup(&g.t, h, 0); return register_chrdev(240, "x", &fo); }
`, "h,rd")
	if r.Answer != diag.Partial || !slices.ContainsFunc(r.Assumptions, hasKind("registered")) {
		t.Errorf("%s %v", r.Answer, r.Assumptions)
	}
}

// TestFilesApart: release has another file than what runs beside it.
func TestFilesApart(t *testing.T) {
	const src = `static int op(struct inode *i, struct file *f)
{
	int *n = kzalloc(sizeof *n, GFP_KERNEL);
	f->private_data = n;
	return n ? 0 : -ENOMEM;
}
static int rl(struct inode *i, struct file *f) { int *n = f->private_data; *n = 0; return 0; }
static ssize_t rd(struct file *f, char __user *u, size_t s, loff_t *p) { int *n = f->private_data; ++*n; return 0; }
static const struct file_operations fo = { .open = op, .release = rl, .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`
	for pair, want := range map[string]diag.Answer{"rl,rd": diag.NoBug, "rl,rl": diag.NoBug, "rd,rd": diag.HasBug, "op,rd": diag.NoBug} {
		if r := handlerPair(t, src, pair); r.Answer != want {
			t.Errorf("%s: %s, want %s %s %v", pair, r.Answer, want, r.Reason, r.Assumptions)
		}
	}
}

// TestHandlersListed: handlers that a file names, and that code registers which no entry
// runs, are called for one device.
func TestHandlersListed(t *testing.T) {
	dir := t.TempDir()
	path, entries := filepath.Join(dir, "p.c"), filepath.Join(dir, "ep.yaml")
	for name, text := range map[string]string{entries: pairEntries, path: handlerHead + `static struct dev *d;
static void f(struct work_struct *w) { struct dev *d = container_of(w, struct dev, w); d->n++; }
static void g(struct timer_list *t) { struct dev *d = from_timer(d, t, t); d->n--; }
static int __init ini(void)
{
	d = kzalloc(sizeof *d, GFP_KERNEL);
	if (!d)
		return -1;
	INIT_WORK(&d->w, f);
	timer_setup(&d->t, g, 0);
	return 0;
}
module_init(ini);
`} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{CSB: 2, Unroll: 2, Yields: "mr", Properties: []string{"race"},
		Options: pipeline.Options{Jobs: 1, EntryPoints: entries, Pairs: []string{"f,g"}}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Answer() != diag.HasBug {
		t.Errorf("%s %v", r.Answer(), r.Runs[0].Assumptions)
	}
}
