/* Input devices. */
#ifndef _WHOOP_LINUX_INPUT_H
#define _WHOOP_LINUX_INPUT_H
#include <linux/kernel.h>
struct input_dev { const char *name; void *priv; int (*open)(struct input_dev *); void (*close)(struct input_dev *); };
struct input_dev *input_allocate_device(void);
void input_free_device(struct input_dev *d);
int input_register_device(struct input_dev *d);
void input_unregister_device(struct input_dev *d);
struct ff_effect { u16 type; s16 id; };
int input_ff_create_memless(struct input_dev *d, void *data, int (*play)(struct input_dev *, void *, struct ff_effect *));
void input_report_key(struct input_dev *d, unsigned int code, int v);
void input_sync(struct input_dev *d);
static inline void input_set_drvdata(struct input_dev *d, void *p) { d->priv = p; }
static inline void *input_get_drvdata(struct input_dev *d) { return d->priv; }
#endif
