/* The device is found by the cdev in it when it is opened; ioctl resets what the interrupt counts.
 *
 * With RACY: a lock is not taken. */
#include <linux/module.h>
#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct dev {
	struct cdev cdev;
	spinlock_t lock;
	unsigned count;
};

static struct dev *the;

static irqreturn_t handler(int irq, void *data)
{
	struct dev *d = data;

	spin_lock(&d->lock);
	d->count++; // RACE! if RACY
	spin_unlock(&d->lock);
	return IRQ_HANDLED;
}

static int dev_open(struct inode *inode, struct file *file)
{
	file->private_data = container_of(inode->i_cdev, struct dev, cdev);
	return 0;
}

static long dev_ioctl(struct file *file, unsigned cmd, unsigned long arg)
{
	struct dev *d = file->private_data;

#ifndef RACY
	spin_lock_irq(&d->lock);
#endif
	d->count = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irq(&d->lock);
#endif
	return 0;
}

static const struct file_operations fops = { .open = dev_open, .unlocked_ioctl = dev_ioctl };

static int __init dev_init(void)
{
	the = kzalloc(sizeof(*the), GFP_KERNEL);
	if (!the)
		return -ENOMEM;
	spin_lock_init(&the->lock);
	if (request_irq(3, handler, 0, "dev", the))
		return -EBUSY;
	cdev_init(&the->cdev, &fops);
	return cdev_add(&the->cdev, 0, 1);
}
module_init(dev_init)
