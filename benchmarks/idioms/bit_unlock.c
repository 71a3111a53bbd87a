/* A bit of a word is a lock: clear_bit_unlock releases it.
 *
 * With RACY: it is released before the access. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/bitops.h>
#include <linux/miscdevice.h>

static unsigned long flags;
static int value;

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	int v;

	if (test_and_set_bit_lock(1, &flags))
		return -EBUSY;
#ifdef RACY
	clear_bit_unlock(1, &flags);
#endif
	v = value++; // RACE! if RACY
#ifndef RACY
	clear_bit_unlock(1, &flags);
#endif
	return v;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };

static int __init dev_init(void)
{
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
