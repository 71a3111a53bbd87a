/* Hot keys of a laptop: the handler puts events into a ring and wakes readers, settings go to the firmware in two steps
 * under a mutex, a work item resets the device when the firmware hangs.
 *
 * With RACY: Hot keys of a laptop: the number of openers is changed without the mutex, and the reset empties the ring
 * without its lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#define RING 128
#define PORT1 0x1080
#define PORT2 0x1084
#define KEYS_BRIGHTNESS 1
#define KEYS_BATTERY 2
#define KEYS_BLUETOOTH 3
#define KEYS_STATS 4
#define KEYS_DROP 5

struct hotkeys {
	spinlock_t ring_lock;
	unsigned char ring[RING];
	unsigned head, count;
	u32 lost, seen;
	struct mutex lock;
	int open_count;
	u8 brightness, bluetooth;
	u32 calls, failures;
	wait_queue_head_t wait;
	struct work_struct reset;
	struct input_dev *input;
};

static struct hotkeys hk;

/* Talks to the firmware; the caller holds hk.lock. */
static int call_firmware(u8 cmd, u8 arg)
{
	unsigned i;

	for (i = 0; i < 1000; i++) {
		if (!(inb(PORT2) & 2))
			break;
		udelay(1);
	}
	hk.calls++; // NORACE
	if (i == 1000) {
		hk.failures++; // NORACE
		schedule_work(&hk.reset);
		return -EIO;
	}
	outb(cmd, PORT2);
	outb(arg, PORT1);
	return inb(PORT1);
}

static void push(u8 e)
{
	if (hk.count == RING) { // RACE! if RACY
		hk.lost++; // NORACE
		return;
	}
	hk.ring[(hk.head + hk.count) % RING] = e; // RACE! if RACY
	hk.count++; // RACE! if RACY
	hk.seen++; // NORACE
}

static int pop(u8 *e)
{
	unsigned long flags;
	int got = 0;

	spin_lock_irqsave(&hk.ring_lock, flags);
	if (hk.count > 0) { // RACE! if RACY
		*e = hk.ring[hk.head]; // RACE! if RACY
		hk.head = (hk.head + 1) % RING; // RACE! if RACY
		hk.count--; // RACE! if RACY
		got = 1;
	}
	spin_unlock_irqrestore(&hk.ring_lock, flags);
	return got;
}

static irqreturn_t keys_irq(int irq, void *arg)
{
	u8 e = inb(PORT1);

	if (!e || e == 0xff)
		return IRQ_NONE;
	spin_lock(&hk.ring_lock);
	push(e);
	spin_unlock(&hk.ring_lock);
	wake_up_interruptible(&hk.wait);
	return IRQ_HANDLED;
}

static void keys_reset(struct work_struct *w)
{
	unsigned long flags;

	mutex_lock(&hk.lock);
	outb(0, PORT2);
	outb(1, PORT2);
	hk.failures = 0; // NORACE
	mutex_unlock(&hk.lock);
#ifndef RACY
	spin_lock_irqsave(&hk.ring_lock, flags);
#endif
	hk.head = 0; // RACE! if RACY
	hk.count = 0; // RACE! if RACY
#ifdef RACY
	spin_lock_irqsave(&hk.ring_lock, flags);
#endif
	hk.seen = 0; // NORACE
	spin_unlock_irqrestore(&hk.ring_lock, flags);
}

static ssize_t keys_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	size_t i;
	u8 e;

	for (i = 0; i < n; i++) {
		if (!pop(&e))
			break;
		if (put_user(e, buf + i))
			return -EFAULT;
	}
	if (i == 0 && (f->f_flags & O_NONBLOCK))
		return -EAGAIN;
	return i;
}

