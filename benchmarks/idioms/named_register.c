/* A subsystem that no model knows: the functions in an object that is registered with it run
 * from widget_register_device on, until widget_unregister_device has returned. The timer that
 * they start is stopped after that.
 *
 * With RACY: the object is registered before it is set up, the timer is stopped before the
 * object is unregistered, and one of two objects stays registered. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct widget {
	const char *name;
	int (*start)(struct widget *w, int level);
	int (*level)(struct widget *w);
	void *priv;
};

extern struct widget *widget_allocate_device(void);
extern int widget_register_device(struct widget *w);
extern void widget_unregister_device(struct widget *w);

struct gadget_ops {
	int (*poke)(int n);
};

extern int gadget_add_ops(const struct gadget_ops *ops, int n);
extern void gadget_remove_ops(const struct gadget_ops *ops);

struct lamp {
	struct widget *w;
	struct mutex lock;
	struct timer_list fade;
	int level, step;
};

static int pokes;

static int lamp_poke(int n)
{
	return pokes; // RACE! if RACY
}

static const struct gadget_ops lamp_gadget = { .poke = lamp_poke };

static void lamp_fade(struct timer_list *t)
{
	struct lamp *l = from_timer(l, t, fade);

	if (l->step > 1) // RACE! if RACY
		mod_timer(&l->fade, jiffies + HZ);
}

static int lamp_start(struct widget *w, int level)
{
	struct lamp *l = w->priv;

	mutex_lock(&l->lock);
	l->level = level; // RACE! if RACY
	mod_timer(&l->fade, jiffies + HZ);
	mutex_unlock(&l->lock);
	return 0;
}

static int lamp_level(struct widget *w)
{
	struct lamp *l = w->priv;
	int level;

	mutex_lock(&l->lock);
	level = l->level; // RACE! if RACY
	mutex_unlock(&l->lock);
	return level;
}

static int lamp_probe(struct platform_device *pdev)
{
	struct lamp *l = kzalloc(sizeof(*l), GFP_KERNEL);
	int err;

	if (!l)
		return -ENOMEM;
	l->w = widget_allocate_device();
	if (!l->w) {
		kfree(l);
		return -ENOMEM;
	}
	mutex_init(&l->lock);
	timer_setup(&l->fade, lamp_fade, 0);
	l->w->start = lamp_start;
	l->w->level = lamp_level;
	l->w->priv = l;
	platform_set_drvdata(pdev, l);
	pokes = 1;
#ifdef RACY
	err = gadget_add_ops(&lamp_gadget, 0);
	if (!err)
		err = gadget_add_ops(&lamp_gadget, 1);
#else
	err = gadget_add_ops(&lamp_gadget, 0);
#endif
	if (err)
		goto fail;
#ifdef RACY
	err = widget_register_device(l->w);
	l->level = 3; // RACE! if RACY
	l->step = 1; // RACE! if RACY
#else
	l->level = 3;
	l->step = 1;
	err = widget_register_device(l->w);
#endif
	if (!err)
		return 0;
	gadget_remove_ops(&lamp_gadget);
fail:
	kfree(l);
	return err;
}

static int lamp_remove(struct platform_device *pdev)
{
	struct lamp *l = platform_get_drvdata(pdev);

	gadget_remove_ops(&lamp_gadget);
	pokes = 0; // RACE! if RACY
#ifdef RACY
	del_timer_sync(&l->fade);
	widget_unregister_device(l->w);
#else
	widget_unregister_device(l->w);
	del_timer_sync(&l->fade);
#endif
	kfree(l); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = lamp_probe,
	.remove = lamp_remove,
	.driver = { .name = "lamp" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
