/* USB devices and requests. */
#ifndef _WHOOP_LINUX_USB_H
#define _WHOOP_LINUX_USB_H
#include <linux/kernel.h>
struct usb_device_id { u16 idVendor, idProduct; unsigned long driver_info; };
#define USB_DEVICE(v, p) .idVendor = (v), .idProduct = (p)
struct usb_device { int devnum; struct device dev; };
struct usb_interface { struct device dev; int minor; };
struct urb {
	struct usb_device *dev;
	unsigned int pipe;
	int status;
	void *transfer_buffer;
	u32 transfer_buffer_length, actual_length;
	void *context;
	void (*complete)(struct urb *);
};
typedef void (*usb_complete_t)(struct urb *);
typedef struct { int event; } usb_message_t;
struct usb_driver {
	const char *name;
	int (*probe)(struct usb_interface *, const struct usb_device_id *);
	void (*disconnect)(struct usb_interface *);
	int (*suspend)(struct usb_interface *, usb_message_t);
	int (*resume)(struct usb_interface *);
	const struct usb_device_id *id_table;
};
struct usb_class_driver { char *name; const struct file_operations *fops; int minor_base; };
struct usb_device *interface_to_usbdev(struct usb_interface *i);
static inline void *usb_get_intfdata(struct usb_interface *i) { return dev_get_drvdata(&i->dev); }
static inline void usb_set_intfdata(struct usb_interface *i, void *p) { dev_set_drvdata(&i->dev, p); }
struct urb *usb_alloc_urb(int iso, gfp_t f);
void usb_free_urb(struct urb *u);
int usb_submit_urb(struct urb *u, gfp_t f);
void usb_kill_urb(struct urb *u);
int usb_control_msg(struct usb_device *d, unsigned int pipe, u8 req, u8 type, u16 value, u16 index, void *data, u16 size, int timeout);
int usb_bulk_msg(struct usb_device *d, unsigned int pipe, void *data, int len, int *actual, int timeout);
/* A macro, so that it is known at each place which function completes the request. */
#define usb_fill_bulk_urb(u, d, p, buf, n, fn, ctx) do { struct urb *__u = (u); __u->dev = (d); __u->pipe = (p); __u->transfer_buffer = (buf); \
	__u->transfer_buffer_length = (n); __u->complete = (fn); __u->context = (ctx); } while (0)
int usb_register(struct usb_driver *d);
void usb_deregister(struct usb_driver *d);
int usb_register_dev(struct usb_interface *i, struct usb_class_driver *c);
void usb_deregister_dev(struct usb_interface *i, struct usb_class_driver *c);
#define module_usb_driver(d) static int __init d##_init(void) { return usb_register(&d); } module_init(d##_init) \
	static void __exit d##_exit(void) { usb_deregister(&d); } module_exit(d##_exit)
#endif
