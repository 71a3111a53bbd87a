package pipeline

import (
	"strings"
	"testing"

	"whoop/diag"
)

const shutdownDriver = `#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/timer.h>
struct ctx { spinlock_t l; int n, irq; struct timer_list t, other; };
static void tick(struct timer_list *t)
{
	struct ctx *c = from_timer(c, t, t);

	spin_lock(&c->l);
	c->n++;
	spin_unlock(&c->l);
}
HELPER
static irqreturn_t isr(int irq, void *data)
{
	struct ctx *c = data;

	IRQ
	mod_timer(&c->t, jiffies + HZ);
	return IRQ_HANDLED;
}
static int pr(struct platform_device *d)
{
	struct ctx *c = kzalloc(sizeof *c, GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->l);
	SETUP
	c->irq = platform_get_irq(d, 0);
	if (request_irq(c->irq, isr, 0, "x", c)) {
		kfree(c);
		return -EBUSY;
	}
	platform_set_drvdata(d, c);
	return 0;
}
static int rm(struct platform_device *d)
{
	struct ctx *c = platform_get_drvdata(d);

	REMOVE
	free_irq(c->irq, c);
	kfree(c);
	return 0;
}
static struct platform_driver drv = { .probe = pr, .remove = rm, .driver = { .name = "x" } };
module_platform_driver(drv);
`

// TestStoppedForGood: a handler that is stopped for good is not started again, unless it
// is set up again.
func TestStoppedForGood(t *testing.T) {
	const setup = "timer_setup(&c->t, tick, 0);"
	for _, c := range []struct {
		name, helper, setup, remove, irq string
		racy                             bool
	}{
		{name: "for good", remove: "timer_shutdown_sync(&c->t);"},
		{name: "the interrupt starts it again", remove: "del_timer_sync(&c->t);", racy: true},
		{name: "the interrupt is over first", remove: "free_irq(c->irq, c); del_timer_sync(&c->t);"},
		{name: "another timer", setup: setup + "timer_setup(&c->other, tick, 0);", remove: "timer_shutdown_sync(&c->other);", racy: true},
		{name: "sometimes", remove: "if (c->n) timer_shutdown_sync(&c->t);", racy: true},
		{name: "not waited for", remove: "timer_shutdown(&c->t);", racy: true},
		{name: "set up again", irq: setup, remove: "timer_shutdown_sync(&c->t);", racy: true},
		{name: "the function is stored again", irq: "c->t.function = tick;", remove: "timer_shutdown_sync(&c->t);", racy: true},
		{name: "set up again by a helper", helper: "static void again(struct ctx *c) { " + setup + " }", irq: "again(c);", remove: "timer_shutdown_sync(&c->t);", racy: true},
		{name: "through a pointer", helper: "static void (*fn)(struct timer_list *) = tick;", irq: "timer_setup(&c->t, fn, 0);", remove: "timer_shutdown_sync(&c->t);", racy: true},
		{name: "probe sets it up by a helper", helper: "static void again(struct ctx *c) { " + setup + " }", setup: "again(c);", remove: "timer_shutdown_sync(&c->t);"},
		{name: "a helper of both", helper: "static void again(struct ctx *c) { " + setup + " }", setup: "again(c);", irq: "again(c);", remove: "timer_shutdown_sync(&c->t);", racy: true},
		{name: "twice", remove: "timer_shutdown_sync(&c->t); timer_shutdown_sync(&c->t);"},
		{name: "set up after", remove: "timer_shutdown_sync(&c->t); " + setup, racy: true},
		{name: "too late", remove: "c->n = 0; timer_shutdown_sync(&c->t);", racy: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.setup == "" {
				c.setup = setup
			}
			text := strings.NewReplacer("HELPER", c.helper, "SETUP", c.setup, "IRQ\n", c.irq+"\n", "REMOVE", c.remove).Replace(shutdownDriver)
			v, found := verdicts(t, text)["tick|rm"]
			if !found || c.racy != (v == diag.Racy) {
				t.Errorf("%s, want a race: %v", v, c.racy)
			}
		})
	}
}
