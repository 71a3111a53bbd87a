/* A struct is taken for one that it has nothing in common with, but its size. All of it is locked.
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

struct words {
	u32 low, high;
};
struct body {
	u64 count;
};
static struct body the_body;

static int dev_open(struct inode *inode, struct file *file)
{
	file->private_data = &the_body;
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct words *w = file->private_data;
	
#ifndef RACY
	mutex_lock(&lock);
#endif
	pr_info("%d\n", w->low); // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	the_body.count++; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
