/* A key is summed up word by word, whatever struct it is. All of it is locked.
 *
 * With RACY: some of it is not locked. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/interrupt.h>

static DEFINE_MUTEX(lock);

struct key {
	u64 id;
};
struct plain {
	u32 n;
};
static struct key the_key;
static struct plain the_plain;

static u32 sum(const void *key)
{
	const u32 *k = key;

	return k[0]; // RACE! if RACY
}

static int dev_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
#ifndef RACY
	mutex_lock(&lock);
#endif
	if (n > 8)
		n = sum(&the_plain);
	else
		n = sum(&the_key);
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return n;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	the_key.id = cmd; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
