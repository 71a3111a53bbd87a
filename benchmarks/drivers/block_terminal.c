/* Block-mode terminals on one controller: the host sends whole lines, the terminal answers with the fields that the user
 * changed and the key that ended the input. Each terminal has a spin lock that its file operations, the controller's
 * interrupt handler and the refresh timer share; the controller's commands have a lock of their own.
 *
 * With RACY: Readers wait for that key without the terminal's lock, holding the screen is switched without it, and the
 * interrupt handler counts before it takes it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/jiffies.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/io.h>

#define TERMINALS 4
#define MAJOR 227
#define IRQ 9
#define BASE 0x2e0
#define ROWS 24
#define COLS 80
#define INPUT 256
#define REFRESH (HZ / 5)

#define PORT_SELECT (BASE + 0)
#define PORT_COMMAND (BASE + 1)
#define PORT_DATA (BASE + 2)
#define PORT_STATUS (BASE + 3)
#define PORT_ATTENTION (BASE + 4)

#define COMMAND_WRITE 0x01
#define COMMAND_ERASE_WRITE 0x05
#define COMMAND_READ_MODIFIED 0x06
#define STATUS_READY 0x01
#define STATUS_UNPLUGGED 0x02
#define AID_CLEAR 0x6d
#define AID_ENTER 0x7d

#define UPDATE_ERASE 0x1
#define UPDATE_LINES 0x2
#define UPDATE_STATUS 0x4
#define UPDATE_ALL (UPDATE_ERASE | UPDATE_LINES | UPDATE_STATUS)

#define TERM_GET_AID _IOR('3', 1, int)
#define TERM_ERASE _IO('3', 2)
#define TERM_GET_COUNTS _IOR('3', 3, struct term_counts)
#define TERM_HOLD _IOW('3', 4, int)

struct term_counts {
	u32 interrupts, refreshes, lines, overruns;
};

struct term_line {
	char text[COLS];
	unsigned len;
};

struct terminal {
	spinlock_t lock;
	unsigned index;
	struct term_line line[ROWS];
	unsigned row, shown;	/* where the next line goes; lines on the glass */
	unsigned update;	/* what the glass lacks */
	int plugged, held, closing;
	u8 input[INPUT];
	unsigned filled;
	u8 aid;			/* the key that ended the input, or 0 */
	unsigned users;
	struct term_counts counts;
	wait_queue_head_t wait;
	struct timer_list refresh;
};

static struct terminal *terminals[TERMINALS];
static DEFINE_SPINLOCK(controller);

static void controller_command(unsigned index, u8 command)
{
	outb(index, PORT_SELECT);
	outb(command, PORT_COMMAND);
}

/* Called with the terminal's lock held. */
static void term_send_lines(struct terminal *t)
{
	unsigned i, k;

	spin_lock(&controller);
	controller_command(t->index, t->update & UPDATE_ERASE ? COMMAND_ERASE_WRITE : COMMAND_WRITE);
	for (i = 0; i < t->row && i < ROWS; i++) {
		for (k = 0; k < t->line[i].len; k++)
			outb(t->line[i].text[k], PORT_DATA);
		t->counts.lines++;
	}
	spin_unlock(&controller);
	t->shown = t->row;
}

/* Called with the terminal's lock held. */
static void term_send_status(struct terminal *t)
{
	const char *s = t->held ? "Holding" : "Running"; // RACE! if RACY

	spin_lock(&controller);
	controller_command(t->index, COMMAND_WRITE);
	while (*s)
		outb(*s++, PORT_DATA);
	spin_unlock(&controller);
}

static void term_refresh(struct timer_list *timer) // RACE: that all timers are stopped when the loop is over is not followed
{
	struct terminal *t = from_timer(t, timer, refresh);
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	if (t->plugged && !t->held) { // RACE! if RACY
		if (t->update & (UPDATE_ERASE | UPDATE_LINES))
			term_send_lines(t);
		if (t->update & UPDATE_STATUS)
			term_send_status(t);
		t->update = 0;
		t->counts.refreshes++;
	}
	if (!t->closing)
		mod_timer(&t->refresh, jiffies + REFRESH);
	spin_unlock_irqrestore(&t->lock, flags);
} // RACE: that all timers are stopped when the loop is over is not followed

