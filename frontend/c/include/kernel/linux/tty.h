/* Terminals. */
#ifndef _WHOOP_LINUX_TTY_H
#define _WHOOP_LINUX_TTY_H
#include <linux/kernel.h>
struct tty_driver;
struct tty_port { struct mutex mutex; int count; };
struct ktermios { unsigned int c_iflag, c_oflag, c_cflag, c_lflag; };
struct tty_struct { int index; void *driver_data; struct tty_port *port; struct ktermios termios; };
struct tty_operations {
	int (*install)(struct tty_driver *, struct tty_struct *);
	int (*open)(struct tty_struct *, struct file *);
	void (*close)(struct tty_struct *, struct file *);
	int (*write)(struct tty_struct *, const unsigned char *, int);
	int (*put_char)(struct tty_struct *, unsigned char);
	unsigned int (*write_room)(struct tty_struct *);
	unsigned int (*chars_in_buffer)(struct tty_struct *);
	int (*ioctl)(struct tty_struct *, unsigned int, unsigned long);
	void (*set_termios)(struct tty_struct *, struct ktermios *);
	void (*throttle)(struct tty_struct *);
	void (*unthrottle)(struct tty_struct *);
	void (*hangup)(struct tty_struct *);
	int (*tiocmget)(struct tty_struct *);
	int (*tiocmset)(struct tty_struct *, unsigned int, unsigned int);
};
struct tty_driver { const char *name; int major, num; const struct tty_operations *ops; };
struct tty_driver *alloc_tty_driver(unsigned int n);
void put_tty_driver(struct tty_driver *d);
static inline void tty_set_operations(struct tty_driver *d, const struct tty_operations *o) { d->ops = o; }
int tty_register_driver(struct tty_driver *d);
void tty_unregister_driver(struct tty_driver *d);
int tty_insert_flip_char(struct tty_port *p, unsigned char c, char flag);
void tty_flip_buffer_push(struct tty_port *p);
void tty_wakeup(struct tty_struct *t);
#define TIOCM_DTR 2
#define TIOCM_RTS 4
#endif
