/* A call through a pointer that the kernel's object holds, and one through the driver's own table: what they get is accessed
 * under the lock.
 *
 * With RACY: a call through a pointer that the kernel's object holds, and one through the driver's own table: what they get
 * is accessed after the lock is released. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct pipe;
struct pipe_ops {
	int (*send)(struct pipe *p, int *value);
};
struct pipe {
	const struct pipe_ops *ops;
};
struct pipe *pipe_find(int number);

struct backend {
	int (*step)(struct backend *b);
	int steps;
};

static DEFINE_MUTEX(lock);
static int value;

static int soft_step(struct backend *b)
{
	return b->steps++; // RACE! if RACY
}

static struct backend soft = { .step = soft_step };

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct pipe *p = pipe_find(n);
	int err;

	if (!p)
		return -ENODEV;
	mutex_lock(&lock);
#ifdef RACY
	mutex_unlock(&lock);
#endif
	err = p->ops->send(p, &value); // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return err;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct backend *b = &soft;
	int steps;

	mutex_lock(&lock);
	value = cmd; // RACE! if RACY
#ifdef RACY
	mutex_unlock(&lock);
#endif
	steps = b->step(b);
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return steps;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .unlocked_ioctl = dev_ioctl };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };

static int __init dev_init(void)
{
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