static unsigned keys_poll(struct file *f, poll_table *wait)
{
	unsigned long flags;
	unsigned n;

	poll_wait(f, &hk.wait, wait);
	spin_lock_irqsave(&hk.ring_lock, flags);
	n = hk.count; // RACE! if RACY
	spin_unlock_irqrestore(&hk.ring_lock, flags);
	return n ? POLLIN | POLLRDNORM : 0;
}

static long set_brightness(unsigned long v)
{
	int err;

	mutex_lock(&hk.lock);
	err = call_firmware(0x10, v);
	if (err >= 0)
		hk.brightness = v; // NORACE
	mutex_unlock(&hk.lock);
	return err < 0 ? err : 0;
}

static long set_bluetooth(unsigned long on)
{
	int err = 0;

	mutex_lock(&hk.lock);
	if (hk.bluetooth != !!on) { // NORACE
		err = call_firmware(0x20, on);
		if (err >= 0)
			hk.bluetooth = !!on; // NORACE
	}
	mutex_unlock(&hk.lock);
	return err < 0 ? err : 0;
}

static long get_battery(unsigned long arg)
{
	u16 v;

	mutex_lock(&hk.lock);
	v = call_firmware(0x30, 0) & 0xff;
	v |= (call_firmware(0x31, 0) & 0xff) << 8;
	mutex_unlock(&hk.lock);
	return copy_to_user((void __user *)arg, &v, sizeof(v)) ? -EFAULT : 0;
}

static long get_stats(unsigned long arg)
{
	unsigned long flags;
	u32 s[4];

	mutex_lock(&hk.lock);
	s[0] = hk.calls; // NORACE
	s[1] = hk.open_count; // RACE! if RACY
	mutex_unlock(&hk.lock);
	spin_lock_irqsave(&hk.ring_lock, flags);
	s[2] = hk.seen; // NORACE
	s[3] = hk.lost; // NORACE
	spin_unlock_irqrestore(&hk.ring_lock, flags);
	return copy_to_user((void __user *)arg, s, sizeof(s)) ? -EFAULT : 0;
}

static long keys_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	u8 e;

	switch (cmd) {
	case KEYS_BRIGHTNESS:
		return set_brightness(arg);
	case KEYS_BATTERY:
		return get_battery(arg);
	case KEYS_BLUETOOTH:
		return set_bluetooth(arg);
	case KEYS_STATS:
		return get_stats(arg);
	case KEYS_DROP:
		while (pop(&e))
			;
		return 0;
	}
	return -ENOTTY;
}

static int keys_open(struct inode *inode, struct file *f)
{
	u8 e;
	int first;

#ifndef RACY
	mutex_lock(&hk.lock);
#endif
	first = hk.open_count++ == 0; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&hk.lock);
#endif
	while (first && pop(&e))
		;
	return 0;
}

static int keys_release(struct inode *inode, struct file *f)
{
	mutex_lock(&hk.lock);
	hk.open_count--; // RACE! if RACY
	mutex_unlock(&hk.lock);
	return 0;
}

static const struct file_operations keys_fops = {
	.owner = THIS_MODULE,
	.read = keys_read,
	.poll = keys_poll,
	.unlocked_ioctl = keys_ioctl,
	.open = keys_open,
	.release = keys_release,
};

static struct miscdevice keys_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "hotkeys", .fops = &keys_fops };

static int __init keys_init(void)
{
	int err;

	spin_lock_init(&hk.ring_lock);
	mutex_init(&hk.lock);
	init_waitqueue_head(&hk.wait);
	INIT_WORK(&hk.reset, keys_reset);
	err = request_irq(11, keys_irq, IRQF_SHARED, "hotkeys", &hk);
	if (err)
		return err;
	err = misc_register(&keys_misc);
	if (err)
		free_irq(11, &hk);
	return err;
}

static void __exit keys_exit(void)
{
	misc_deregister(&keys_misc);
	free_irq(11, &hk);
	cancel_work_sync(&hk.reset);
}

module_init(keys_init)
module_exit(keys_exit)
MODULE_LICENSE("GPL");
