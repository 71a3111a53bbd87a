/* The core leaves the miscdevice in a file that is opened; read finds the device around it, and so does the work item.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct dev {
	struct miscdevice misc;
	struct mutex lock;
	struct work_struct work;
	int level;
};

static void update(struct work_struct *w)
{
	struct dev *d = container_of(w, struct dev, work);

#ifndef RACY
	mutex_lock(&d->lock);
#endif
	d->level++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&d->lock);
#endif
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct dev *d = container_of(file->private_data, struct dev, misc);

	schedule_work(&d->work);
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct dev *d = container_of(file->private_data, struct dev, misc);
	int level;

	mutex_lock(&d->lock);
	level = d->level; // RACE! if RACY
	mutex_unlock(&d->lock);
	return level;
}

static const struct file_operations fops = { .open = dev_open, .read = dev_read };
static struct dev one = { .misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops } };

static int __init dev_init(void)
{
	mutex_init(&one.lock);
	INIT_WORK(&one.work, update);
	return misc_register(&one.misc);
}
module_init(dev_init)
