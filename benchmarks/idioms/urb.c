/* A request to a USB device is submitted when all it needs is there, and waited for before that goes.
 *
 * With RACY: a request to a USB device is submitted before all it needs is there, and waited for when that is gone. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct dev {
	struct usb_device *udev;
	struct urb *urb;
	int *count;
	char buf[8];
};

static void dev_done(struct urb *urb)
{
	struct dev *d = urb->context;

	*d->count += 1; // RACE! if RACY
}

static int dev_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct dev *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	d->udev = interface_to_usbdev(intf);
	d->count = kzalloc(sizeof(*d->count), GFP_KERNEL);
	d->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!d->count || !d->urb)
		return -ENOMEM;
	usb_fill_bulk_urb(d->urb, d->udev, 0x81, d->buf, sizeof(d->buf), dev_done, d);
	usb_set_intfdata(intf, d);
#ifdef RACY
	if (usb_submit_urb(d->urb, GFP_KERNEL))
		return -EIO;
#endif
	*d->count = 1; // RACE! if RACY
#ifdef RACY
	return 0;
#else
	return usb_submit_urb(d->urb, GFP_KERNEL);
#endif
}

static void dev_disconnect(struct usb_interface *intf)
{
	struct dev *d = usb_get_intfdata(intf);

#ifndef RACY
	usb_kill_urb(d->urb);
#endif
	*d->count = 0; // RACE! if RACY
	kfree(d->count); // RACE! if RACY
#ifdef RACY
	usb_kill_urb(d->urb);
#endif
}

static struct usb_driver driver = { .name = "dev", .probe = dev_probe, .disconnect = dev_disconnect };
module_usb_driver(driver);
MODULE_LICENSE("GPL");
