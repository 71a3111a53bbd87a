/* The same attribute is added by the driver itself, in probe, and removed in time. */
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


static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	platform_set_drvdata(pdev, d);
	d->value = 1; // NORACE
	return device_create_file(&pdev->dev, &dev_attr_value);
}

static int dev_remove(struct platform_device *pdev)
{
	struct dev *d = platform_get_drvdata(pdev);

	device_remove_file(&pdev->dev, &dev_attr_value);
	d->value = 0; // NORACE
	kfree(d); // NORACE
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
