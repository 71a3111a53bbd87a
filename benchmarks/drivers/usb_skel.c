/* A character device for USB measuring instruments, kept in a pool. A mutex serialises the transfers of an instrument with
 * its disconnection; a spin lock protects what the completion handlers change; the pool has a mutex, and a reference count
 * says when an instrument's place in it is free again.
 *
 * With RACY: Transfers wait for each other on flags that they read without the lock, and a disconnected instrument is marked
 * without the mutex. The last reference gives its place back without the pool's mutex, which no open meets: the last
 * reference goes after the instrument's number has, and while the core takes that away it waits for open. (Probing the next
 * instrument meets it: two devices are not followed.) */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define INSTRUMENTS 8
#define MINOR_BASE 192
#define BUFFER 256
#define PIPE_IN 0x82
#define PIPE_OUT 0x01
#define REQ_RANGE 0x31

#define INST_RANGE _IOW('I', 1, int)
#define INST_COUNTS _IOR('I', 2, struct inst_counts)
#define INST_RESET _IO('I', 3)

struct inst_counts {
	u32 packets, bytes, errors;
};

struct instrument {
	struct kref refs;
	int used;		/* pool_lock */

	struct mutex io;
	struct usb_device *udev;
	struct urb *in, *out;
	u8 in_buf[BUFFER], out_buf[BUFFER];
	unsigned copied;	/* how much of the packet was read */
	int gone, range;

	spinlock_t lock;
	int reading, writing;
	unsigned filled;
	int error;		/* of the last transfer that failed, until it is told */
	struct inst_counts counts;
	wait_queue_head_t wait;
};

static DEFINE_MUTEX(pool_lock);
static struct instrument pool[INSTRUMENTS];
static struct usb_driver inst_driver;

static void inst_release_place(struct kref *k)
{
	struct instrument *s = container_of(k, struct instrument, refs);

#ifndef RACY
	mutex_lock(&pool_lock);
#endif
	s->used = 0; // RACE if RACY: usb_deregister_dev waits for open, and the last reference goes after it
#ifndef RACY
	mutex_unlock(&pool_lock);
#endif
}

static struct instrument *inst_of(struct file *f)
{
	return &pool[iminor(f->f_inode) % INSTRUMENTS];
}

static void inst_read_done(struct urb *urb)
{
	struct instrument *s = urb->context;
	unsigned long flags;

	spin_lock_irqsave(&s->lock, flags);
	if (urb->status) {
		s->error = urb->status; // NORACE
		s->counts.errors++; // NORACE
		s->filled = 0; // NORACE
	} else {
		s->filled = min_t(unsigned, urb->actual_length, BUFFER); // NORACE
		s->counts.packets++; // NORACE
		s->counts.bytes += s->filled; // NORACE
	}
	s->reading = 0; // RACE! if RACY
	spin_unlock_irqrestore(&s->lock, flags);
	wake_up_interruptible(&s->wait);
}

static void inst_write_done(struct urb *urb)
{
	struct instrument *s = urb->context;
	unsigned long flags;

	spin_lock_irqsave(&s->lock, flags);
	if (urb->status) {
		s->error = urb->status; // NORACE
		s->counts.errors++; // NORACE
	}
	s->writing = 0; // RACE! if RACY
	spin_unlock_irqrestore(&s->lock, flags);
	wake_up_interruptible(&s->wait);
}

static int inst_idle(struct instrument *s)
{
#ifdef RACY
	return !s->reading && !s->writing; // RACE!
#else
	unsigned long flags;
	int idle;

	spin_lock_irqsave(&s->lock, flags);
	idle = !s->reading && !s->writing; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	return idle;
#endif
}

static int inst_take_error(struct instrument *s)
{
	unsigned long flags;
	int e;

	spin_lock_irqsave(&s->lock, flags);
	e = s->error; // NORACE
	s->error = 0; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	return e;
}

