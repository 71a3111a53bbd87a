/* A timer that only open starts, and release stops: when the module ends, no file is open.
 *
 * With RACY: open may fail after it has started the timer, and release is not called then. */
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/timer.h>

extern struct module __this_module;

static unsigned long opened;

static void beat(struct timer_list *t);
static DEFINE_TIMER(timer, beat);

static void beat(struct timer_list *t) // RACE! if RACY
{
	mod_timer(&timer, jiffies + 10);
} // RACE! if RACY

static int dev_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &opened))
		return -EBUSY;
	mod_timer(&timer, jiffies + 10);
#ifdef RACY
	if (file->f_flags)
		return -EIO;
#endif
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	del_timer_sync(&timer);
	clear_bit(0, &opened);
	return 0;
}

static const struct file_operations fops = { .owner = &__this_module, .open = dev_open, .release = dev_release };
static struct miscdevice misc = { .minor = 130, .name = "beat", .fops = &fops };

static int __init dev_init(void)
{
	return misc_register(&misc);
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
} // RACE! if RACY
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
