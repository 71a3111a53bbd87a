/* A USB serial adapter behind the terminal layer: the completion handlers and the terminal share the write buffer and the
 * line state under a spinlock.
 *
 * With RACY: A USB serial adapter: the write completion clears the busy flag without the lock, and the modem lines are read
 * without it. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/tty.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/string.h>

#define BUF 256
#define IN_SIZE 64
#define REQ_LINES 0x22

struct adapter {
	spinlock_t lock;
	struct usb_device *udev;
	struct tty_port port;
	struct urb *in_urb, *out_urb;
	unsigned char in_buf[IN_SIZE];
	unsigned char out_buf[BUF];
	unsigned char queue[BUF];
	unsigned head, count;
	int busy;
	int throttled;
	unsigned lines;
	u32 received, sent, errors;
};

static struct adapter *ad;
static struct tty_driver *ad_tty;

/* Starts the next write; the caller holds the lock. */
static void start_write(struct adapter *a)
{
	unsigned i, n = 0;

	if (a->busy || a->count == 0) // RACE! if RACY
		return;
	while (a->count > 0 && n < BUF) {
		a->out_buf[n++] = a->queue[a->head];
		a->head = (a->head + 1) % BUF;
		a->count--; // NORACE
	}
	a->out_urb->transfer_buffer_length = n;
	a->busy = 1; // RACE! if RACY
	i = usb_submit_urb(a->out_urb, GFP_ATOMIC);
	if (i) {
		a->busy = 0; // RACE! if RACY
		a->errors++; // NORACE
	}
}

static void write_done(struct urb *urb)
{
	struct adapter *a = ad;
	unsigned long flags;

#ifdef RACY
	a->busy = 0; // RACE!
#endif
	spin_lock_irqsave(&a->lock, flags);
#ifndef RACY
	a->busy = 0; // NORACE
#endif
	if (urb->status)
		a->errors++; // NORACE
	else
		a->sent++; // NORACE
	start_write(a);
	spin_unlock_irqrestore(&a->lock, flags);
}

static void read_done(struct urb *urb)
{
	struct adapter *a = ad;
	unsigned long flags;
	unsigned i, n;
	int again;

	if (urb->status)
		return;
	n = urb->actual_length;
	for (i = 0; i < n && i < IN_SIZE; i++)
		tty_insert_flip_char(&a->port, a->in_buf[i], 0);
	tty_flip_buffer_push(&a->port);
	spin_lock_irqsave(&a->lock, flags);
	a->received += n; // NORACE
	again = !a->throttled; // NORACE
	spin_unlock_irqrestore(&a->lock, flags);
	if (again)
		usb_submit_urb(urb, GFP_ATOMIC);
}

static int ad_write(struct tty_struct *tty, const unsigned char *buf, int n)
{
	struct adapter *a = ad;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&a->lock, flags);
	for (i = 0; i < n && a->count < BUF; i++) {
		a->queue[(a->head + a->count) % BUF] = buf[i];
		a->count++; // NORACE
	}
	start_write(a);
	spin_unlock_irqrestore(&a->lock, flags);
	return i;
}

static unsigned int ad_write_room(struct tty_struct *tty)
{
	struct adapter *a = ad;
	unsigned long flags;
	unsigned room;

	spin_lock_irqsave(&a->lock, flags);
	room = BUF - a->count; // NORACE
	spin_unlock_irqrestore(&a->lock, flags);
	return room;
}

static unsigned int ad_chars_in_buffer(struct tty_struct *tty)
{
	struct adapter *a = ad;
	unsigned long flags;
	unsigned n;

	spin_lock_irqsave(&a->lock, flags);
	n = a->count; // NORACE
	spin_unlock_irqrestore(&a->lock, flags);
	return n;
}

static void ad_throttle(struct tty_struct *tty)
{
	struct adapter *a = ad;
	unsigned long flags;

	spin_lock_irqsave(&a->lock, flags);
	a->throttled = 1; // NORACE
	spin_unlock_irqrestore(&a->lock, flags);
}

