package pipeline

import (
	"strings"
	"testing"

	"whoop/diag"
)

const sessionDriver = `#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/err.h>
struct ctx { int n; char buf[16]; };
GLOBALS
static int op(struct inode *i, struct file *f)
{
	struct ctx *c = kzalloc(sizeof *c, GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	STORE
	return 0;
}
static int rel(struct inode *i, struct file *f)
{
	struct ctx *c = f->private_data;

	c->n = 0;
	RELEASE
	return 0;
}
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	struct ctx *c = f->private_data;

	READ
	return c->n;
}
static const struct file_operations fo = { .open = op, .release = rel, .read = rd };
MORE
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
module_init(ini);
`

// TestSessions: what open stores in a file belongs to that file, where nothing else does;
// and not where something may be in two.
func TestSessions(t *testing.T) {
	for _, c := range []struct {
		name, globals, store, release, read, more string
		racy                                      string // pairs
	}{
		{name: "a context for each file", release: "kfree(c);"},
		{name: "two reads of one file", read: "c->n++;", racy: "rd|rd"},
		{name: "a context that open finds", globals: "static struct ctx *g;", store: "if (!g) g = c; f->private_data = g; return 0;", racy: "op|op rel|rel rel|rd"},
		{name: "one that is stored twice", globals: "static struct file *last;", store: "if (last) last->private_data = c; last = f;", racy: "op|op op|rel op|rd rel|rel rel|rd"},
		{name: "one that read copies", globals: "static struct file *last;", store: "last = f;", read: "f->private_data = last->private_data;", racy: "op|op op|rd rel|rel rel|rd rd|rd"},
		{name: "one that others reach", globals: "static struct ctx *last;", store: "last = c;", read: "c = last;", racy: "op|op op|rd rel|rd"},
		{name: "a context that its maker stores, too", globals: "static struct file *last; static struct ctx *make(struct file *f) { struct ctx *c = kzalloc(sizeof *c, GFP_KERNEL); if (c && f) f->private_data = c; return c; }",
			store: "struct ctx *d = make(last); last = f; f->private_data = d;", racy: "op|op op|rel op|rd rel|rel rel|rd"},
		{name: "a file that is kept", globals: "static struct file *last;", store: "last = f;", read: "last->private_data = NULL;", racy: "op|op op|rd rel|rd rd|rd"},
		{name: "a call that is not understood", read: "c = container_of(NOT_DECLARED(c), struct ctx, n);", racy: "rel|rel"},
		{name: "an open that is not seen", globals: "int simple_open(struct inode *i, struct file *f);", more: "static const struct file_operations go = { .open = simple_open, .release = rel };", racy: "rel|rel rel|rd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(c.store, "f->private_data") {
				c.store = "f->private_data = c; " + c.store
			}
			src := strings.NewReplacer("GLOBALS", c.globals, "STORE", c.store, "RELEASE", c.release, "READ", c.read, "MORE", c.more).Replace(sessionDriver)
			racy := map[string]bool{}
			for _, p := range strings.Fields(c.racy) {
				racy[p] = true
			}
			for k, v := range verdicts(t, src) {
				if racy[k] != (v == diag.Racy) {
					t.Errorf("%s: %s", k, v)
				}
			}
		})
	}
}
