/* Each open file has a timer of its own, which arms itself; release stops it, waits for its handler, and frees the context.
 *
 * With RACY: release stops it, and does not wait for its handler. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct context {
	spinlock_t lock;
	int ticks;
	struct timer_list timer;
};

static void tick(struct timer_list *t)
{
	struct context *c = from_timer(c, t, timer);

	spin_lock(&c->lock);
	c->ticks++; // RACE! if RACY
	spin_unlock(&c->lock);
	mod_timer(&c->timer, jiffies + HZ);
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct context *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->lock);
	timer_setup(&c->timer, tick, 0);
	file->private_data = c;
	mod_timer(&c->timer, jiffies + HZ);
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct context *c = file->private_data;

#ifdef RACY
	del_timer(&c->timer);
#else
	del_timer_sync(&c->timer);
#endif
	c->ticks = 0; // RACE! if RACY
#ifndef RACY
	kfree(c); // NORACE
#endif
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct context *c = file->private_data;
	int k;

	spin_lock_bh(&c->lock);
	k = c->ticks; // NORACE
	spin_unlock_bh(&c->lock);
	return k;
}

static const struct file_operations fops = { .open = dev_open, .release = dev_release, .read = dev_read };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
