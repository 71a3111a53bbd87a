/* A device that one process may have open at a time: by a flag under a lock, which open sets and release clears. What open and
 * release do to the device is apart from what the file's calls do, and from other opens.
 *
 * With RACY: release clears the flag before it is done. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int in_use, level;

static int dev_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	if (in_use) {
		mutex_unlock(&lock);
		return -EBUSY;
	}
	in_use = 1;
	mutex_unlock(&lock);
	level = 1; // RACE! if RACY
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
#ifndef RACY
	level = 0; // NORACE
#endif
	mutex_lock(&lock);
	in_use = 0;
	mutex_unlock(&lock);
#ifdef RACY
	level = 0; // RACE!
#endif
	return 0;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return level; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .open = dev_open, .release = dev_release, .read = dev_read };
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
