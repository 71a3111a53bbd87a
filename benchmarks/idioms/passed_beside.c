/* A variable of the call is passed to an external function beside a handle, by a helper
 * that got its address from its caller, too: nobody else knows it.
 *
 * With RACY: what is passed has links of a list in it, by which others may find it. */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/module.h>

struct channel;

struct sample {
	int raw;
	int scale;
	const char *unit;
};

struct waiter {
	struct list_head list;
	int woken;
};

extern struct channel *ext_channel(void);
extern int ext_read(struct channel *c, int *value);
extern int ext_sample(struct channel *c, struct sample *s);
extern int ext_wait(struct channel *c, struct waiter *w);

static struct channel *channel;

static int scaled(struct channel *c, int *value)
{
	int err = ext_read(c, value);

	if (err < 0)
		return err;
	*value *= 10; // NORACE
	return 0;
}

static ssize_t chan_read(struct file *f, char __user *b, size_t n, loff_t *p)
{
	int value = 0;
	struct sample s;

	if (scaled(channel, &value) < 0)
		return -EIO;
	if (ext_sample(channel, &s) < 0) // NORACE
		return -EIO;
	s.raw += value; // NORACE
	return s.raw; // NORACE
}

static ssize_t chan_write(struct file *f, const char __user *b, size_t n, loff_t *p)
{
#ifdef RACY
	struct waiter w = { .woken = 0 };

	ext_wait(channel, &w); // RACE! if RACY
	w.woken = 1; // RACE! if RACY
#endif
	return n;
}

static const struct file_operations chan_fops = {
	.owner = THIS_MODULE,
	.read = chan_read,
	.write = chan_write,
};

static int __init chan_init(void)
{
	channel = ext_channel();
	return register_chrdev(0, "chan", &chan_fops);
}

static void __exit chan_exit(void)
{
	unregister_chrdev(0, "chan");
}

module_init(chan_init);
module_exit(chan_exit);
MODULE_LICENSE("GPL");
