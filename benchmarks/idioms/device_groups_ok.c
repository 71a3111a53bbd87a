/* Attributes that the driver core adds after probe, and takes away before remove. */
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

	return d->value; // NORACE
}
static DEVICE_ATTR_RO(value);

static struct attribute *dev_attrs[] = { &dev_attr_value.attr, NULL };
ATTRIBUTE_GROUPS(dev);

static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	platform_set_drvdata(pdev, d);
	d->value = 1; // NORACE
	return 0;
}

static int dev_remove(struct platform_device *pdev)
{
	struct dev *d = platform_get_drvdata(pdev);

	d->value = 0; // NORACE
	kfree(d); // NORACE
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev", .dev_groups = dev_groups } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
