/* A USB serial adapter with a terminal line. The completion handlers run in interrupt context and share the line's buffer
 * and state with the terminal's operations under the line's spin lock; the table of lines has a lock of its own.
 *
 * With RACY: The line's spin lock protects its buffer and its state, but whether a write is under way, whether input is
 * throttled, and whether the adapter is gone are set without it in one place each. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/tty.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define LINES 4
#define FIFO 512
#define PACKET 64
#define PIPE_IN 0x81
#define PIPE_OUT 0x02
#define REQ_SET_LINES 0x22
#define REQ_SET_BAUD 0x23
#define STATUS_DSR 0x20
#define STATUS_OVERRUN 0x02
#define TIOCM_DSR 0x100
#define TIOCGCOUNT 0x545d
#define CBAUD 0x100f

struct line_counters {
	u32 received, sent, overruns, failures;
};

struct line {
	spinlock_t lock;
	struct usb_device *udev;
	struct tty_port port;
	struct urb *in, *out;
	u8 in_buf[PACKET], out_buf[PACKET];
	u8 fifo[FIFO];
	unsigned head, fill;
	int writing, reading;	/* a request is under way */
	int throttled, gone;
	unsigned mcr, msr;
	unsigned baud;		/* last one the terminal asked for; termios_rwsem */
	struct line_counters count;
};

static DEFINE_SPINLOCK(table_lock);
static struct line *table[LINES];
static struct tty_driver *line_tty;

static struct line *line_of(struct tty_struct *tty)
{
	struct line *l;

	spin_lock(&table_lock);
	l = table[tty->index]; // NORACE
	spin_unlock(&table_lock);
	return l;
}

/* Called with the line's lock held, and no write under way. A packet starts with its length. */
static void line_send(struct line *l)
{
	unsigned n = 0;

	while (l->fill > 0 && n < PACKET - 1) {
		l->out_buf[++n] = l->fifo[l->head];
		l->head = (l->head + 1) % FIFO;
		l->fill--;
	}
	if (n == 0 || l->gone) // RACE! if RACY
		return;
	l->out_buf[0] = n;
	if (usb_submit_urb(l->out, GFP_ATOMIC) == 0)
		l->writing = n; // RACE! if RACY
	else
		l->count.failures++;
}

/* Called with the line's lock held. */
static void line_listen(struct line *l)
{
	if (l->reading || l->throttled || l->gone) // RACE! if RACY
		return;
	if (usb_submit_urb(l->in, GFP_ATOMIC) == 0)
		l->reading = 1;
	else
		l->count.failures++;
}

static void line_write_done(struct urb *urb)
{
	struct line *l = urb->context;
	unsigned long flags;
#ifdef RACY
	unsigned n;
#endif

#ifdef RACY
	n = l->writing; // RACE!
	l->writing = 0; // RACE!
#endif
	spin_lock_irqsave(&l->lock, flags);
	if (urb->status)
		l->count.failures++; // NORACE
	else
#ifdef RACY
		l->count.sent += n;
#else
		l->count.sent += l->writing;
	l->writing = 0; // NORACE
#endif
	line_send(l);
	spin_unlock_irqrestore(&l->lock, flags);
}

static void line_receive(struct line *l, unsigned n)
{
	unsigned i;

	l->msr = l->in_buf[0] & STATUS_DSR; // NORACE
	if (l->in_buf[1] & STATUS_OVERRUN)
		l->count.overruns++;
	for (i = 2; i < n && i < PACKET; i++)
		tty_insert_flip_char(&l->port, l->in_buf[i], 0);
	if (n > 2) {
		l->count.received += n - 2;
		tty_flip_buffer_push(&l->port);
	}
}

static void line_read_done(struct urb *urb)
{
	struct line *l = urb->context;
	unsigned long flags;

	spin_lock_irqsave(&l->lock, flags);
	l->reading = 0;
	if (urb->status) {
		l->count.failures++; // NORACE
	} else {
		line_receive(l, urb->actual_length);
		line_listen(l);
	}
	spin_unlock_irqrestore(&l->lock, flags);
}

