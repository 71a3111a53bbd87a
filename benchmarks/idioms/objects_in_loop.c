/* Objects that a loop registers are taken back one by one: what is taken back first says
 * nothing of the others. A pointer in which one object is kept names this object.
 *
 * With RACY: the loop registers both ports, and one is taken back before the variable is
 * written. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

struct port {
	int number;
	struct miscdevice misc;
};

static int level;

static ssize_t port_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	return level; // RACE! if RACY
}

static const struct file_operations port_fops = { .owner = THIS_MODULE, .read = port_read };

static struct port ports[2] = {
	{ .misc = { .minor = MISC_DYNAMIC_MINOR, .name = "port0", .fops = &port_fops } },
	{ .misc = { .minor = MISC_DYNAMIC_MINOR, .name = "port1", .fops = &port_fops } },
};
static struct port *first = &ports[0];

static int port_add(struct port *p)
{
	return misc_register(&p->misc);
}

static int __init ports_init(void)
{
#ifdef RACY
	int i, err;

	for (i = 0; i < 2; i++) {
		struct port *p = &ports[i];

		err = port_add(p);
		if (err)
			return err;
	}
	return 0;
#else
	return port_add(first);
#endif
}

static void __exit ports_exit(void)
{
	misc_deregister(&first->misc);
	level = 1; // RACE! if RACY
#ifdef RACY
	misc_deregister(&ports[1].misc);
#endif
}

module_init(ports_init);
module_exit(ports_exit);
MODULE_LICENSE("GPL");
