/* Two objects of a kind are registered: a function of that kind runs until both are taken
 * back. What registers them returns a truth value, or a pointer.
 *
 * With RACY: one of them is taken back twice, and memory is freed where only one was. */
#include <linux/input.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct horn {
	int (*blow)(struct horn *h);
};

extern bool horn_register(struct horn *h);
extern void horn_unregister(struct horn *h);

struct bell_ops {
	int (*ring)(int n);
};

struct bell;

extern struct bell *bell_register(const struct bell_ops *ops);
extern void bell_unregister(struct bell *b);

struct panel {
	struct input_dev *keys, *wheel;
	struct horn horn;
	struct bell *bell;
	int opened, turned, blown;
};

static struct panel *panel;
static int *rings;

static int keys_open(struct input_dev *in)
{
	return panel->opened; // RACE! if RACY
}

static int wheel_open(struct input_dev *in)
{
	return panel->turned; // RACE! if RACY
}

static int panel_blow(struct horn *h)
{
	return panel->blown; // RACE! if RACY
}

static int panel_ring(int n)
{
	return *rings; // RACE! if RACY
}

static const struct bell_ops bell_ops = { .ring = panel_ring };

static int panel_probe(struct platform_device *pdev)
{
	struct panel *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err = -ENOMEM;

	if (!p)
		return err;
	panel = p;
	platform_set_drvdata(pdev, p);
	rings = kzalloc(sizeof(*rings), GFP_KERNEL);
	if (!rings)
		goto no_rings;
	p->bell = bell_register(&bell_ops);
	if (IS_ERR(p->bell)) {
		err = PTR_ERR(p->bell);
		goto no_bell;
	}
	p->horn.blow = panel_blow;
#ifdef RACY
	if (horn_register(&p->horn))
		p->blown = 1; // RACE!
#else
	p->blown = 1;
	horn_register(&p->horn);
#endif
	p->keys = input_allocate_device();
	p->wheel = input_allocate_device();
	p->keys->open = keys_open;
	p->wheel->open = wheel_open;
	err = input_register_device(p->keys);
	if (err)
		goto no_keys;
	err = input_register_device(p->wheel);
	if (err)
		goto no_wheel;
	return 0;
no_wheel:
	input_unregister_device(p->keys);
no_keys:
	horn_unregister(&p->horn);
	bell_unregister(p->bell);
no_bell:
	kfree(rings);
no_rings:
	kfree(p);
	return err;
}

static int panel_remove(struct platform_device *pdev)
{
	struct panel *p = platform_get_drvdata(pdev);

	input_unregister_device(p->keys);
#ifdef RACY
	input_unregister_device(p->keys);
#else
	input_unregister_device(p->wheel);
#endif
	horn_unregister(&p->horn);
#ifdef RACY
	kfree(rings); // RACE!
	bell_unregister(p->bell);
#else
	bell_unregister(p->bell);
	kfree(rings);
#endif
	kfree(p); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = panel_probe,
	.remove = panel_remove,
	.driver = { .name = "panel" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