/* Called with the terminal's lock held: takes the changed fields and the key from the controller. */
static void term_take_input(struct terminal *t)
{
	unsigned n, i;

	spin_lock(&controller);
	controller_command(t->index, COMMAND_READ_MODIFIED);
	t->aid = inb(PORT_ATTENTION); // RACE! if RACY
	n = inb(PORT_DATA);
	for (i = 0; i < n; i++) {
		u8 c = inb(PORT_DATA);

		if (t->filled == INPUT) { // NORACE
			t->counts.overruns++; // NORACE
			continue;
		}
		t->input[t->filled++] = c; // NORACE
	}
	spin_unlock(&controller);
	if (t->aid == AID_CLEAR) {
		t->row = 0;
		t->update = UPDATE_ALL;
	}
}

static void term_attention(struct terminal *t, u8 status)
{
#ifdef RACY
	t->counts.interrupts++; // RACE!
#endif
	spin_lock(&t->lock);
#ifndef RACY
	t->counts.interrupts++; // NORACE
#endif
	t->plugged = !(status & STATUS_UNPLUGGED);
	if (!t->plugged)
		t->update = UPDATE_ALL; // NORACE
	else if (status & STATUS_READY)
		term_take_input(t);
	spin_unlock(&t->lock);
	wake_up_interruptible(&t->wait);
}

static irqreturn_t term_interrupt(int irq, void *arg)
{
	int i, handled = IRQ_NONE;
	u8 status;

	for (i = 0; i < TERMINALS; i++) {
		spin_lock(&controller);
		outb(i, PORT_SELECT);
		status = inb(PORT_STATUS);
		spin_unlock(&controller);
		if (!status)
			continue;
		term_attention(terminals[i], status);
		handled = IRQ_HANDLED;
	}
	return handled;
}

static struct terminal *term_of(struct inode *inode)
{
	return terminals[iminor(inode) % TERMINALS];
}

static int term_open(struct inode *inode, struct file *f)
{
	struct terminal *t = term_of(inode);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&t->lock, flags);
	if (t->users > 0 && (f->f_flags & O_NONBLOCK)) {
		err = -EBUSY;
	} else {
		t->users++; // NORACE
		t->update |= UPDATE_STATUS; // NORACE
	}
	spin_unlock_irqrestore(&t->lock, flags);
	return err;
}

static int term_release(struct inode *inode, struct file *f)
{
	struct terminal *t = term_of(inode);
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	if (--t->users == 0) { // NORACE
		t->filled = 0; // NORACE
		t->aid = 0; // RACE! if RACY
		t->held = 0; // RACE! if RACY
	}
	spin_unlock_irqrestore(&t->lock, flags);
	return 0;
}

static int term_input_ready(struct terminal *t)
{
#ifdef RACY
	return t->aid != 0; // RACE!
#else
	unsigned long flags;
	int ready;

	spin_lock_irqsave(&t->lock, flags);
	ready = t->aid != 0; // NORACE
	spin_unlock_irqrestore(&t->lock, flags);
	return ready;
#endif
}

static ssize_t term_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	struct terminal *t = term_of(f->f_inode);
	u8 copy[INPUT];
	unsigned long flags;
	unsigned i, k;

	if (wait_event_interruptible(t->wait, term_input_ready(t)))
		return -ERESTARTSYS;
	spin_lock_irqsave(&t->lock, flags);
	k = min_t(unsigned, n, t->filled); // NORACE
	for (i = 0; i < k; i++)
		copy[i] = t->input[i]; // NORACE
	for (i = k; i < t->filled; i++)
		t->input[i - k] = t->input[i];
	t->filled -= k; // NORACE
	if (t->filled == 0)
		t->aid = 0; // RACE! if RACY
	spin_unlock_irqrestore(&t->lock, flags);
	return copy_to_user(buf, copy, k) ? -EFAULT : k;
}

/* Called with the terminal's lock held. */
static void term_add_line(struct terminal *t, const char *text, unsigned len)
{
	struct term_line *l;
	unsigned i;

	if (t->row == ROWS) {
		t->row = 0;
		t->update |= UPDATE_ERASE;
	}
	l = &t->line[t->row++];
	for (i = 0; i < len; i++)
		l->text[i] = text[i];
	l->len = len; // NORACE
	t->update |= UPDATE_LINES; // NORACE
}

