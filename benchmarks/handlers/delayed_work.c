/* Delayed work in a heap object that open finds through a global: it counts what read counts, too.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct dev {
	spinlock_t lock;
	int n;
	struct delayed_work work;
};

static struct dev *the;

static void run(struct work_struct *w)
{
	struct dev *d = container_of(w, struct dev, work.work);

#ifndef RACY
	spin_lock(&d->lock);
#endif
	d->n++; // RACE! if RACY
#ifndef RACY
	spin_unlock(&d->lock);
#endif
}

static int dev_open(struct inode *inode, struct file *file)
{
	file->private_data = the;
	schedule_delayed_work(&the->work, 10);
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct dev *d = file->private_data;
	int old;

	spin_lock(&d->lock);
	old = d->n--; // RACE! if RACY
	spin_unlock(&d->lock);
	return old;
}

static const struct file_operations fops = { .open = dev_open, .read = dev_read };

static int __init dev_init(void)
{
	the = kzalloc(sizeof(*the), GFP_KERNEL);
	if (!the)
		return -ENOMEM;
	spin_lock_init(&the->lock);
	INIT_DELAYED_WORK(&the->work, run);
	return register_chrdev(240, "dev", &fops);
}
module_init(dev_init)
