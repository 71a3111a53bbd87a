/* The interrupt handler gets what request_irq was given; read changes the same counter under the lock.
 *
 * With RACY: read changes the same counter without the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct dev {
	spinlock_t lock;
	int n;
};

static struct dev *the;

static irqreturn_t handler(int irq, void *data)
{
	struct dev *d = data;

	spin_lock(&d->lock);
	d->n++; // RACE! if RACY
	spin_unlock(&d->lock);
	return IRQ_HANDLED;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
#ifdef RACY
	return the->n--; // RACE!
#else
	int old;

	spin_lock_irq(&the->lock);
	old = the->n--; // NORACE
	spin_unlock_irq(&the->lock);
	return old;
#endif
}

static const struct file_operations fops = { .read = dev_read };

static int __init dev_init(void)
{
	the = kzalloc(sizeof(*the), GFP_KERNEL);
	if (!the)
		return -ENOMEM;
	spin_lock_init(&the->lock);
	if (request_irq(3, handler, 0, "dev", the))
		return -EBUSY;
	return register_chrdev(240, "dev", &fops);
}
module_init(dev_init)
