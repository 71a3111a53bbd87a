/* Who unregisters the device may do what open does without its lock afterwards: nobody opens it any more. Module exit may do
 * what all others do, too.
 *
 * With RACY: what open writes is reset before the device is unregistered. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static unsigned opened, length;

static int dev_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	opened = 1; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *at)
{
	mutex_lock(&lock);
	length = 1; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations fops = { .open = dev_open, .read = dev_read };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };

static int __init dev_init(void)
{
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
#ifdef RACY
	opened = 0; // RACE!
#endif
	misc_deregister(&misc);
#ifndef RACY
	opened = 0; // NORACE
#endif
	length = 0; // NORACE
}
module_init(dev_init)
module_exit(dev_exit)
