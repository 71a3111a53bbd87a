/* Attributes that the driver core adds after probe, and takes away before remove.
 *
 * With RACY: the same attribute is added by the driver itself, in probe, and removed too late. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct dev {
	int value;
};

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct dev *d = dev_get_drvdata(dev);

	return d->value; // RACE! if RACY
}
static DEVICE_ATTR_RO(value);

#ifndef RACY
static struct attribute *dev_attrs[] = { &dev_attr_value.attr, NULL };
ATTRIBUTE_GROUPS(dev);
#endif

static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	platform_set_drvdata(pdev, d);
#ifdef RACY
	if (device_create_file(&pdev->dev, &dev_attr_value))
		return -EBUSY;
#endif
	d->value = 1; // RACE! if RACY
	return 0;
}

static int dev_remove(struct platform_device *pdev)
{
	struct dev *d = platform_get_drvdata(pdev);

	d->value = 0; // RACE! if RACY
	kfree(d); // RACE! if RACY
#ifdef RACY
	device_remove_file(&pdev->dev, &dev_attr_value);
#endif
	return 0;
}

#ifdef RACY
static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev" } };
#else
static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev", .dev_groups = dev_groups } };
#endif
module_platform_driver(driver);
MODULE_LICENSE("GPL");
