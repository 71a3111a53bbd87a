/* An attribute runs from where its device has been made with it. What ends another device's
 * registration ends the attributes that were registered with that, where those are all.
 *
 * With RACY: the device with the attribute stays. */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

extern struct device *hwmon_device_register_with_groups(struct device *d, const char *name, void *data, const struct attribute_group **groups);
extern void hwmon_device_unregister(struct device *d);
extern struct device *device_create_with_groups(struct class *c, struct device *parent, unsigned devt, void *data, const struct attribute_group **groups, const char *name);

struct fan {
	int speed;
	struct device *hwmon;
};

static struct fan *fan;

static ssize_t speed_show(struct device *d, struct device_attribute *a, char *text)
{
	return fan->speed; // RACE! if RACY
}

static struct device_attribute speed = { .attr = { .name = "speed" }, .show = speed_show };
static struct attribute *fan_attrs[] = { &speed.attr, NULL };
static const struct attribute_group fan_group = { .attrs = fan_attrs };
static const struct attribute_group *fan_groups[] = { &fan_group, NULL };

static int fan_probe(struct platform_device *pdev)
{
	struct fan *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	fan = f;
#ifdef RACY
	device_create_with_groups(NULL, &pdev->dev, 0, NULL, fan_groups, "fan");
#endif
	f->hwmon = hwmon_device_register_with_groups(&pdev->dev, "fan", NULL, fan_groups);
	platform_set_drvdata(pdev, f);
	return 0;
}

static int fan_remove(struct platform_device *pdev)
{
	struct fan *f = platform_get_drvdata(pdev);

	hwmon_device_unregister(f->hwmon);
	kfree(f); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = fan_probe,
	.remove = fan_remove,
	.driver = { .name = "fan" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
