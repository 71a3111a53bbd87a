/* A variable of numbers that an external function gets is the call's own: it keeps no
   address of it. One that it gets with a function is not: the function may run with it. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct timing {
	int setup;
	int rec;
};

extern int ext_compute(struct timing *t, int n);
extern int ext_submit(void (*done)(struct timing *t), struct timing *t);

static void done(struct timing *t)
{
	t->rec = 1; // RACE!
}

static ssize_t tim_read(struct file *f, char __user *b, size_t n, loff_t *p)
{
	struct timing t;

	if (ext_compute(&t, n) < 0)
		return -1;
	if (t.setup > 4) // NORACE
		t.setup = 3; // NORACE
	return t.setup;
}

static ssize_t tim_write(struct file *f, const char __user *b, size_t n, loff_t *p)
{
	struct timing t = { 0, 0 };

	if (ext_submit(done, &t) < 0) // RACE!
		return -1;
	t.rec = 2; // RACE!
	return n;
}

static const struct file_operations tim_fops = {
	.owner = THIS_MODULE,
	.read = tim_read,
	.write = tim_write,
};

static int __init tim_init(void)
{
	return register_chrdev(0, "tim", &tim_fops);
}

static void __exit tim_exit(void)
{
	unregister_chrdev(0, "tim");
}

module_init(tim_init);
module_exit(tim_exit);
MODULE_LICENSE("GPL");
