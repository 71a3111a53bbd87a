/* A queue has a lock of its own, and the counters beside it another one: an operation on
   the queue accesses the queue and nothing beside it. Of queues in an array, it may be any. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct __kfifo {
	unsigned int in, out, mask, esize;
	void *data;
};

extern unsigned int __kfifo_out(struct __kfifo *q, void *buf, unsigned int n);

static struct {
	int opened;
	struct __kfifo queue, more[2];
	spinlock_t lock;
	int calls;
	struct mutex mutex;
} dev;

static ssize_t q_read(struct file *f, char __user *b, size_t n, loff_t *p)
{
	struct __kfifo *q = &dev.queue, *m = dev.more;
	unsigned char c;

	spin_lock(&dev.lock);
	n = __kfifo_out(q, &c, 1); // NORACE
	spin_unlock(&dev.lock);
	return n + __kfifo_out(m + 1, &c, 1); // RACE!
}

static ssize_t q_write(struct file *f, const char __user *b, size_t n, loff_t *p)
{
	int r;

	dev.more[1].in = 0; // RACE!
	mutex_lock(&dev.mutex);
	dev.opened++; // NORACE
	r = dev.calls++; // NORACE
	mutex_unlock(&dev.mutex);
	return r;
}

static const struct file_operations q_fops = {
	.owner = THIS_MODULE,
	.read = q_read,
	.write = q_write,
};

static int __init q_init(void)
{
	mutex_init(&dev.mutex);
	spin_lock_init(&dev.lock);
	return register_chrdev(0, "q", &q_fops);
}

static void __exit q_exit(void)
{
	unregister_chrdev(0, "q");
}

module_init(q_init);
module_exit(q_exit);
MODULE_LICENSE("GPL");
