/* An interrupt handler and its thread.
 *
 * With RACY: an interrupt handler and its thread, which forgets the lock; the device is gone before they are. */
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct dev {
	spinlock_t lock;
	int pending;
};

static irqreturn_t dev_irq(int irq, void *data)
{
	struct dev *d = data;

	spin_lock(&d->lock);
	d->pending++; // RACE! if RACY
	spin_unlock(&d->lock);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t dev_thread(int irq, void *data)
{
	struct dev *d = data;

#ifndef RACY
	spin_lock_irq(&d->lock);
#endif
	d->pending = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irq(&d->lock);
#endif
	return IRQ_HANDLED;
}

static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	spin_lock_init(&d->lock);
	platform_set_drvdata(pdev, d);
	d->pending = 0; // NORACE
	if (request_threaded_irq(3, dev_irq, dev_thread, 0, "dev", d)) {
		kfree(d); // NORACE
		return -EBUSY;
	}
	return 0;
}

static int dev_remove(struct platform_device *pdev)
{
	struct dev *d = platform_get_drvdata(pdev);

#ifdef RACY
	kfree(d); // RACE!
#endif
	free_irq(3, d);
#ifndef RACY
	kfree(d); // NORACE
#endif
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
