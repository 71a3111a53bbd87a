/* A USB device with a character interface: one mutex for the transfers and the state of the connection, a spinlock for what
 * the completion handler changes.
 *
 * With RACY: A USB device with a character interface: the error status is taken without the spinlock, and disconnect marks
 * the device as gone without the mutex. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define BUF 512
#define DEV_ERRORS 1
#define DEV_TIMEOUT 2
#define DEV_COUNTS 3

struct channel {
	struct mutex io;
	spinlock_t err_lock;
	struct usb_device *udev;
	struct urb *urb;
	unsigned char in[BUF];
	unsigned char out[BUF];
	unsigned filled, copied;
	int gone;
	int opened;
	int timeout;
	u32 reads, writes;
	int errors;
	int ongoing;
	wait_queue_head_t wait;
};

static struct channel ch;
static struct usb_class_driver ch_class;

static void write_done(struct urb *urb)
{
	unsigned long flags;

	spin_lock_irqsave(&ch.err_lock, flags);
	if (urb->status)
		ch.errors = urb->status; // RACE! if RACY
	ch.ongoing--; // NORACE
	spin_unlock_irqrestore(&ch.err_lock, flags);
	wake_up_interruptible(&ch.wait);
}

static int take_error(void)
{
#ifndef RACY
	unsigned long flags;
#endif
	int e;

#ifndef RACY
	spin_lock_irqsave(&ch.err_lock, flags);
#endif
	e = ch.errors; // RACE! if RACY
	ch.errors = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&ch.err_lock, flags);
#endif
	return e;
}

static int begin_write(void)
{
	unsigned long flags;
	int ok = 0;

	spin_lock_irqsave(&ch.err_lock, flags);
	if (ch.ongoing < 1) { // NORACE
		ch.ongoing++; // NORACE
		ok = 1;
	}
	spin_unlock_irqrestore(&ch.err_lock, flags);
	return ok;
}

static void end_write(void)
{
	unsigned long flags;

	spin_lock_irqsave(&ch.err_lock, flags);
	ch.ongoing--; // NORACE
	spin_unlock_irqrestore(&ch.err_lock, flags);
}

/* Fills the input buffer; the caller holds the mutex. */
static int refill(void)
{
	int n = 0, err;

	err = usb_bulk_msg(ch.udev, 0x81, ch.in, BUF, &n, ch.timeout);
	if (err)
		return err;
	ch.filled = n; // NORACE
	ch.copied = 0; // NORACE
	ch.reads++; // NORACE
	return 0;
}

static ssize_t ch_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	size_t k;
	int err;

	if (mutex_lock_interruptible(&ch.io))
		return -ERESTARTSYS;
	if (ch.gone) { // RACE! if RACY
		mutex_unlock(&ch.io);
		return -ENODEV;
	}
	if (ch.copied == ch.filled) { // NORACE
		err = refill();
		if (err) {
			mutex_unlock(&ch.io);
			return err;
		}
	}
	k = min(n, (size_t)(ch.filled - ch.copied));
	if (copy_to_user(buf, ch.in + ch.copied, k)) { // NORACE
		mutex_unlock(&ch.io);
		return -EFAULT;
	}
	ch.copied += k; // NORACE
	mutex_unlock(&ch.io);
	return k;
}

static ssize_t ch_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	int err = take_error();

	if (err)
		return err;
	if (n > BUF)
		n = BUF;
	if (!begin_write())
		return -EAGAIN;
	mutex_lock(&ch.io);
	if (ch.gone) { // RACE! if RACY
		err = -ENODEV;
		goto out;
	}
	if (copy_from_user(ch.out, buf, n)) { // NORACE
		err = -EFAULT;
		goto out;
	}
	usb_fill_bulk_urb(ch.urb, ch.udev, 0x02, ch.out, n, write_done, &ch);
	err = usb_submit_urb(ch.urb, GFP_KERNEL);
	if (err)
		goto out;
	ch.writes++; // NORACE
	mutex_unlock(&ch.io);
	return n;
out:
	mutex_unlock(&ch.io);
	end_write();
	return err;
}

static long ch_ioctl(struct file *f, unsigned cmd, unsigned long arg)
{
	u32 counts[2];

	switch (cmd) {
	case DEV_ERRORS:
		return take_error();
	case DEV_TIMEOUT:
		mutex_lock(&ch.io);
		ch.timeout = arg; // NORACE
		mutex_unlock(&ch.io);
		return 0;
	case DEV_COUNTS:
		mutex_lock(&ch.io);
		counts[0] = ch.reads; // NORACE
		counts[1] = ch.writes; // NORACE
		mutex_unlock(&ch.io);
		return copy_to_user((void __user *)arg, counts, sizeof(counts)) ? -EFAULT : 0;
	}
	return -ENOTTY;
}

static int ch_open(struct inode *inode, struct file *f)
{
	int err = 0;

	mutex_lock(&ch.io);
	if (ch.gone) // RACE! if RACY
		err = -ENODEV;
	else
		ch.opened++; // NORACE
	mutex_unlock(&ch.io);
	return err;
}

static int ch_release(struct inode *inode, struct file *f)
{
	mutex_lock(&ch.io);
	ch.opened--; // NORACE
	mutex_unlock(&ch.io);
	return 0;
}

static const struct file_operations ch_fops = {
	.owner = THIS_MODULE,
	.read = ch_read,
	.write = ch_write,
	.unlocked_ioctl = ch_ioctl,
	.open = ch_open,
	.release = ch_release,
};

static int ch_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	int err;

	mutex_init(&ch.io);
	spin_lock_init(&ch.err_lock);
	init_waitqueue_head(&ch.wait);
	ch.udev = interface_to_usbdev(intf);
	ch.timeout = 1000;
	ch.gone = 0;
	ch.urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!ch.urb)
		return -ENOMEM;
	ch_class.fops = &ch_fops;
	err = usb_register_dev(intf, &ch_class);
	if (err)
		usb_free_urb(ch.urb);
	return err;
}

static void ch_disconnect(struct usb_interface *intf)
{
#ifndef RACY
	mutex_lock(&ch.io);
#endif
	ch.gone = 1; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&ch.io);
#endif
	usb_deregister_dev(intf, &ch_class);
	usb_kill_urb(ch.urb);
}

static const struct usb_device_id ch_ids[] = { { USB_DEVICE(0xfff0, 0xfff0) }, { 0 } };

static struct usb_driver ch_driver = {
	.name = "channel",
	.probe = ch_probe,
	.disconnect = ch_disconnect,
	.id_table = ch_ids,
};

module_usb_driver(ch_driver)
MODULE_LICENSE("GPL");
