/* A writer that becomes a reader.
 *
 * With RACY: a writer that becomes a reader, and writes on. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwsem.h>

static DECLARE_RWSEM(sem);
static int value;

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	int v;

	down_read(&sem);
	v = value; // RACE! if RACY
	up_read(&sem);
	return v;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int v;

	down_write(&sem);
	value = cmd; // NORACE
	downgrade_write(&sem);
#ifdef RACY
	v = value++; // RACE!
#else
	v = value; // NORACE
#endif
	up_read(&sem);
	return v;
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
