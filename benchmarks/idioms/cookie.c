/* A subsystem gets the driver's data as void *, to hand it back. It knows nothing of what is
 * in there: calls that reach it by its own object do not write the driver's members.
 *
 * With RACY: the data is passed with its size, and may be written. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct knob {
	const char *name;
	void *data;
};

extern struct knob *knob_alloc(const char *name, void *data);
extern int knob_update(struct knob *k);
extern int knob_copy(struct knob *k, void *data, size_t size);

struct radio {
	struct mutex lock;
	int level, changes;
	struct knob *knob;
};

static struct radio *radio;

static ssize_t radio_read(struct file *f, char __user *b, size_t n, loff_t *p)
{
	int level;

	mutex_lock(&radio->lock);
	level = radio->level; // RACE! if RACY
	mutex_unlock(&radio->lock);
	return level;
}

static ssize_t radio_write(struct file *f, const char __user *b, size_t n, loff_t *p)
{
	mutex_lock(&radio->lock);
	radio->level = n; // RACE! if RACY
	radio->changes++; // RACE! if RACY
	radio->knob->data = radio; // RACE! if RACY
	mutex_unlock(&radio->lock);
#ifdef RACY
	knob_copy(radio->knob, radio, sizeof(*radio)); // RACE! if RACY
#else
	knob_update(radio->knob);
#endif
	return n;
}

static const struct file_operations radio_fops = {
	.owner = THIS_MODULE,
	.read = radio_read,
	.write = radio_write,
};

static int __init radio_init(void)
{
	struct radio *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock);
	r->knob = knob_alloc("radio", r);
	radio = r;
	return register_chrdev(0, "radio", &radio_fops);
}

static void __exit radio_exit(void)
{
	unregister_chrdev(0, "radio");
	kfree(radio);
}

module_init(radio_init);
module_exit(radio_exit);
MODULE_LICENSE("GPL");
