/* A full-screen terminal behind an adapter: output goes through a screen buffer that the interrupt handler and a timer push
 * to the hardware; input keys arrive by interrupts. One spinlock for the screen, one for the keys.
 *
 * With RACY: A full-screen terminal: the cursor is read without the screen's lock, and one path takes the keys' lock for the
 * screen. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/io.h>

#define ROWS 24
#define COLS 80
#define KEYS 32
#define BASE 0x380
#define TERM_CURSOR 1
#define TERM_CLEAR 2
#define TERM_FLUSHES 3
#define TERM_MODE 4

struct screen {
	spinlock_t lock;
	unsigned char cell[ROWS * COLS];
	unsigned char dirty[ROWS];
	unsigned row, col;
	u32 flushes;
	int mode;
};

struct keyboard {
	spinlock_t lock;
	unsigned char key[KEYS];
	unsigned head, count;
	u32 lost;
};

static struct screen scr;
static struct keyboard kbd;
static struct timer_list flush_timer;
static DECLARE_WAIT_QUEUE_HEAD(keys_wait);

/* Sends one row; the caller holds the screen's lock. */
static void send_row(unsigned row)
{
	unsigned i;

	outb(row, BASE);
	for (i = 0; i < COLS; i++)
		outb(scr.cell[row * COLS + i], BASE + 1);
	scr.dirty[row] = 0; // RACE! if RACY
}

static void flush_screen(void)
{
	unsigned i;

	for (i = 0; i < ROWS; i++)
		if (scr.dirty[i]) // RACE! if RACY
			send_row(i);
	outb(scr.row, BASE + 2); // RACE! if RACY
	outb(scr.col, BASE + 3); // RACE! if RACY
	scr.flushes++; // NORACE
}

static void flush_tick(struct timer_list *t)
{
	spin_lock(&scr.lock);
	flush_screen();
	spin_unlock(&scr.lock);
	mod_timer(&flush_timer, jiffies + HZ / 20);
}

static void push_key(unsigned char k)
{
	if (kbd.count == KEYS) {
		kbd.lost++; // NORACE
		return;
	}
	kbd.key[(kbd.head + kbd.count) % KEYS] = k;
	kbd.count++; // NORACE
}

static irqreturn_t term_irq(int irq, void *arg)
{
	unsigned char status = inb(BASE + 4);

	if (!(status & 3))
		return IRQ_NONE;
	if (status & 1) {
		spin_lock(&kbd.lock);
		push_key(inb(BASE + 5));
		spin_unlock(&kbd.lock);
		wake_up_interruptible(&keys_wait);
	}
	if (status & 2) {
		spin_lock(&scr.lock);
		flush_screen();
		spin_unlock(&scr.lock);
	}
	return IRQ_HANDLED;
}

static void next_row(void)
{
	scr.col = 0; // RACE! if RACY
	if (scr.row + 1 < ROWS) { // RACE! if RACY
		scr.row++; // RACE! if RACY
		return;
	}
	scr.row = 0; // RACE! if RACY
}

/* Puts one character; the caller holds the screen's lock. */
static void put_char_locked(char c)
{
	if (c == '\n') {
		next_row();
		return;
	}
	scr.cell[scr.row * COLS + scr.col] = c; // RACE! if RACY
	scr.dirty[scr.row] = 1; // RACE! if RACY
	if (++scr.col == COLS) // RACE! if RACY
		next_row();
}

static ssize_t term_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	unsigned long flags;
	size_t i;
	char c;

	for (i = 0; i < n; i++) {
		if (get_user(c, buf + i))
			return -EFAULT;
		spin_lock_irqsave(&scr.lock, flags);
		put_char_locked(c);
		spin_unlock_irqrestore(&scr.lock, flags);
	}
	return n;
}

static int pop_key(void)
{
	unsigned long flags;
	int k = -1;

	spin_lock_irqsave(&kbd.lock, flags);
	if (kbd.count > 0) {
		k = kbd.key[kbd.head]; // NORACE
		kbd.head = (kbd.head + 1) % KEYS; // NORACE
		kbd.count--; // NORACE
	}
	spin_unlock_irqrestore(&kbd.lock, flags);
	return k;
}

static ssize_t term_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	size_t i;
	int k;

	for (i = 0; i < n; i++) {
		k = pop_key();
		if (k < 0)
			break;
		if (put_user((char)k, buf + i))
			return -EFAULT;
	}
	return i;
}

static long get_cursor(void)
{
#ifndef RACY
	unsigned long flags;
#endif
	unsigned at;

#ifndef RACY
	spin_lock_irqsave(&scr.lock, flags);
#endif
	at = scr.row * COLS + scr.col; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&scr.lock, flags);
#endif
	return at;
}

static void clear_screen(void)
{
	unsigned long flags;
	unsigned i;

#ifdef RACY
	spin_lock_irqsave(&kbd.lock, flags);
#else
	spin_lock_irqsave(&scr.lock, flags);
#endif
	for (i = 0; i < ROWS; i++)
		scr.dirty[i] = 1; // RACE! if RACY
	scr.row = 0; // RACE! if RACY
	scr.col = 0; // RACE! if RACY
#ifdef RACY
	spin_unlock_irqrestore(&kbd.lock, flags);
#else
	spin_unlock_irqrestore(&scr.lock, flags);
#endif
}

static long term_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	unsigned long flags;
	long r = 0;

	switch (cmd) {
	case TERM_CURSOR:
		return get_cursor();
	case TERM_CLEAR:
		clear_screen();
		return 0;
	case TERM_FLUSHES:
		spin_lock_irqsave(&scr.lock, flags);
		r = scr.flushes; // NORACE
		spin_unlock_irqrestore(&scr.lock, flags);
		return r;
	case TERM_MODE:
		spin_lock_irqsave(&scr.lock, flags);
		scr.mode = arg & 3; // NORACE
		spin_unlock_irqrestore(&scr.lock, flags);
		return 0;
	}
	return -ENOTTY;
}

static const struct file_operations term_fops = {
	.owner = THIS_MODULE,
	.read = term_read,
	.write = term_write,
	.unlocked_ioctl = term_ioctl,
};

static int __init term_init(void)
{
	spin_lock_init(&scr.lock);
	spin_lock_init(&kbd.lock);
	timer_setup(&flush_timer, flush_tick, 0);
	if (request_irq(9, term_irq, 0, "term", &scr))
		return -EBUSY;
	if (register_chrdev(242, "term", &term_fops) < 0) {
		free_irq(9, &scr);
		return -EBUSY;
	}
	mod_timer(&flush_timer, jiffies + HZ / 20);
	return 0;
}

static void __exit term_exit(void)
{
	unregister_chrdev(242, "term");
	del_timer_sync(&flush_timer);
	free_irq(9, &scr);
}

module_init(term_init)
module_exit(term_exit)
MODULE_LICENSE("GPL");
