/* The kernel gets the address of a member of the device's context alone, and hands that out.
 *
 * With RACY: the context is changed without a lock, and after it was registered. */
#include <linux/module.h>
#include <linux/leds.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/mutex.h>

struct dev {
	struct led_classdev led;
	struct mutex lock;
	int changes;
};

static int dev_set(struct led_classdev *led, enum led_brightness b)
{
	struct dev *d = container_of(led, struct dev, led);

#ifndef RACY
	mutex_lock(&d->lock);
#endif
	d->changes++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&d->lock);
#endif
	return 0;
}

static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = devm_kzalloc(&pdev->dev, sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	mutex_init(&d->lock);
#ifndef RACY
	d->changes = 1; // NORACE
#endif
	d->led.name = "led";
	d->led.brightness_set_blocking = dev_set;
#ifdef RACY
	if (devm_led_classdev_register(&pdev->dev, &d->led))
		return -EBUSY;
	d->changes = 1; // RACE!
	return 0;
#else
	return devm_led_classdev_register(&pdev->dev, &d->led);
#endif
}

static struct platform_driver driver = { .probe = dev_probe, .driver = { .name = "led" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
