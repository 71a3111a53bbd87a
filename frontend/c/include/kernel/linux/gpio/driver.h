/* GPIO controllers. */
#ifndef _WHOOP_LINUX_GPIO_DRIVER_H
#define _WHOOP_LINUX_GPIO_DRIVER_H
#include <linux/kernel.h>
struct gpio_chip {
	const char *label;
	struct device *parent;
	int base;
	u16 ngpio;
	int (*request)(struct gpio_chip *, unsigned);
	void (*free)(struct gpio_chip *, unsigned);
	int (*get_direction)(struct gpio_chip *, unsigned);
	int (*direction_input)(struct gpio_chip *, unsigned);
	int (*direction_output)(struct gpio_chip *, unsigned, int);
	int (*get)(struct gpio_chip *, unsigned);
	void (*set)(struct gpio_chip *, unsigned, int);
};
int gpiochip_add(struct gpio_chip *c);
int gpiochip_add_data(struct gpio_chip *c, void *data);
void gpiochip_remove(struct gpio_chip *c);
#endif
