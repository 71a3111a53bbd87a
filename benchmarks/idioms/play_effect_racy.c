/* A function that a call gets which is modelled for something else is called, too: the effects of a device are played when it is registered. */
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>

static int level;

static int dev_play(struct input_dev *in, void *data, struct ff_effect *effect)
{
	level++; // RACE!
	return 0;
}

static int dev_probe(struct platform_device *pdev)
{
	struct input_dev *in = input_allocate_device();
	int err;

	if (!in)
		return -ENOMEM;
	err = input_ff_create_memless(in, NULL, dev_play);
	if (!err)
		err = input_register_device(in);
	if (err)
		input_free_device(in);
	return err;
}

static struct platform_driver driver = { .probe = dev_probe, .driver = { .name = "dev" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
