/* Each open file has a timer of its own, which an ioctl starts. What open writes after the timer is set up, nobody reads
 * yet.
 *
 * With RACY: each open file has a timer of its own, which an ioctl starts before it has said how much there is to count;
 * read does not take the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct context {
	spinlock_t lock;
	int ticks;
	int period;
	struct timer_list timer;
};

static void tick(struct timer_list *t)
{
	struct context *c = from_timer(c, t, timer);

	spin_lock(&c->lock);
	c->ticks += c->period; // RACE! if RACY
	spin_unlock(&c->lock);
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct context *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->lock);
	timer_setup(&c->timer, tick, 0);
	c->period = 1; // NORACE
	file->private_data = c;
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct context *c = file->private_data;

	mod_timer(&c->timer, jiffies + HZ);
#ifdef RACY
	c->period = cmd; // RACE!
#endif
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct context *c = file->private_data;
	int k;

#ifndef RACY
	spin_lock_bh(&c->lock);
#endif
	k = c->ticks; // RACE! if RACY
#ifdef RACY

#else
	spin_unlock_bh(&c->lock);
#endif
	return k;
}

static const struct file_operations fops = { .open = dev_open, .read = dev_read, .unlocked_ioctl = dev_ioctl };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
