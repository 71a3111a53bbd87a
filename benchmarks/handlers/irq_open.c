/* open allocates the device of a file and requests its interrupt; what it registers is what the handler gets.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct dev {
	spinlock_t lock;
	int n;
};

static irqreturn_t handler(int irq, void *data)
{
	struct dev *d = data;

#ifndef RACY
	spin_lock(&d->lock);
#endif
	d->n++; // RACE! if RACY
#ifndef RACY
	spin_unlock(&d->lock);
#endif
	return IRQ_HANDLED;
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	spin_lock_init(&d->lock);
	file->private_data = d;
	return request_irq(3, handler, IRQF_SHARED, "dev", d);
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct dev *d = file->private_data;
	int old;

	spin_lock_irq(&d->lock);
	old = d->n--; // RACE! if RACY
	spin_unlock_irq(&d->lock);
	return old;
}

static const struct file_operations fops = { .open = dev_open, .read = dev_read };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
