package pipeline

import (
	"strings"
	"testing"

	"whoop/diag"
)

const timerDriver = `#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
struct ctx { spinlock_t l; int n, stop; struct timer_list tSECOND; struct work_struct w; };
static struct ctx *last;
static void tick(struct timer_list *t)
{
	struct ctx *c = from_timer(c, t, t);

	spin_lock(&c->l);
	c->n++;
	if (!c->stop)
		mod_timer(&c->t, jiffies + HZ);
	spin_unlock(&c->l);
}
static void work(struct work_struct *w)
{
	struct ctx *c = container_of(w, struct ctx, w);

	c->n++;
	WORK
}
static int op(struct inode *i, struct file *f)
{
	struct ctx *c = kzalloc(sizeof *c, GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->l);
	timer_setup(&c->t, tick, 0);
	OPEN
	f->private_data = c;
	mod_timer(&c->t, jiffies + HZ);
	return 0;
}
static int rel(struct inode *i, struct file *f)
{
	struct ctx *c = f->private_data;

	RELEASE
	kfree(c);
	AFTER
	return 0;
}
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	struct ctx *c = f->private_data;

	READ
	return 0;
}
static const struct file_operations fo = { .open = op, .release = rel, .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
module_init(ini);
`

// TestTimersOfFiles: release has stopped the handler of its own file's timer or work item
// where nobody else can start that again; and not otherwise.
func TestTimersOfFiles(t *testing.T) {
	const stop = "del_timer_sync(&c->t);"
	for _, c := range []struct {
		name, open, release, after, read, work string
		handler                                string // "": tick
		racy                                   bool   // the handler and release
	}{
		{name: "stopped", release: stop},
		{name: "not stopped", racy: true},
		{name: "not waited for", release: "del_timer(&c->t);", racy: true},
		{name: "stopped too late", release: "c->n = 0;" + stop, racy: true},
		{name: "started again", release: stop + " mod_timer(&c->t, 1);", racy: true},
		{name: "started again by the file's read", release: stop, read: "mod_timer(&c->t, 1);"},
		{name: "started again by another file's read", open: "last = c;", release: stop, read: "c = last; mod_timer(&c->t, 1);", racy: true},
		{name: "another one stopped", open: "last = c;", release: "del_timer_sync(&last->t);", racy: true},
		{name: "one of two stopped", open: "timer_setup(&c->u, tick, 0); mod_timer(&c->u, 1);", release: "del_timer_sync(&c->u);", racy: true},
		{name: "a work item", open: "INIT_WORK(&c->w, work);", release: stop + " cancel_work_sync(&c->w);", read: "schedule_work(&c->w);", handler: "work"},
		{name: "a work item that arms the timer", open: "INIT_WORK(&c->w, work);", release: stop + " cancel_work_sync(&c->w);", read: "schedule_work(&c->w);", work: "mod_timer(&c->t, 1);", racy: true},
		{name: "a work item that is queued on", open: "INIT_WORK(&c->w, work);", release: stop, read: "schedule_work(&c->w);", handler: "work", racy: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			second := ""
			if strings.Contains(c.open, "&c->u") {
				second = ", u"
			}
			src := strings.NewReplacer("SECOND", second, "OPEN", c.open, "RELEASE", c.release, "AFTER", c.after, "READ", c.read, "WORK", c.work).Replace(timerDriver)
			h := c.handler
			if h == "" {
				h = "tick"
			}
			v, found := verdicts(t, src)[h+"|rel"]
			if !found || c.racy != (v == diag.Racy) {
				t.Errorf("%s, want a race: %v", v, c.racy)
			}
		})
	}
}
