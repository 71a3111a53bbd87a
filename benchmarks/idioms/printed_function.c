/* A function of which the name is printed is not called by that. */
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>

int later(int (*fn)(void));

static int count;

static int step(void)
{
	return count++; // RACE! if RACY
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return n;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = 200, .name = "next", .fops = &fops };

static int __init dev_init(void)
{
	step();
	printk("next: %ps\n", step);
#ifdef RACY
	later(step);
#endif
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
	count = 0; // RACE! if RACY
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
