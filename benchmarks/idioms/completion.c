/* A kernel thread sets up what open uses, and says by a completion that it has.
 *
 * With RACY: it says so before it is done. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/delay.h>

static DECLARE_COMPLETION(ready);
static int rate;
static struct task_struct *thread;

static int calibrate(void *data)
{
#ifdef RACY
	complete_all(&ready);
#endif
	rate = 42; // RACE! if RACY
#ifndef RACY
	complete_all(&ready);
#endif
	while (!kthread_should_stop())
		msleep(10);
	return 0;
}

static int dev_open(struct inode *inode, struct file *file)
{
	wait_for_completion(&ready);
	return rate > 100 ? -EBUSY : 0; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .open = dev_open };
static struct miscdevice dev = { .minor = MISC_DYNAMIC_MINOR, .name = "rate", .fops = &fops };

static int __init dev_init(void)
{
	int err;

	thread = kthread_run(calibrate, NULL, "calibrate");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	err = misc_register(&dev);
	if (err)
		kthread_stop(thread);
	return err;
}

static void __exit dev_exit(void)
{
	misc_deregister(&dev);
	kthread_stop(thread);
}

module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
