/* A struct is copied, byte by byte, into one of another type. All of it is locked.
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

struct item {
	int uses;
};
struct packed {
	void *data;
	long n;
};
struct open_form {
	struct item *item;
	long n;
};
static struct item the_item;
static struct packed stored;

static int dev_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	stored.data = &the_item;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct open_form f;
	
	mutex_lock(&lock);
	memcpy(&f, &stored, sizeof(f));
	if (!f.item) {
		mutex_unlock(&lock);
		return 0;
	}
#ifdef RACY
	mutex_unlock(&lock);
#endif
	pr_info("%d\n", f.item->uses); // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	the_item.uses++; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