/* Called with the mutex held: marks a transfer as begun, and as ended if it could not be. */
static int inst_start(struct instrument *s, int write)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&s->lock, flags);
	if (write)
		s->writing = 1; // RACE! if RACY
	else
		s->reading = 1; // RACE! if RACY
	spin_unlock_irqrestore(&s->lock, flags);
	err = usb_submit_urb(write ? s->out : s->in, GFP_KERNEL);
	if (!err)
		return 0;
	spin_lock_irqsave(&s->lock, flags);
	if (write)
		s->writing = 0; // RACE! if RACY
	else
		s->reading = 0; // RACE! if RACY
	s->counts.errors++; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	return err;
}

static int inst_open(struct inode *inode, struct file *f)
{
	struct instrument *s = inst_of(f);
	int err = -ENODEV;

	mutex_lock(&pool_lock);
	if (s->used) { // RACE if RACY: usb_deregister_dev waits for open, and the last reference goes after it
		kref_get(&s->refs);
		err = 0;
	}
	mutex_unlock(&pool_lock);
	return err;
}

static int inst_release(struct inode *inode, struct file *f)
{
	struct instrument *s = inst_of(f);

	kref_put(&s->refs, inst_release_place);
	return 0;
}

static int inst_flush(struct file *f, void *id)
{
	struct instrument *s = inst_of(f);
	int err;

	mutex_lock(&s->io);
	wait_event(s->wait, inst_idle(s));
	err = inst_take_error(s) ? -EIO : 0;
	mutex_unlock(&s->io);
	return err;
}

/* Called with the mutex held: how much of the packet is left, after fetching another if nothing is. */
static int inst_fill(struct instrument *s)
{
	unsigned long flags;
	unsigned filled;
	int err;

	spin_lock_irqsave(&s->lock, flags);
	filled = s->filled; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	if (s->copied < filled)
		return filled - s->copied;
	err = inst_start(s, 0);
	if (err)
		return err;
	if (wait_event_interruptible(s->wait, inst_idle(s)))
		return -ERESTARTSYS;
	err = inst_take_error(s);
	if (err)
		return err;
	s->copied = 0; // NORACE
	spin_lock_irqsave(&s->lock, flags);
	filled = s->filled; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	return filled;
}

static ssize_t inst_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	struct instrument *s = inst_of(f);
	int left;

	if (mutex_lock_interruptible(&s->io))
		return -ERESTARTSYS;
	left = s->gone ? -ENODEV : inst_fill(s); // RACE! if RACY
	if (left > 0) {
		left = min_t(size_t, left, n);
		if (copy_to_user(buf, s->in_buf + s->copied, left))
			left = -EFAULT;
		else
			s->copied += left; // NORACE
	}
	mutex_unlock(&s->io);
	return left;
}

static ssize_t inst_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	struct instrument *s = inst_of(f);
	ssize_t r = min_t(size_t, n, BUFFER);
	u8 packet[BUFFER];
	unsigned i;
	int err;

	if (copy_from_user(packet, buf, r))
		return -EFAULT;
	if (wait_event_interruptible(s->wait, inst_idle(s)))
		return -ERESTARTSYS;
	if (mutex_lock_interruptible(&s->io))
		return -ERESTARTSYS;
	if (s->gone) { // RACE! if RACY
		r = -ENODEV;
	} else if (!inst_idle(s)) {
		r = -EAGAIN;
	} else {
		for (i = 0; i < r; i++)
			s->out_buf[i] = packet[i]; // NORACE
		err = inst_take_error(s);
		if (!err)
			err = inst_start(s, 1);
		if (err)
			r = err;
	}
	mutex_unlock(&s->io);
	return r;
}

static int inst_set_range(struct instrument *s, int range)
{
	int err = -ENODEV;

	mutex_lock(&s->io);
	if (!s->gone) // RACE! if RACY
		err = usb_control_msg(s->udev, 0, REQ_RANGE, 0x40, range, 0, NULL, 0, 1000);
	if (err >= 0)
		s->range = range; // NORACE
	mutex_unlock(&s->io);
	return err < 0 ? err : 0;
}

