/* Pointers are exchanged as numbers, by a function for any kind of memory. All of it is locked.
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
struct slot {
	struct item *item;
};
static struct item one, two;
static struct slot slots[2] = { { &one }, { &two } };
static unsigned long sizes[2];

static void swap_words(void *a, void *b)
{
	unsigned long *x = a, *y = b, t = *x;

	*x = *y;
	*y = t;
}

static int dev_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	swap_words(&slots[0], &slots[1]);
	swap_words(&sizes[0], &sizes[1]);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct item *i;
	
	mutex_lock(&lock);
	i = slots[0].item;
#ifdef RACY
	mutex_unlock(&lock);
#endif
	pr_info("%d\n", i->uses); // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	two.uses++; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
