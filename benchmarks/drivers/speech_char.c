/* A speech synthesizer behind ports: text goes through a buffer that a timer empties, settings are under a mutex, the buffer
 * and the hardware's state under a spinlock.
 *
 * With RACY: A speech synthesizer behind ports: poll and the status call look at the buffer without the lock, the volume is
 * set without it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/delay.h>
#include <linux/io.h>

#define BUF 512
#define PORT 0x25e
#define STATUS_READY 0x10
#define STATUS_FULL 0x20
#define SPK_STATUS 1
#define SPK_VOLUME 2
#define SPK_FLUSH 3
#define SPK_SETTINGS 4
#define SPK_RATE 5

struct settings { u8 volume, rate, pitch, voice; u32 sentences; };
struct status { u32 queued; u32 errors; u8 speaking; };

static DEFINE_MUTEX(settings_lock);
static struct settings current_settings = { 5, 5, 5, 0, 0 };

static DEFINE_SPINLOCK(buf_lock);
static char text[BUF];
static unsigned text_head, text_count;
static u32 errors;
static u8 speaking;
static struct timer_list poll_timer;
static DECLARE_WAIT_QUEUE_HEAD(space);

static int ready(void)
{
	unsigned i;

	for (i = 0; i < 10; i++) {
		if (inb(PORT) & STATUS_READY)
			return 1;
		udelay(10);
	}
	return 0;
}

/* Sends one character; the caller holds buf_lock. */
static int send_char(char c)
{
	if (!ready()) {
		errors++; // NORACE
		return 0;
	}
	outb(c, PORT + 1);
	speaking = 1;
	return 1;
}

/* Empties the buffer as far as the hardware takes it; the caller holds buf_lock. */
static void drain(void)
{
	while (text_count > 0) {
		if (inb(PORT) & STATUS_FULL)
			break;
		if (!send_char(text[text_head]))
			break;
		text_head = (text_head + 1) % BUF;
		text_count--; // RACE! if RACY
	}
	if (text_count == 0)
		speaking = 0;
}

static void poll_tick(struct timer_list *t)
{
	spin_lock(&buf_lock);
	drain();
	if (text_count > 0)
		mod_timer(&poll_timer, jiffies + 2);
	spin_unlock(&buf_lock);
	wake_up_interruptible(&space);
}

static int queue_char(char c)
{
	unsigned long flags;
	int done = 0;

	spin_lock_irqsave(&buf_lock, flags);
	if (text_count < BUF) {
		text[(text_head + text_count) % BUF] = c;
		text_count++; // RACE! if RACY
		done = 1;
	}
	drain();
	if (text_count > 0)
		mod_timer(&poll_timer, jiffies + 2);
	spin_unlock_irqrestore(&buf_lock, flags);
	return done;
}

static ssize_t spk_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	size_t i;
	char c;

	for (i = 0; i < n; i++) {
		if (get_user(c, buf + i))
			return -EFAULT;
		if (c == '.') {
			mutex_lock(&settings_lock);
			current_settings.sentences++; // NORACE
			mutex_unlock(&settings_lock);
		}
		if (!queue_char(c))
			break;
	}
	return i;
}

static unsigned queued(void)
{
#ifndef RACY
	unsigned long flags;
#endif
	unsigned n;

#ifndef RACY
	spin_lock_irqsave(&buf_lock, flags);
#endif
	n = text_count; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&buf_lock, flags);
#endif
	return n;
}

static unsigned spk_poll(struct file *f, poll_table *wait)
{
	poll_wait(f, &space, wait);
	return queued() < BUF ? POLLOUT : 0;
}

static int get_status(unsigned long arg)
{
	struct status s;
	unsigned long flags;

	spin_lock_irqsave(&buf_lock, flags);
	s.errors = errors; // NORACE
	s.speaking = speaking; // NORACE
	spin_unlock_irqrestore(&buf_lock, flags);
	s.queued = queued();
	return copy_to_user((void __user *)arg, &s, sizeof(s)) ? -EFAULT : 0;
}

static int set_volume(unsigned long v)
{
	if (v > 9)
		return -EINVAL;
#ifndef RACY
	mutex_lock(&settings_lock);
#endif
	current_settings.volume = v; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&settings_lock);
#endif
	queue_char(1);
	queue_char('0' + v);
	return queue_char('V') ? 0 : -EAGAIN;
}

static int set_rate(unsigned long v)
{
	if (v > 9)
		return -EINVAL;
	mutex_lock(&settings_lock);
	current_settings.rate = v; // NORACE
	mutex_unlock(&settings_lock);
	queue_char(1);
	queue_char('0' + v);
	return queue_char('S') ? 0 : -EAGAIN;
}

static int get_settings(unsigned long arg)
{
	struct settings s;

	mutex_lock(&settings_lock);
	s.volume = current_settings.volume; // RACE! if RACY
	s.rate = current_settings.rate; // NORACE
	s.pitch = current_settings.pitch; // NORACE
	s.voice = current_settings.voice; // NORACE
	s.sentences = current_settings.sentences; // NORACE
	mutex_unlock(&settings_lock);
	return copy_to_user((void __user *)arg, &s, sizeof(s)) ? -EFAULT : 0;
}

static void flush(void)
{
	unsigned long flags;

	spin_lock_irqsave(&buf_lock, flags);
	text_count = 0; // RACE! if RACY
	text_head = 0; // NORACE
	speaking = 0;
	outb(0x18, PORT + 1);
	spin_unlock_irqrestore(&buf_lock, flags);
	wake_up_interruptible(&space);
}

static long spk_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	switch (cmd) {
	case SPK_STATUS:
		return get_status(arg);
	case SPK_VOLUME:
		return set_volume(arg);
	case SPK_RATE:
		return set_rate(arg);
	case SPK_SETTINGS:
		return get_settings(arg);
	case SPK_FLUSH:
		flush();
		return 0;
	}
	return -ENOTTY;
}

static int spk_open(struct inode *inode, struct file *f)
{
	return iminor(inode) == 10 ? nonseekable_open(inode, f) : -ENODEV;
}

static int spk_release(struct inode *inode, struct file *f)
{
	del_timer_sync(&poll_timer);
	return 0;
}

static const struct file_operations spk_fops = {
	.owner = THIS_MODULE,
	.write = spk_write,
	.poll = spk_poll,
	.unlocked_ioctl = spk_ioctl,
	.open = spk_open,
	.release = spk_release,
};

static int __init spk_init(void)
{
	if (!request_region(PORT, 2, "speech"))
		return -EBUSY;
	timer_setup(&poll_timer, poll_tick, 0);
	if (register_chrdev(241, "speech", &spk_fops) < 0) {
		release_region(PORT, 2);
		return -EBUSY;
	}
	return 0;
}

static void __exit spk_exit(void)
{
	unregister_chrdev(241, "speech");
	del_timer_sync(&poll_timer);
	release_region(PORT, 2);
}

module_init(spk_init)
module_exit(spk_exit)
MODULE_LICENSE("GPL");