static int inst_get_counts(struct instrument *s, struct inst_counts __user *to)
{
	struct inst_counts c;
	unsigned long flags;

	spin_lock_irqsave(&s->lock, flags);
	c.packets = s->counts.packets; // NORACE
	c.bytes = s->counts.bytes; // NORACE
	c.errors = s->counts.errors; // NORACE
	spin_unlock_irqrestore(&s->lock, flags);
	return copy_to_user(to, &c, sizeof(c)) ? -EFAULT : 0;
}

static long inst_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	struct instrument *s = inst_of(f);

	switch (cmd) {
	case INST_RANGE:
		return inst_set_range(s, arg);
	case INST_COUNTS:
		return inst_get_counts(s, (struct inst_counts __user *)arg);
	case INST_RESET:
		mutex_lock(&s->io);
		s->copied = BUFFER; // NORACE
		mutex_unlock(&s->io);
		return 0;
	}
	return -ENOTTY;
}

static const struct file_operations inst_fops = {
	.owner = THIS_MODULE,
	.open = inst_open,
	.release = inst_release,
	.flush = inst_flush,
	.read = inst_read,
	.write = inst_write,
	.unlocked_ioctl = inst_ioctl,
};

static struct usb_class_driver inst_class = { .name = "inst%d", .fops = &inst_fops, .minor_base = MINOR_BASE };

static struct instrument *inst_take_place(void)
{
	struct instrument *s = NULL;
	int i;

	mutex_lock(&pool_lock);
	for (i = 0; i < INSTRUMENTS; i++) {
		if (pool[i].used)
			continue;
		s = &pool[i];
		s->used = 1; // NORACE
		kref_init(&s->refs);
		break;
	}
	mutex_unlock(&pool_lock);
	return s;
}

static int inst_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct instrument *s = inst_take_place();
	int err = -ENOMEM;

	if (!s)
		return -ENOSPC;
	mutex_init(&s->io);
	spin_lock_init(&s->lock);
	init_waitqueue_head(&s->wait);
	s->udev = interface_to_usbdev(intf);
	s->gone = 0;
	s->copied = 0;
	s->filled = 0;
	s->error = 0;
	s->in = usb_alloc_urb(0, GFP_KERNEL);
	s->out = usb_alloc_urb(0, GFP_KERNEL);
	if (!s->in || !s->out)
		goto put;
	usb_fill_bulk_urb(s->in, s->udev, PIPE_IN, s->in_buf, BUFFER, inst_read_done, s);
	usb_fill_bulk_urb(s->out, s->udev, PIPE_OUT, s->out_buf, BUFFER, inst_write_done, s);
	usb_set_intfdata(intf, s);
	err = usb_register_dev(intf, &inst_class);
	if (!err)
		return 0;
put:
	usb_free_urb(s->in);
	usb_free_urb(s->out);
	kref_put(&s->refs, inst_release_place);
	return err;
}

static void inst_disconnect(struct usb_interface *intf)
{
	struct instrument *s = usb_get_intfdata(intf);

#ifndef RACY
	mutex_lock(&s->io);
#endif
	s->gone = 1; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&s->io);
#endif
	usb_deregister_dev(intf, &inst_class);
	usb_kill_urb(s->in);
	usb_kill_urb(s->out);
	usb_free_urb(s->in);
	usb_free_urb(s->out);
	kref_put(&s->refs, inst_release_place);
}

static const struct usb_device_id inst_ids[] = {
	{ USB_DEVICE(0x1f0e, 0x0063) },
	{ }
};

static struct usb_driver inst_driver = {
	.name = "instrument",
	.probe = inst_probe,
	.disconnect = inst_disconnect,
	.id_table = inst_ids,
};

module_usb_driver(inst_driver)
MODULE_DEVICE_TABLE(usb, inst_ids);
MODULE_LICENSE("GPL");
