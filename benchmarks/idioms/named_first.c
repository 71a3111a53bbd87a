/* A struct begins with an array of bytes, and a helper is given a member behind it. What container_of makes of
 * that is the struct, not something in the bytes.
 *
 * With RACY: it is read without the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct sub {
	int x;
};
struct dev {
	char name[16];
	struct sub sub;
	int count;
};
static DEFINE_MUTEX(lock);
static struct dev *the_dev;

static int count_of(struct sub *s)
{
	struct dev *d = container_of(s, struct dev, sub);

	return d->count; // RACE! if RACY
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	int count;

#ifndef RACY
	mutex_lock(&lock);
#endif
	count = count_of(&the_dev->sub);
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return count;
}

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	the_dev->count++; // RACE! if RACY
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .write = dev_write };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "named", .fops = &fops };

static int __init dev_init(void)
{
	the_dev = kzalloc(sizeof(*the_dev), GFP_KERNEL);
	if (!the_dev)
		return -ENOMEM;
	return misc_register(&misc);
}
static void __exit dev_exit(void)
{
	misc_deregister(&misc);
	kfree(the_dev);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
