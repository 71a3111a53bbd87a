/* Contexts of open files that somebody else gets, too: through a variable, and one that all files share. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct context { int reads; };
struct shared { int users; };

static struct context *newest;
static DEFINE_MUTEX(newest_lock);
static struct shared *only;

static int a_open(struct inode *inode, struct file *file)
{
	struct context *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	file->private_data = c;
	mutex_lock(&newest_lock);
	newest = c; // NORACE
	mutex_unlock(&newest_lock);
	return 0;
}

static ssize_t a_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct context *c;

	mutex_lock(&newest_lock);
	c = newest; // NORACE
	mutex_unlock(&newest_lock);
	return c ? c->reads : 0; // RACE!
}

static int a_release(struct inode *inode, struct file *file)
{
	struct context *c = file->private_data;

	c->reads = 1; // RACE!
	return 0;
}

static const struct file_operations a_fops = { .open = a_open, .release = a_release, .read = a_read };

static int b_open(struct inode *inode, struct file *file)
{
	file->private_data = only;
	return 0;
}

static int b_release(struct inode *inode, struct file *file)
{
	struct shared *s = file->private_data;

	s->users--; // RACE!
	return 0;
}

static const struct file_operations b_fops = { .open = b_open, .release = b_release };

static int __init dev_init(void)
{
	only = kzalloc(sizeof(*only), GFP_KERNEL);
	if (!only)
		return -ENOMEM;
	if (register_chrdev(240, "a", &a_fops))
		return -EBUSY;
	return register_chrdev(241, "b", &b_fops);
}
module_init(dev_init)
