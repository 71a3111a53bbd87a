/* One driver has two tables for two sorts of devices, with functions in common. With one
 * device, one of the tables is used: the driver core runs probe and remove one after the
 * other.
 *
 * With RACY: the tables have functions of their own, which belong to two devices. */
#include <linux/module.h>
#include <linux/platform_device.h>

static int devices;

static int light_probe(struct platform_device *pdev)
{
	devices++; // RACE! if RACY
	return 0;
}

static int light_remove(struct platform_device *pdev)
{
	devices--; // RACE! if RACY
	return 0;
}

#ifdef RACY
static int lamp_probe(struct platform_device *pdev)
{
	devices++; // RACE! if RACY
	return 0;
}

static int lamp_remove(struct platform_device *pdev)
{
	devices--; // RACE! if RACY
	return 0;
}
#else
#define lamp_probe light_probe
#define lamp_remove light_remove
#endif

static struct platform_driver light_driver = {
	.probe = light_probe,
	.remove = light_remove,
	.driver = { .name = "light" },
};

static struct platform_driver lamp_driver = {
	.probe = lamp_probe,
	.remove = lamp_remove,
	.driver = { .name = "lamp" },
};

static int __init lights_init(void)
{
	int err = platform_driver_register(&light_driver);

	if (err)
		return err;
	err = platform_driver_register(&lamp_driver);
	if (err)
		platform_driver_unregister(&light_driver);
	return err;
}

static void __exit lights_exit(void)
{
	platform_driver_unregister(&lamp_driver);
	platform_driver_unregister(&light_driver);
}

module_init(lights_init);
module_exit(lights_exit);
MODULE_LICENSE("GPL");
