/* Two urbs of a device, each with a handler of its own, of which one is filled in again
 * whenever it is sent, also while it is used. usb_kill_urb names the urb that it stops.
 *
 * With RACY: the urb that opening the device sends is stopped while it may still be opened, and the
 * other one is not stopped. */
#include <linux/input.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct knob {
	spinlock_t lock;
	struct urb *irq, *config;
	struct input_dev *input;
	struct usb_device *udev;
	unsigned char data[8];
	int turned, level;
};

static void knob_config_complete(struct urb *urb);

/* as usb_fill_int_urb and its like are in the kernel's headers */
static inline void fill(struct urb *urb, struct usb_device *udev, usb_complete_t complete, void *context)
{
	urb->dev = udev;
	urb->complete = complete;
	urb->context = context; // RACE!
}

static void knob_irq(struct urb *urb)
{
	struct knob *k = urb->context; // RACE: a helper fills in two urbs: which one a handler gets is not told apart

	k->turned = k->data[0]; // RACE! if RACY
	usb_submit_urb(urb, GFP_ATOMIC);
}

static void knob_send(struct knob *k)
{
	fill(k->config, k->udev, knob_config_complete, k); // RACE! if RACY
	usb_submit_urb(k->config, GFP_ATOMIC); // RACE! if RACY
}

static void knob_config_complete(struct urb *urb)
{
	struct knob *k = urb->context; // RACE!
	unsigned long flags;

	spin_lock_irqsave(&k->lock, flags);
	if (k->level) { // RACE! if RACY
		k->level = 0; // RACE! if RACY
		knob_send(k);
	}
	spin_unlock_irqrestore(&k->lock, flags);
}

static int knob_open(struct input_dev *dev)
{
	struct knob *k = input_get_drvdata(dev);
	unsigned long flags;

	spin_lock_irqsave(&k->lock, flags);
	k->level = 1;
	knob_send(k);
	spin_unlock_irqrestore(&k->lock, flags);
	return 0;
}

static int knob_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct usb_device *udev = interface_to_usbdev(intf);
	struct knob *k = kzalloc(sizeof(*k), GFP_KERNEL);
	struct input_dev *input = input_allocate_device();
	int err = -ENOMEM;

	if (!k || !input)
		goto fail;
	k->irq = usb_alloc_urb(0, GFP_KERNEL);
	k->config = usb_alloc_urb(0, GFP_KERNEL);
	if (!k->irq || !k->config)
		goto fail;
	spin_lock_init(&k->lock);
	k->udev = udev;
	k->input = input;
	input->open = knob_open;
	input_set_drvdata(input, k);
	fill(k->irq, udev, knob_irq, k);
	err = usb_submit_urb(k->irq, GFP_KERNEL);
	if (err)
		goto fail;
	err = input_register_device(input);
	if (err)
		goto stop;
	usb_set_intfdata(intf, k);
	return 0;
stop:
	usb_kill_urb(k->irq);
fail:
	input_free_device(input);
	kfree(k);
	return err;
}

static void knob_disconnect(struct usb_interface *intf)
{
	struct knob *k = usb_get_intfdata(intf);

#ifdef RACY
	usb_kill_urb(k->config);
	input_unregister_device(k->input);
#else
	usb_kill_urb(k->irq);
	input_unregister_device(k->input);
	usb_kill_urb(k->config);
#endif
	kfree(k); // RACE! if RACY
}

static struct usb_driver driver = {
	.name = "knob",
	.probe = knob_probe,
	.disconnect = knob_disconnect,
};
module_usb_driver(driver);
MODULE_LICENSE("GPL");
