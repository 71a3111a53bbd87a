/* A function that is called for each child of a device, before the call returns. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/platform_device.h>

int device_for_each_child(struct device *dev, void *data, int (*fn)(struct device *dev, void *data));

static int children;

static int count(struct device *dev, void *data)
{
	children++; // RACE! if RACY
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return children; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = 200, .name = "children", .fops = &fops };

static int dev_probe(struct platform_device *pdev)
{
#ifdef RACY
	int err = misc_register(&misc);

	device_for_each_child(&pdev->dev, NULL, count);
	return err;
#else
	device_for_each_child(&pdev->dev, NULL, count);
	return misc_register(&misc);
#endif
}

static int dev_remove(struct platform_device *pdev)
{
	misc_deregister(&misc);
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "children" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
