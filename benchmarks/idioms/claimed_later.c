/* What a file's function makes known comes after the probe that has registered the file. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/platform_device.h>

struct bridge_ops {
	int (*mode)(int what);
};
struct bridge {
	const struct bridge_ops *ops;
};
int bridge_claim_mode(const struct bridge *b);

static int mode, speed;

static int bridge_mode(int what)
{
	return mode; // RACE! if RACY
}

static const struct bridge_ops ops = { .mode = bridge_mode };
static const struct bridge bridge = { .ops = &ops };

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	bridge_claim_mode(&bridge);
	return mode + speed; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = 200, .name = "bridge", .fops = &fops };

static int dev_probe(struct platform_device *pdev)
{
	mode = 1; // RACE! if RACY
	speed = 2; // RACE! if RACY
#ifdef RACY
	return 0;
#else
	return misc_register(&misc);
#endif
}

static int dev_remove(struct platform_device *pdev)
{
#ifndef RACY
	misc_deregister(&misc);
#endif
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "bridge" } };

static int __init dev_init(void)
{
#ifdef RACY
	misc_register(&misc);
#endif
	return platform_driver_register(&driver);
}

static void __exit dev_exit(void)
{
	platform_driver_unregister(&driver);
#ifdef RACY
	misc_deregister(&misc);
#endif
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