static int line_request(struct line *l, u8 request, u16 value)
{
	return usb_control_msg(l->udev, 0, request, 0x41, value, 0, NULL, 0, 5000);
}

static int line_open(struct tty_struct *tty, struct file *f)
{
	struct line *l = line_of(tty);
	unsigned long flags;

	if (!l)
		return -ENODEV;
	spin_lock_irqsave(&l->lock, flags);
	l->throttled = 0; // RACE! if RACY
	l->mcr = TIOCM_DTR | TIOCM_RTS; // NORACE
	line_listen(l);
	spin_unlock_irqrestore(&l->lock, flags);
	return line_request(l, REQ_SET_LINES, TIOCM_DTR | TIOCM_RTS);
}

static void line_close(struct tty_struct *tty, struct file *f)
{
	struct line *l = line_of(tty);
	unsigned long flags;

	if (!l)
		return;
	spin_lock_irqsave(&l->lock, flags);
	l->throttled = 1; // RACE! if RACY
	l->fill = 0; // NORACE
	l->mcr = 0; // NORACE
	spin_unlock_irqrestore(&l->lock, flags);
	line_request(l, REQ_SET_LINES, 0);
}

static int line_write(struct tty_struct *tty, const unsigned char *buf, int n)
{
	struct line *l = line_of(tty);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&l->lock, flags);
	for (i = 0; i < n && l->fill < FIFO; i++) {
		l->fifo[(l->head + l->fill) % FIFO] = buf[i];
		l->fill++;
	}
	if (!l->writing) // RACE! if RACY
		line_send(l);
	spin_unlock_irqrestore(&l->lock, flags);
	return i;
}

static unsigned int line_write_room(struct tty_struct *tty)
{
	struct line *l = line_of(tty);
	unsigned long flags;
	unsigned room;

	spin_lock_irqsave(&l->lock, flags);
	room = FIFO - l->fill; // NORACE
	spin_unlock_irqrestore(&l->lock, flags);
	return room;
}

static unsigned int line_chars_in_buffer(struct tty_struct *tty)
{
	struct line *l = line_of(tty);
	unsigned long flags;
	unsigned n;

	spin_lock_irqsave(&l->lock, flags);
	n = l->fill + l->writing; // RACE! if RACY
	spin_unlock_irqrestore(&l->lock, flags);
	return n;
}

static void line_throttle(struct tty_struct *tty)
{
	struct line *l = line_of(tty);
#ifndef RACY
	unsigned long flags;
#endif

#ifndef RACY
	spin_lock_irqsave(&l->lock, flags);
#endif
	l->throttled = 1; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&l->lock, flags);
#endif
}

static void line_unthrottle(struct tty_struct *tty)
{
	struct line *l = line_of(tty);
	unsigned long flags;

	spin_lock_irqsave(&l->lock, flags);
	l->throttled = 0; // RACE! if RACY
	line_listen(l);
	spin_unlock_irqrestore(&l->lock, flags);
}

static void line_set_termios(struct tty_struct *tty, struct ktermios *old)
{
	struct line *l = line_of(tty);
	unsigned baud = tty->termios.c_cflag & CBAUD;

	if (baud == l->baud) // NORACE
		return;
	if (line_request(l, REQ_SET_BAUD, baud) >= 0)
		l->baud = baud; // NORACE
}

static int line_tiocmget(struct tty_struct *tty)
{
	struct line *l = line_of(tty);
	unsigned long flags;
	int v;

	spin_lock_irqsave(&l->lock, flags);
	v = l->mcr | (l->msr ? TIOCM_DSR : 0); // NORACE
	spin_unlock_irqrestore(&l->lock, flags);
	return v;
}

static int line_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct line *l = line_of(tty);
	unsigned long flags;
	unsigned mcr;

	spin_lock_irqsave(&l->lock, flags);
	mcr = (l->mcr | set) & ~clear;
	l->mcr = mcr; // NORACE
	spin_unlock_irqrestore(&l->lock, flags);
	return line_request(l, REQ_SET_LINES, mcr);
}

