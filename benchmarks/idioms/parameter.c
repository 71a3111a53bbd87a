/* Parameters of a module: users may write one at any time by sysfs, so that it orders nothing;
 * one that they may only read is the module's own.
 *
 * With RACY: the flag that says that the level is there may be written. */
#include <linux/module.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/moduleparam.h>

static struct task_struct *thread;
static int level;
static int ready;
static int gain = 3;
#ifdef RACY
module_param(ready, int, 0644); // RACE! if RACY
#else
module_param(ready, int, 0444);
#endif
module_param(gain, int, S_IRUGO);

static int calibrate(void *data)
{
	level = 42; // RACE! if RACY
	smp_store_release(&ready, 1); // RACE! if RACY
	while (!kthread_should_stop())
		msleep(10);
	return 0;
}

static ssize_t lamp_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	if (!smp_load_acquire(&ready)) // RACE! if RACY
		return 0;
	return level * gain; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = lamp_read };
static struct miscdevice lamp = { .minor = MISC_DYNAMIC_MINOR, .name = "lamp", .fops = &fops };

static int __init lamp_init(void)
{
	int err;

	thread = kthread_run(calibrate, NULL, "calibrate");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	err = misc_register(&lamp);
	if (err)
		kthread_stop(thread);
	return err;
}

static void __exit lamp_exit(void)
{
	misc_deregister(&lamp);
	kthread_stop(thread);
}

module_init(lamp_init);
module_exit(lamp_exit);
MODULE_LICENSE("GPL");
