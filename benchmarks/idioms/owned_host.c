/* A function of the kernel that no model describes makes an object with a private part behind
 * it, another one ends both: told by their names. A timer works on the private part.
 *
 * With RACY: the timer is not stopped before the object is freed, neither in remove nor
 * after a failed probe. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/timer.h>

struct oven_host {
	struct device *parent;
	int (*bake)(struct oven_host *host, int level);
	unsigned long private[];
};

extern struct oven_host *oven_alloc_host(unsigned int extra, struct device *dev);
extern void oven_free_host(struct oven_host *host);
extern int oven_add_host(struct oven_host *host);
extern void oven_remove_host(struct oven_host *host);
extern int oven_check(struct device *dev);

struct oven {
	struct oven_host *host;
	struct timer_list bell;
	int minutes;
};

static void *oven_priv(struct oven_host *host)
{
	return (void *)host->private;
}

static void oven_ring(struct timer_list *t)
{
	struct oven *o = from_timer(o, t, bell);

	o->minutes = 0; // RACE! if RACY
}

static int oven_bake(struct oven_host *host, int level)
{
	struct oven *o = oven_priv(host);

	return o->host == host ? level : 0;
}

static int oven_probe(struct platform_device *pdev)
{
	struct oven_host *host = oven_alloc_host(sizeof(struct oven), &pdev->dev);
	struct oven *o;
	int err;

	if (!host)
		return -ENOMEM;
	o = oven_priv(host);
	o->host = host;
	platform_set_drvdata(pdev, o);
	timer_setup(&o->bell, oven_ring, 0);
	host->bake = oven_bake;
	mod_timer(&o->bell, jiffies + HZ);
	err = oven_check(&pdev->dev);
	if (err) {
#ifndef RACY
		del_timer_sync(&o->bell);
#endif
		oven_free_host(host); // RACE! if RACY
		return err;
	}
	err = oven_add_host(host);
	if (err) {
		del_timer_sync(&o->bell);
		oven_free_host(host);
	}
	return err;
}

static int oven_remove(struct platform_device *pdev)
{
	struct oven *o = platform_get_drvdata(pdev);
	struct oven_host *host = o->host;

	oven_remove_host(host);
#ifndef RACY
	del_timer_sync(&o->bell);
#endif
	oven_free_host(host); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = oven_probe,
	.remove = oven_remove,
	.driver = { .name = "oven" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
