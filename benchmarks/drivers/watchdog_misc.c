/* A watchdog: a misc device that one process may open, a timer that feeds the hardware while user space does its part. All
 * state is under one spinlock.
 *
 * With RACY: A watchdog whose timer looks at the deadline without the lock, and whose statistics are outside of it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/watchdog.h>
#include <linux/io.h>
#include <linux/jiffies.h>

#define WDT_CTRL 0x443
#define WDT_FEED 0x444
#define WDT_ON 0x80
#define TICK (HZ / 4)
#define DEFAULT_TIMEOUT 30

struct wdt_state {
	spinlock_t lock;
	struct timer_list timer;
	unsigned long deadline;
	int timeout;
	int running;
	int expect_close;
	unsigned feeds, keepalives;
	unsigned char ctrl;
};

static struct wdt_state wdt;
static unsigned long wdt_open_bit;

static const struct watchdog_info wdt_info = { .options = 0x8180, .firmware_version = 1, .identity = "small wdt" };

static void wdt_feed(void)
{
	outb(0x5a, WDT_FEED);
	outb(0xa5, WDT_FEED);
	wdt.feeds++;
}

static void wdt_ctrl(unsigned char set, unsigned char clear)
{
	wdt.ctrl = (wdt.ctrl | set) & ~clear;
	outb(wdt.ctrl, WDT_CTRL);
}

static void wdt_tick(struct timer_list *t)
{
#ifndef RACY
	spin_lock(&wdt.lock);
#endif
	if (jiffies > wdt.deadline) { // RACE! if RACY
#ifndef RACY
		spin_unlock(&wdt.lock);
#endif
		pr_err("wdt: user space is late\n");
		return;
	}
#ifdef RACY
	spin_lock(&wdt.lock);
#endif
	wdt_feed();
	if (wdt.running)
		mod_timer(&wdt.timer, jiffies + TICK);
	spin_unlock(&wdt.lock);
}

static void wdt_keepalive(void)
{
	unsigned long flags;

	spin_lock_irqsave(&wdt.lock, flags);
	wdt.deadline = jiffies + wdt.timeout * HZ; // RACE! if RACY
#ifdef RACY
	spin_unlock_irqrestore(&wdt.lock, flags);
#endif
	wdt.keepalives++; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&wdt.lock, flags);
#endif
}

static void wdt_start(void)
{
	unsigned long flags;

	spin_lock_irqsave(&wdt.lock, flags);
	wdt.running = 1;
	wdt.deadline = jiffies + wdt.timeout * HZ; // RACE! if RACY
	wdt_ctrl(WDT_ON, 0);
	mod_timer(&wdt.timer, jiffies + TICK);
	spin_unlock_irqrestore(&wdt.lock, flags);
}

static void wdt_stop(void)
{
	unsigned long flags;

	spin_lock_irqsave(&wdt.lock, flags);
	wdt.running = 0;
	wdt_ctrl(0, WDT_ON);
	spin_unlock_irqrestore(&wdt.lock, flags);
	del_timer_sync(&wdt.timer);
}

static int wdt_set_timeout(int t)
{
	unsigned long flags;

	if (t < 1 || t > 3600)
		return -EINVAL;
	spin_lock_irqsave(&wdt.lock, flags);
	wdt.timeout = t; // NORACE
	spin_unlock_irqrestore(&wdt.lock, flags);
	return 0;
}

static int wdt_get_timeout(void)
{
	unsigned long flags;
	int t;

	spin_lock_irqsave(&wdt.lock, flags);
	t = wdt.timeout; // NORACE
	spin_unlock_irqrestore(&wdt.lock, flags);
	return t;
}

static ssize_t wdt_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	unsigned long flags;
	int magic = 0;
	size_t i;
	char c;

	if (!n)
		return 0;
	for (i = 0; i < n; i++) {
		if (get_user(c, buf + i))
			return -EFAULT;
		if (c == 'V')
			magic = 1;
	}
	spin_lock_irqsave(&wdt.lock, flags);
	wdt.expect_close = magic;
	spin_unlock_irqrestore(&wdt.lock, flags);
	wdt_keepalive();
	return n;
}

static long wdt_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	void __user *argp = (void __user *)arg;
	int v, err;

	switch (cmd) {
	case WDIOC_GETSUPPORT:
		return copy_to_user(argp, &wdt_info, sizeof(wdt_info)) ? -EFAULT : 0;
	case WDIOC_KEEPALIVE:
		wdt_keepalive();
		return 0;
	case WDIOC_SETTIMEOUT:
		if (copy_from_user(&v, argp, sizeof(v)))
			return -EFAULT;
		err = wdt_set_timeout(v);
		if (err)
			return err;
		wdt_keepalive();
		v = wdt_get_timeout();
		return copy_to_user(argp, &v, sizeof(v)) ? -EFAULT : 0;
	case WDIOC_GETTIMEOUT:
		v = wdt_get_timeout();
		return copy_to_user(argp, &v, sizeof(v)) ? -EFAULT : 0;
	}
	return -ENOTTY;
}

static int wdt_open(struct inode *inode, struct file *f)
{
	if (test_and_set_bit(0, &wdt_open_bit)) // NORACE
		return -EBUSY;
	wdt_start();
	return nonseekable_open(inode, f);
}

static int wdt_release(struct inode *inode, struct file *f)
{
	unsigned long flags;
	int expected;

	spin_lock_irqsave(&wdt.lock, flags);
	expected = wdt.expect_close;
	wdt.expect_close = 0;
	spin_unlock_irqrestore(&wdt.lock, flags);
	if (expected)
		wdt_stop();
	else
		wdt_keepalive();
	clear_bit(0, &wdt_open_bit); // NORACE
	return 0;
}

static const struct file_operations wdt_fops = {
	.owner = THIS_MODULE,
	.write = wdt_write,
	.unlocked_ioctl = wdt_ioctl,
	.open = wdt_open,
	.release = wdt_release,
};

static struct miscdevice wdt_misc = { .minor = WATCHDOG_MINOR, .name = "watchdog", .fops = &wdt_fops };

static int __init wdt_init(void)
{
	spin_lock_init(&wdt.lock);
	wdt.timeout = DEFAULT_TIMEOUT;
	if (!request_region(WDT_CTRL, 2, "wdt"))
		return -EBUSY;
	timer_setup(&wdt.timer, wdt_tick, 0);
	if (misc_register(&wdt_misc)) {
		release_region(WDT_CTRL, 2);
		return -ENODEV;
	}
	return 0;
}

static void __exit wdt_exit(void)
{
	misc_deregister(&wdt_misc);
	del_timer_sync(&wdt.timer);
	release_region(WDT_CTRL, 2);
}

module_init(wdt_init)
module_exit(wdt_exit)
MODULE_LICENSE("GPL");
