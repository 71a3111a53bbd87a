/* An ioctl gives a file another context while reads of that file take the old one. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct context { int reads; };

static int dev_open(struct inode *inode, struct file *file)
{
	struct context *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	file->private_data = c; // NORACE
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct context *c = file->private_data; // RACE!

	return c->reads; // NORACE
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct context *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	file->private_data = c; // RACE!
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct context *c = file->private_data;

	kfree(c); // NORACE
	return 0;
}

static const struct file_operations fops = { .open = dev_open, .release = dev_release, .read = dev_read, .unlocked_ioctl = dev_ioctl };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