static int line_ioctl(struct tty_struct *tty, unsigned int cmd, unsigned long arg)
{
	struct line *l = line_of(tty);
	struct line_counters c;
	unsigned long flags;

	if (cmd != TIOCGCOUNT)
		return -ENOIOCTLCMD;
	spin_lock_irqsave(&l->lock, flags);
	c.received = l->count.received; // NORACE
	c.sent = l->count.sent; // NORACE
	c.overruns = l->count.overruns; // NORACE
	c.failures = l->count.failures; // NORACE
	spin_unlock_irqrestore(&l->lock, flags);
	return copy_to_user((void __user *)arg, &c, sizeof(c)) ? -EFAULT : 0;
}

static const struct tty_operations line_ops = {
	.open = line_open,
	.close = line_close,
	.write = line_write,
	.write_room = line_write_room,
	.chars_in_buffer = line_chars_in_buffer,
	.throttle = line_throttle,
	.unthrottle = line_unthrottle,
	.set_termios = line_set_termios,
	.tiocmget = line_tiocmget,
	.tiocmset = line_tiocmset,
	.ioctl = line_ioctl,
};

static int line_add(struct line *l)
{
	int i, err = -ENOSPC;

	spin_lock(&table_lock);
	for (i = 0; i < LINES; i++) {
		if (table[i])
			continue;
		table[i] = l; // NORACE
		err = 0;
		break;
	}
	spin_unlock(&table_lock);
	return err;
}

static void line_remove(struct line *l)
{
	int i;

	spin_lock(&table_lock);
	for (i = 0; i < LINES; i++)
		if (table[i] == l)
			table[i] = NULL;
	spin_unlock(&table_lock);
}

static int line_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct line *l = devm_kzalloc(&intf->dev, sizeof(*l), GFP_KERNEL);
	int err = -ENOMEM;

	if (!l)
		return -ENOMEM;
	spin_lock_init(&l->lock);
	l->udev = interface_to_usbdev(intf);
	l->throttled = 1;
	l->in = usb_alloc_urb(0, GFP_KERNEL);
	l->out = usb_alloc_urb(0, GFP_KERNEL);
	line_tty = alloc_tty_driver(LINES);
	if (!l->in || !l->out || !line_tty)
		goto free;
	usb_fill_bulk_urb(l->in, l->udev, PIPE_IN, l->in_buf, PACKET, line_read_done, l);
	usb_fill_bulk_urb(l->out, l->udev, PIPE_OUT, l->out_buf, PACKET, line_write_done, l);
	usb_set_intfdata(intf, l);
	tty_set_operations(line_tty, &line_ops);
	err = line_add(l);
	if (err)
		goto free;
	err = tty_register_driver(line_tty);
	if (!err)
		return 0;
	line_remove(l);
free:
	put_tty_driver(line_tty);
	usb_free_urb(l->in);
	usb_free_urb(l->out);
	return err;
}

static void line_disconnect(struct usb_interface *intf)
{
	struct line *l = usb_get_intfdata(intf);
#ifndef RACY
	unsigned long flags;
#endif

#ifndef RACY
	spin_lock_irqsave(&l->lock, flags);
#endif
	l->gone = 1; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&l->lock, flags);
#endif
	tty_unregister_driver(line_tty);
	put_tty_driver(line_tty);
	usb_kill_urb(l->in);
	usb_kill_urb(l->out);
	line_remove(l);
	usb_free_urb(l->in);
	usb_free_urb(l->out);
}

static const struct usb_device_id line_ids[] = {
	{ USB_DEVICE(0x1f0e, 0x0051) },
	{ }
};

static struct usb_driver line_driver = {
	.name = "usb_tty",
	.probe = line_probe,
	.disconnect = line_disconnect,
	.id_table = line_ids,
};

module_usb_driver(line_driver)
MODULE_DEVICE_TABLE(usb, line_ids);
MODULE_LICENSE("GPL");
