/* probe gives the device its data; the attribute finds it there and resets it under the lock of the interrupt.
 *
 * With RACY: the attribute finds it there and resets it while the interrupt counts. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct chip {
	spinlock_t lock;
	unsigned count;
};

static irqreturn_t chip_irq(int irq, void *data)
{
	struct chip *c = data;

	spin_lock(&c->lock);
	c->count++; // RACE! if RACY
	spin_unlock(&c->lock);
	return IRQ_HANDLED;
}

static ssize_t count_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct chip *c = dev_get_drvdata(dev);

#ifndef RACY
	spin_lock_irq(&c->lock);
#endif
	c->count = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irq(&c->lock);
#endif
	return n;
}
static DEVICE_ATTR(count, 0200, NULL, count_store);

static int chip_probe(struct platform_device *pdev)
{
	struct chip *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->lock);
	platform_set_drvdata(pdev, c);
	if (request_irq(3, chip_irq, 0, "chip", c))
		return -EBUSY;
	return device_create_file(&pdev->dev, &dev_attr_count);
}

static int chip_remove(struct platform_device *pdev)
{
	struct chip *c = platform_get_drvdata(pdev);

	device_remove_file(&pdev->dev, &dev_attr_count);
	free_irq(3, c);
	return 0;
}

static struct platform_driver chip_driver = { .probe = chip_probe, .remove = chip_remove, .driver = { .name = "chip" } };

static int __init chip_init(void) { return platform_driver_register(&chip_driver); }
static void __exit chip_exit(void) { platform_driver_unregister(&chip_driver); }
module_init(chip_init)
module_exit(chip_exit)
