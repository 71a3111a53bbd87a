/* Lights. */
#ifndef _WHOOP_LINUX_LEDS_H
#define _WHOOP_LINUX_LEDS_H
#include <linux/kernel.h>
enum led_brightness { LED_OFF = 0, LED_ON = 1, LED_HALF = 127, LED_FULL = 255 };
struct led_classdev {
	const char *name;
	unsigned int brightness, max_brightness;
	void (*brightness_set)(struct led_classdev *, enum led_brightness);
	int (*brightness_set_blocking)(struct led_classdev *, enum led_brightness);
	enum led_brightness (*brightness_get)(struct led_classdev *);
	int (*blink_set)(struct led_classdev *, unsigned long *, unsigned long *);
};
int led_classdev_register(struct device *d, struct led_classdev *c);
int devm_led_classdev_register(struct device *d, struct led_classdev *c);
void led_classdev_unregister(struct led_classdev *c);
#endif
