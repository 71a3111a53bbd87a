/* Objects that are found by number, under the lock under which they are removed.
 *
 * With RACY: objects that are found by number, and used when the lock is released; a new one is set up when others may find
 * it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int value;
};

static DEFINE_IDR(items);
static DEFINE_MUTEX(lock);

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct item *i;
	int value = -ENOENT;

	mutex_lock(&lock);
	i = idr_find(&items, n);
#ifdef RACY
	mutex_unlock(&lock);
#endif
	if (i)
		value = i->value++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return value;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *i = kzalloc(sizeof(*i), GFP_KERNEL);
	int id;

	if (!i)
		return -ENOMEM;
	mutex_lock(&lock);
	id = idr_alloc(&items, i, 0, 0, GFP_KERNEL);
#ifdef RACY
	mutex_unlock(&lock);
#endif
	if (id >= 0)
		i->value = cmd; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return id;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .unlocked_ioctl = dev_ioctl };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "items", .fops = &fops };

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