static ssize_t term_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	struct terminal *t = term_of(f->f_inode);
	char text[COLS];
	unsigned long flags;
	unsigned len = min_t(unsigned, n, COLS);

	if (copy_from_user(text, buf, len))
		return -EFAULT;
	spin_lock_irqsave(&t->lock, flags);
	term_add_line(t, text, len);
	spin_unlock_irqrestore(&t->lock, flags);
	return len;
}

static int term_counts(struct terminal *t, struct term_counts __user *to)
{
	struct term_counts c;
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	c.interrupts = t->counts.interrupts; // RACE! if RACY
	c.refreshes = t->counts.refreshes; // NORACE
	c.lines = t->counts.lines;
	c.overruns = t->counts.overruns; // NORACE
	spin_unlock_irqrestore(&t->lock, flags);
	return copy_to_user(to, &c, sizeof(c)) ? -EFAULT : 0;
}

static void term_erase(struct terminal *t)
{
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	t->row = 0;
	t->update |= UPDATE_ALL; // NORACE
	spin_unlock_irqrestore(&t->lock, flags);
}

static void term_hold(struct terminal *t, int on)
{
	unsigned long flags;

#ifdef RACY
	t->held = on; // RACE!
#endif
	spin_lock_irqsave(&t->lock, flags);
#ifndef RACY
	t->held = on; // NORACE
#endif
	t->update |= UPDATE_STATUS; // NORACE
	spin_unlock_irqrestore(&t->lock, flags);
}

static long term_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	struct terminal *t = term_of(f->f_inode);
	unsigned long flags;
	int aid;

	switch (cmd) {
	case TERM_GET_AID:
		spin_lock_irqsave(&t->lock, flags);
		aid = t->aid; // NORACE
		spin_unlock_irqrestore(&t->lock, flags);
		return put_user(aid, (int __user *)arg);
	case TERM_ERASE:
		term_erase(t);
		return 0;
	case TERM_GET_COUNTS:
		return term_counts(t, (struct term_counts __user *)arg);
	case TERM_HOLD:
		term_hold(t, !!arg);
		return 0;
	}
	return -ENOTTY;
}

static unsigned int term_poll(struct file *f, poll_table *p)
{
	struct terminal *t = term_of(f->f_inode);

	poll_wait(f, &t->wait, p);
	return POLLOUT | (term_input_ready(t) ? POLLIN | POLLRDNORM : 0);
}

static const struct file_operations term_fops = {
	.owner = THIS_MODULE,
	.llseek = no_llseek,
	.open = term_open,
	.release = term_release,
	.read = term_read,
	.write = term_write,
	.poll = term_poll,
	.unlocked_ioctl = term_ioctl,
};

static struct terminal *__init term_alloc(unsigned index)
{
	struct terminal *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return NULL;
	t->index = index;
	t->update = UPDATE_ALL;
	spin_lock_init(&t->lock);
	init_waitqueue_head(&t->wait);
	timer_setup(&t->refresh, term_refresh, 0);
	return t;
}

static void term_stop(struct terminal *t)
{
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	t->closing = 1; // NORACE
	spin_unlock_irqrestore(&t->lock, flags);
	del_timer_sync(&t->refresh);
}

static int __init term_init(void)
{
	int i, err = -ENOMEM;

	for (i = 0; i < TERMINALS; i++) {
		terminals[i] = term_alloc(i);
		if (!terminals[i])
			goto free;
	}
	err = request_irq(IRQ, term_interrupt, 0, "terminals", terminals);
	if (err)
		goto free;
	err = register_chrdev(MAJOR, "terminals", &term_fops);
	if (err < 0)
		goto irq;
	for (i = 0; i < TERMINALS; i++)
		mod_timer(&terminals[i]->refresh, jiffies + REFRESH);
	return 0;
irq:
	free_irq(IRQ, terminals);
free:
	while (--i >= 0)
		kfree(terminals[i]);
	return err;
}

static void __exit term_exit(void)
{
	int i;

	unregister_chrdev(MAJOR, "terminals");
	free_irq(IRQ, terminals);
	for (i = 0; i < TERMINALS; i++) {
		term_stop(terminals[i]);
		kfree(terminals[i]); // NORACE
	}
} // RACE: that all timers are stopped when the loop is over is not followed

module_init(term_init)
module_exit(term_exit)
MODULE_LICENSE("GPL");
