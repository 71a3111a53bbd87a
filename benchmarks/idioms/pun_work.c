/* The struct around a work item is taken for another one with the same members. All of it is locked.
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

struct head {
	struct work_struct work;
	int uses;
};
struct body {
	struct work_struct work;
	int uses;
	char name[16];
};
static struct body the_body;

static void step(struct work_struct *work)
{
	struct head *h = container_of(work, struct head, work);

#ifndef RACY
	mutex_lock(&lock);
#endif
	pr_info("%d\n", h->uses); // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
}

static int dev_open(struct inode *inode, struct file *file)
{
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	schedule_work(&the_body.work);
	mutex_unlock(&lock);
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	the_body.uses++; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };

static int __init dev_init(void)
{
	INIT_WORK(&the_body.work, step);
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
	cancel_work_sync(&the_body.work);
}

module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