static void ad_unthrottle(struct tty_struct *tty)
{
	struct adapter *a = ad;
	unsigned long flags;
	int was;

	spin_lock_irqsave(&a->lock, flags);
	was = a->throttled; // NORACE
	a->throttled = 0; // NORACE
	spin_unlock_irqrestore(&a->lock, flags);
	if (was)
		usb_submit_urb(a->in_urb, GFP_KERNEL);
}

static int send_lines(struct adapter *a, unsigned lines)
{
	return usb_control_msg(a->udev, 0, REQ_LINES, 0x21, lines, 0, NULL, 0, 1000);
}

static int ad_tiocmget(struct tty_struct *tty)
{
	struct adapter *a = ad;
#ifndef RACY
	unsigned long flags;
#endif
	unsigned v;

#ifndef RACY
	spin_lock_irqsave(&a->lock, flags);
#endif
	v = a->lines; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&a->lock, flags);
#endif
	return v;
}

static int ad_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct adapter *a = ad;
	unsigned long flags;
	unsigned v;

	spin_lock_irqsave(&a->lock, flags);
	v = (a->lines | set) & ~clear; // NORACE
	a->lines = v; // RACE! if RACY
	spin_unlock_irqrestore(&a->lock, flags);
	return send_lines(a, v);
}

static int ad_open(struct tty_struct *tty, struct file *f)
{
	struct adapter *a = ad;
	unsigned long flags;

	spin_lock_irqsave(&a->lock, flags);
	a->throttled = 0; // NORACE
	a->lines |= TIOCM_DTR | TIOCM_RTS; // RACE! if RACY
	spin_unlock_irqrestore(&a->lock, flags);
	return usb_submit_urb(a->in_urb, GFP_KERNEL);
}

static void ad_close(struct tty_struct *tty, struct file *f)
{
	struct adapter *a = ad;
	unsigned long flags;

	usb_kill_urb(a->in_urb);
	spin_lock_irqsave(&a->lock, flags);
	a->count = 0; // NORACE
	a->lines = 0; // RACE! if RACY
	spin_unlock_irqrestore(&a->lock, flags);
}

static const struct tty_operations ad_ops = {
	.open = ad_open,
	.close = ad_close,
	.write = ad_write,
	.write_room = ad_write_room,
	.chars_in_buffer = ad_chars_in_buffer,
	.throttle = ad_throttle,
	.unthrottle = ad_unthrottle,
	.tiocmget = ad_tiocmget,
	.tiocmset = ad_tiocmset,
};

static int ad_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	int err = -ENOMEM;

	ad = kzalloc(sizeof(*ad), GFP_KERNEL);
	if (!ad)
		return -ENOMEM;
	spin_lock_init(&ad->lock);
	ad->udev = interface_to_usbdev(intf);
	ad->in_urb = usb_alloc_urb(0, GFP_KERNEL);
	ad->out_urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!ad->in_urb || !ad->out_urb)
		goto free;
	usb_fill_bulk_urb(ad->in_urb, ad->udev, 0x81, ad->in_buf, IN_SIZE, read_done, ad);
	usb_fill_bulk_urb(ad->out_urb, ad->udev, 0x02, ad->out_buf, BUF, write_done, ad);
	ad_tty = alloc_tty_driver(1);
	if (!ad_tty)
		goto free;
	tty_set_operations(ad_tty, &ad_ops);
	err = tty_register_driver(ad_tty);
	if (err)
		goto free;
	return 0;
free:
	usb_free_urb(ad->in_urb);
	usb_free_urb(ad->out_urb);
	kfree(ad);
	return err;
}

static void ad_disconnect(struct usb_interface *intf)
{
	tty_unregister_driver(ad_tty);
	usb_kill_urb(ad->in_urb);
	usb_kill_urb(ad->out_urb);
}

static const struct usb_device_id ad_ids[] = { { USB_DEVICE(0x0403, 0x6001) }, { 0 } };

static struct usb_driver ad_driver = {
	.name = "adapter",
	.probe = ad_probe,
	.disconnect = ad_disconnect,
	.id_table = ad_ids,
};

module_usb_driver(ad_driver)
MODULE_LICENSE("GPL");
