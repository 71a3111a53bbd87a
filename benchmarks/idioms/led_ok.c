/* The kernel gets the address of a member of the device's context alone, and hands that out. */
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

	mutex_lock(&d->lock);
	d->changes++; // NORACE
	mutex_unlock(&d->lock);
	return 0;
}

static int dev_probe(struct platform_device *pdev)
{
	struct dev *d = devm_kzalloc(&pdev->dev, sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	mutex_init(&d->lock);
	d->changes = 1; // NORACE
	d->led.name = "led";
	d->led.brightness_set_blocking = dev_set;
	return devm_led_classdev_register(&pdev->dev, &d->led);
}

static struct platform_driver driver = { .probe = dev_probe, .driver = { .name = "led" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
