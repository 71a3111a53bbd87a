/* A log device: writers append to a ring of bytes, readers take them out. The ring is protected by a mutex, but the
 * ioctl that clears it forgets to take it, and the overflow counter is updated after the mutex is released. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define RING 256
#define LOG_CLEAR 1
#define LOG_LOST 2

struct logdev {
	struct mutex lock;
	char ring[RING];
	unsigned head, fill;
	unsigned lost;
};

static struct logdev *dev;

static int append(struct logdev *d, char c)
{
	if (d->fill == RING) // RACE!
		return 0;
	d->ring[(d->head + d->fill) % RING] = c; // RACE!
	d->fill++; // RACE!
	return 1;
}

static ssize_t log_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	size_t done = 0;

	if (mutex_lock_interruptible(&dev->lock))
		return -ERESTARTSYS;
	while (done < n && dev->fill > 0) { // RACE!
		char c = dev->ring[dev->head];

		if (put_user(c, buf + done)) {
			mutex_unlock(&dev->lock);
			return -EFAULT;
		}
		dev->head = (dev->head + 1) % RING;
		dev->fill--; // RACE!
		done++;
	}
	mutex_unlock(&dev->lock);
	return done;
}

static ssize_t log_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	size_t i, kept = 0;
	char c;

	mutex_lock(&dev->lock);
	for (i = 0; i < n; i++) {
		if (get_user(c, buf + i))
			break;
		kept += append(dev, c);
	}
	mutex_unlock(&dev->lock);
	dev->lost += i - kept; // RACE!
	return i;
}

static long log_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	long r = 0;

	switch (cmd) {
	case LOG_CLEAR:
		dev->fill = 0; // RACE!
		break;
	case LOG_LOST:
		mutex_lock(&dev->lock);
		r = dev->lost; // RACE!
		mutex_unlock(&dev->lock);
		break;
	default:
		r = -ENOTTY;
	}
	return r;
}

static const struct file_operations log_fops = {
	.owner = THIS_MODULE,
	.read = log_read,
	.write = log_write,
	.unlocked_ioctl = log_ioctl,
};

static struct miscdevice log_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "log", .fops = &log_fops };

static int __init log_init(void)
{
	int err;

	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	mutex_init(&dev->lock);
	err = misc_register(&log_misc);
	if (err)
		kfree(dev);
	return err;
}

static void __exit log_exit(void)
{
	misc_deregister(&log_misc);
	kfree(dev);
}

module_init(log_init)
module_exit(log_exit)
MODULE_LICENSE("GPL");
