/* Each file has a counter of its own, which open allocates: two threads that read one file count under a lock.
 *
 * With RACY: each file has a counter of its own, which open allocates: two threads that read one file count without a lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct counter {
	struct mutex lock;
	int reads;
};

static int dev_open(struct inode *inode, struct file *file)
{
	struct counter *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	mutex_init(&c->lock);
	c->reads = 1; // NORACE
	file->private_data = c;
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct counter *c = file->private_data;

	c->reads = 0; // NORACE
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct counter *c = file->private_data;

#ifndef RACY
	mutex_lock(&c->lock);
#endif
	c->reads++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&c->lock);
#endif
	return 0;
}

static const struct file_operations fops = { .open = dev_open, .release = dev_release, .read = dev_read };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
