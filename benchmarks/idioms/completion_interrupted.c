/* A kernel thread sets up what open uses, and says by a completion that it has.
 *
 * With RACY a signal ends the wait, and a second thread says so as it ends. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/kthread.h>
#include <linux/completion.h>

static DECLARE_COMPLETION(ready);
static DECLARE_COMPLETION(second);
static int rate, level;

static int calibrate(void *data) // RACE! if RACY
{
	rate = 42; // RACE! if RACY
	complete_all(&ready);
	level = 3; // RACE! if RACY
	kthread_complete_and_exit(&second, 0);
}

#ifdef RACY
static int hasty(void *data) // RACE! if RACY
{
	kthread_complete_and_exit(&second, 0);
}
#endif

static int dev_open(struct inode *inode, struct file *file)
{
	long left = wait_for_completion_interruptible_timeout(&ready, 10);

#ifdef RACY
	if (!left)
#else
	if (left <= 0)
#endif
		return -EAGAIN;
	if (rate > 100) // RACE! if RACY
		return -EBUSY;
	wait_for_completion(&second);
	return level > 9 ? -EBUSY : 0; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .open = dev_open };
static struct miscdevice dev = { .minor = MISC_DYNAMIC_MINOR, .name = "rate", .fops = &fops };

static int __init dev_init(void)
{
	struct task_struct *t = kthread_run(calibrate, NULL, "calibrate");
	int err;

#ifdef RACY
	kthread_run(hasty, NULL, "hasty");
#endif
	if (IS_ERR(t))
		return PTR_ERR(t); // RACE! if RACY
	err = misc_register(&dev);
	if (err)
		wait_for_completion(&second);
	return err; // RACE! if RACY
}

static void __exit dev_exit(void)
{
	misc_deregister(&dev);
	wait_for_completion(&second);
} // RACE! if RACY

module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
