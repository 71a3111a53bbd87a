/* An interrupt that is asked for again when the device resumes does not come before probe has asked for it. */
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/pm.h>

static int ready;
static int number = 5;

static irqreturn_t handler(int irq, void *data)
{
	return ready ? IRQ_HANDLED : IRQ_NONE; // RACE! if RACY
}

static int dev_suspend(struct device *dev)
{
	free_irq(number, &ready);
	return 0;
}

static int dev_resume(struct device *dev)
{
	return request_irq(number, handler, 0, "dev", &ready);
}

static const struct dev_pm_ops pm = { .suspend = dev_suspend, .resume = dev_resume };

static int dev_probe(struct platform_device *pdev)
{
#ifdef RACY
	int err = request_irq(number, handler, 0, "dev", &ready);

	ready = 1; // RACE! if RACY
	return err;
#else
	ready = 1; // NORACE
	return request_irq(number, handler, 0, "dev", &ready);
#endif
}

static int dev_remove(struct platform_device *pdev)
{
	free_irq(number, &ready);
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "dev", .pm = &pm } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
