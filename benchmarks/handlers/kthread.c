/* A kernel thread gets what kthread_run was given: the object that write changes.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct dev {
	struct mutex lock;
	int n;
};

static struct dev *the;

static int poller(void *data)
{
	struct dev *d = data;

#ifndef RACY
	mutex_lock(&d->lock);
#endif
	d->n++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&d->lock);
#endif
	return 0;
}

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&the->lock);
	the->n = 0; // RACE! if RACY
	mutex_unlock(&the->lock);
	return n;
}

static const struct file_operations fops = { .write = dev_write };

static int __init dev_init(void)
{
	the = kzalloc(sizeof(*the), GFP_KERNEL);
	if (!the)
		return -ENOMEM;
	mutex_init(&the->lock);
	kthread_run(poller, the, "poller");
	return register_chrdev(240, "dev", &fops);
}
module_init(dev_init)
