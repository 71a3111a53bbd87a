/* Drivers of a bus that no model knows: the core serialises probe and remove, and nothing runs before probe. */
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/device.h>

struct hive_device {
	int slot;
};
struct hive_driver {
	const char *name;
	int (*probe)(struct hive_device *d);
	void (*remove)(struct hive_device *d);
	int (*poke)(struct hive_device *d);
};
int hive_register_driver(struct hive_driver *d);
void hive_unregister_driver(struct hive_driver *d);

static int slots, pokes;

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return slots; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = 200, .name = "hive", .fops = &fops };

static int dev_probe(struct hive_device *d)
{
#ifdef RACY
	int err = misc_register(&misc);

	slots++; // RACE! if RACY
	return err;
#else
	slots++; // NORACE
	return misc_register(&misc);
#endif
}

static int dev_poke(struct hive_device *d)
{
#ifdef RACY
	pokes++; // RACE! if RACY
#endif
	return 0;
}

static void dev_remove(struct hive_device *d)
{
	misc_deregister(&misc);
}

static struct hive_driver driver = { .name = "dev", .probe = dev_probe, .remove = dev_remove, .poke = dev_poke };

static int __init dev_init(void)
{
	return hive_register_driver(&driver);
}

static void __exit dev_exit(void)
{
	hive_unregister_driver(&driver);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
