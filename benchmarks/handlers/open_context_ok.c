/* Each open file has a context of its own, which a function allocates and release frees: nobody else has the file then. */
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct context {
	struct mutex lock;
	int reads;
	char last[16];
};

static struct context *new_context(int kind)
{
	struct context *c;

	if (kind < 0)
		return ERR_PTR(-EINVAL);
	c = kzalloc(sizeof(*c), GFP_KERNEL);
	if (!c)
		return ERR_PTR(-ENOMEM);
	mutex_init(&c->lock);
	return c;
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct context *c = new_context(1);

	if (IS_ERR(c))
		return PTR_ERR(c);
	file->private_data = c;
	c->reads = 1; // NORACE
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct context *c = file->private_data;

	c->reads = 0; // NORACE
	kfree(c); // NORACE
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct context *c = file->private_data;

	mutex_lock(&c->lock);
	c->reads++; // NORACE
	c->last[n % 16] = 1; // NORACE
	mutex_unlock(&c->lock);
	return 0;
}

static const struct file_operations fops = { .open = dev_open, .release = dev_release, .read = dev_read };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
