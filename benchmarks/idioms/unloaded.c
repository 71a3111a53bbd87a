/* A module is unloaded, or fails to load: a timer must not run any more, since its code is
 * gone.
 *
 * With RACY: the timer is deleted, but nobody waits for it; and it is started before the
 * module may fail to load. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static DEFINE_SPINLOCK(lock);
static int ticks;
static void blink(struct timer_list *t);
static DEFINE_TIMER(timer, blink);

static void blink(struct timer_list *t) // RACE! if RACY
{
	spin_lock(&lock);
	ticks++;
	spin_unlock(&lock);
} // RACE! if RACY

static ssize_t lamp_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	int now;

	spin_lock_bh(&lock);
	now = ticks;
	spin_unlock_bh(&lock);
	return now;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = lamp_read };
static struct miscdevice lamp = { .minor = MISC_DYNAMIC_MINOR, .name = "lamp", .fops = &fops };

static int __init lamp_init(void)
{
	int err;

#ifdef RACY
	mod_timer(&timer, jiffies + HZ);
#endif
	err = misc_register(&lamp);
	if (err)
		return err; // RACE! if RACY
#ifndef RACY
	mod_timer(&timer, jiffies + HZ);
#endif
	return 0;
}

static void __exit lamp_exit(void)
{
	misc_deregister(&lamp);
#ifdef RACY
	del_timer(&timer);
#else
	del_timer_sync(&timer);
#endif
} // RACE! if RACY

module_init(lamp_init);
module_exit(lamp_exit);
MODULE_LICENSE("GPL");
