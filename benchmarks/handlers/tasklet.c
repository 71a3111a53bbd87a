/* Two tasklets: one gets the number that tasklet_init was given, the other is in the struct.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct dev {
	spinlock_t lock;
	int n;
	struct tasklet_struct up, down;
};

static struct dev one;

static void go_up(unsigned long data)
{
	struct dev *d = (struct dev *)data;

	spin_lock(&d->lock);
	d->n++; // RACE! if RACY
	spin_unlock(&d->lock);
}

static void go_down(struct tasklet_struct *t)
{
	struct dev *d = from_tasklet(d, t, down);

#ifndef RACY
	spin_lock(&d->lock);
#endif
	d->n--; // RACE! if RACY
#ifndef RACY
	spin_unlock(&d->lock);
#endif
}

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	tasklet_schedule(&one.up);
	tasklet_schedule(&one.down);
	return n;
}

static const struct file_operations fops = { .write = dev_write };

static int __init dev_init(void)
{
	spin_lock_init(&one.lock);
	tasklet_init(&one.up, go_up, (unsigned long)&one);
	tasklet_setup(&one.down, go_down);
	return register_chrdev(240, "dev", &fops);
}
module_init(dev_init)
