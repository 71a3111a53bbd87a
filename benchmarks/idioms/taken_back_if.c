/* What is taken back under a condition: where it does not hold, the object was not made
 * known. A pointer in which it would be kept is null, or the condition that was around the
 * registration is the same.
 *
 * With RACY: the pointer is set to null while the bell is registered, and the flag is
 * cleared after the horn was. */
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct bell_ops {
	int (*ring)(int n);
};

struct bell;

extern struct bell *bell_register(const struct bell_ops *ops);
extern void bell_unregister(struct bell *b);

struct horn {
	int (*blow)(struct horn *h);
};

extern int horn_register(struct horn *h);
extern void horn_unregister(struct horn *h);
extern int is_there(int what);

struct panel {
	struct bell *bell;
	struct horn horn;
	int horned, irq;
	int rung, blown, asked;
};

static struct panel *panel;

static int panel_ring(int n)
{
	return panel->rung; // RACE! if RACY
}

static int panel_blow(struct horn *h)
{
	return panel->blown; // RACE! if RACY
}

static irqreturn_t panel_irq(int irq, void *data)
{
	struct panel *p = data;

	p->asked++;
	return IRQ_HANDLED;
}

static const struct bell_ops bell_ops = { .ring = panel_ring };

static int panel_probe(struct platform_device *pdev)
{
	struct panel *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err;

	if (!p)
		return -ENOMEM;
	panel = p;
	p->horn.blow = panel_blow;
	p->horned = is_there(0);
	p->irq = is_there(1);
	if (p->irq > 0) {
		err = request_irq(p->irq, panel_irq, 0, "panel", p);
		if (err)
			return err;
	}
	if (is_there(2)) {
		p->bell = bell_register(&bell_ops);
		if (IS_ERR(p->bell)) {
			err = PTR_ERR(p->bell);
			p->bell = NULL;
			goto fail;
		}
	}
	if (p->horned) {
		err = horn_register(&p->horn);
		if (err)
			goto fail;
	}
#ifdef RACY
	p->bell = NULL;
	p->horned = 0;
#endif
	return 0;
fail:
	if (p->bell)
		bell_unregister(p->bell);
	if (p->irq > 0)
		free_irq(p->irq, p);
	p->rung = p->asked = 0;
	return err;
}

static int panel_remove(struct platform_device *pdev)
{
	struct panel *p = panel;

	if (p->irq > 0)
		free_irq(p->irq, p);
	if (!IS_ERR_OR_NULL(p->bell))
		bell_unregister(p->bell);
	if (p->horned)
		horn_unregister(&p->horn);
	p->rung = 1; // RACE! if RACY
	p->blown = 1; // RACE! if RACY
	p->asked = 1;
	return 0;
}

static struct platform_driver panel_driver = {
	.probe = panel_probe,
	.remove = panel_remove,
	.driver = { .name = "panel" },
};

module_platform_driver(panel_driver);
MODULE_LICENSE("GPL");
