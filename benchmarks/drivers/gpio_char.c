/* A character device over a bank of GPIO lines: values and directions are shadowed, edges are counted by the interrupt
 * handler. A spinlock protects the shadows, the counters and the event ring; a mutex protects the configuration.
 *
 * With RACY: A character device over a bank of GPIO lines. The edge counters are reset without the spinlock, and the
 * debounce time is written without the mutex. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/io.h>

#define LINES 32
#define EVENTS 64
#define GPIO_DATA 0x00
#define GPIO_DIR 0x04
#define GPIO_PENDING 0x08
#define GPIO_MASK 0x0c
#define GPIO_SET _IOW('G', 1, int)
#define GPIO_CLEAR _IOW('G', 2, int)
#define GPIO_OUTPUT _IOW('G', 3, int)
#define GPIO_INPUT _IOW('G', 4, int)
#define GPIO_EDGES _IOWR('G', 5, int)
#define GPIO_RESET _IO('G', 6)
#define GPIO_DEBOUNCE _IOW('G', 7, int)

struct gpio_event { u32 line; u32 level; };

struct gpio_bank {
	spinlock_t lock;
	struct mutex config;
	void __iomem *regs;
	unsigned irq;
	u32 data, dir, mask;
	u32 edges[LINES];
	struct gpio_event ring[EVENTS];
	unsigned head, count, lost;
	unsigned debounce;
	int users;
	wait_queue_head_t wait;
};

static struct gpio_bank bank;

static void bank_write(struct gpio_bank *b, unsigned reg, u32 v)
{
	writel(v, b->regs + reg);
}

static u32 bank_read(struct gpio_bank *b, unsigned reg)
{
	return readl(b->regs + reg);
}

static void push_event(struct gpio_bank *b, u32 line, u32 level)
{
	struct gpio_event *e;

	if (b->count == EVENTS) {
		b->lost++;
		return;
	}
	e = &b->ring[(b->head + b->count) % EVENTS];
	e->line = line;
	e->level = level;
	b->count++;
}

static irqreturn_t gpio_irq(int irq, void *arg)
{
	struct gpio_bank *b = arg;
	u32 pending, level;
	unsigned i;

	spin_lock(&b->lock);
	pending = bank_read(b, GPIO_PENDING) & b->mask;
	if (!pending) {
		spin_unlock(&b->lock);
		return IRQ_NONE;
	}
	level = bank_read(b, GPIO_DATA);
	for (i = 0; i < LINES; i++) {
		if (!(pending & (1u << i)))
			continue;
		b->edges[i]++; // RACE! if RACY
		push_event(b, i, !!(level & (1u << i)));
	}
	bank_write(b, GPIO_PENDING, pending);
	spin_unlock(&b->lock);
	wake_up_interruptible(&b->wait);
	return IRQ_HANDLED;
}

static void set_line(struct gpio_bank *b, unsigned line, int on)
{
	unsigned long flags;

	spin_lock_irqsave(&b->lock, flags);
	if (on)
		b->data |= 1u << line; // NORACE
	else
		b->data &= ~(1u << line);
	bank_write(b, GPIO_DATA, b->data);
	spin_unlock_irqrestore(&b->lock, flags);
}

static void set_direction(struct gpio_bank *b, unsigned line, int output)
{
	unsigned long flags;

	spin_lock_irqsave(&b->lock, flags);
	if (output) {
		b->dir |= 1u << line;
		b->mask &= ~(1u << line);
	} else {
		b->dir &= ~(1u << line);
		b->mask |= 1u << line;
	}
	bank_write(b, GPIO_DIR, b->dir);
	bank_write(b, GPIO_MASK, b->mask);
	spin_unlock_irqrestore(&b->lock, flags);
}

static void reset_edges(struct gpio_bank *b)
{
#ifndef RACY
	unsigned long flags;
#endif
	unsigned i;

#ifndef RACY
	spin_lock_irqsave(&b->lock, flags);
#endif
	for (i = 0; i < LINES; i++)
		b->edges[i] = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&b->lock, flags);
#endif
}

static int set_debounce(struct gpio_bank *b, unsigned long arg)
{
	unsigned v;

	if (copy_from_user(&v, (void __user *)arg, sizeof(v)))
		return -EFAULT;
#ifndef RACY
	mutex_lock(&b->config);
#endif
	b->debounce = v; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&b->config);
#endif
	return 0;
}

static long edges_of(struct gpio_bank *b, unsigned line)
{
	unsigned long flags;
	u32 n;

	spin_lock_irqsave(&b->lock, flags);
	n = b->edges[line]; // RACE! if RACY
	spin_unlock_irqrestore(&b->lock, flags);
	return n;
}

static long gpio_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	struct gpio_bank *b = &bank;
	unsigned line = arg % LINES;

	switch (cmd) {
	case GPIO_SET:
	case GPIO_CLEAR:
		set_line(b, line, cmd == GPIO_SET);
		return 0;
	case GPIO_OUTPUT:
	case GPIO_INPUT:
		set_direction(b, line, cmd == GPIO_OUTPUT);
		return 0;
	case GPIO_EDGES:
		return edges_of(b, line);
	case GPIO_RESET:
		reset_edges(b);
		return 0;
	case GPIO_DEBOUNCE:
		return set_debounce(b, arg);
	}
	return -ENOTTY;
}

static int pop_event(struct gpio_bank *b, struct gpio_event *e)
{
	unsigned long flags;
	int got = 0;

	spin_lock_irqsave(&b->lock, flags);
	if (b->count > 0) {
		*e = b->ring[b->head];
		b->head = (b->head + 1) % EVENTS;
		b->count--;
		got = 1;
	}
	spin_unlock_irqrestore(&b->lock, flags);
	return got;
}

static ssize_t gpio_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	struct gpio_event e;
	size_t done = 0;

	while (n - done >= sizeof(e)) {
		if (!pop_event(&bank, &e))
			break;
		if (copy_to_user(buf + done, &e, sizeof(e)))
			return -EFAULT;
		done += sizeof(e);
	}
	return done;
}

static ssize_t gpio_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	unsigned wait;
	size_t i;
	char c;

	mutex_lock(&bank.config);
	wait = bank.debounce; // RACE! if RACY
	mutex_unlock(&bank.config);
	for (i = 0; i < n; i++) {
		if (get_user(c, buf + i))
			return -EFAULT;
		set_line(&bank, c & 31, c & 32);
		udelay(wait);
	}
	return n;
}

static int gpio_open(struct inode *inode, struct file *f)
{
	mutex_lock(&bank.config);
	bank.users++;
	mutex_unlock(&bank.config);
	return 0;
}

static int gpio_release(struct inode *inode, struct file *f)
{
	mutex_lock(&bank.config);
	bank.users--;
	mutex_unlock(&bank.config);
	return 0;
}

static const struct file_operations gpio_fops = {
	.owner = THIS_MODULE,
	.read = gpio_read,
	.write = gpio_write,
	.unlocked_ioctl = gpio_ioctl,
	.open = gpio_open,
	.release = gpio_release,
};

static int __init gpio_init(void)
{
	int err;

	spin_lock_init(&bank.lock);
	mutex_init(&bank.config);
	init_waitqueue_head(&bank.wait);
	bank.debounce = 10;
	bank.regs = ioremap(0x40020000, 0x100);
	if (!bank.regs)
		return -ENOMEM;
	err = request_irq(17, gpio_irq, 0, "gpio", &bank);
	if (err)
		goto unmap;
	err = register_chrdev(240, "gpio", &gpio_fops);
	if (err < 0)
		goto irq;
	return 0;
irq:
	free_irq(17, &bank);
unmap:
	iounmap(bank.regs);
	return err;
}

static void __exit gpio_exit(void)
{
	unregister_chrdev(240, "gpio");
	free_irq(17, &bank);
	iounmap(bank.regs);
}

module_init(gpio_init)
module_exit(gpio_exit)
MODULE_LICENSE("GPL");
