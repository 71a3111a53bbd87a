/* Runtime power management runs between pm_runtime_enable and __pm_runtime_disable, which
 * waits for callbacks. The registration of the driver comes before probe, and starts none
 * later.
 *
 * With RACY: a failed probe, and remove, leave it on. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm.h>

extern void pm_runtime_enable(struct device *dev);
extern void __pm_runtime_disable(struct device *dev, bool check);
extern int fan_start(struct device *dev);

static int speed;

static int fan_runtime_suspend(struct device *dev)
{
	speed = 0; // RACE! if RACY
	return 0;
}

static int fan_probe(struct platform_device *pdev)
{
	int err;

	speed = 1;
	pm_runtime_enable(&pdev->dev);
	err = fan_start(&pdev->dev);
	if (err) {
#ifndef RACY
		__pm_runtime_disable(&pdev->dev, true);
#endif
		speed = 2; // RACE! if RACY
		return err;
	}
	return 0;
}

static int fan_remove(struct platform_device *pdev)
{
#ifndef RACY
	__pm_runtime_disable(&pdev->dev, true);
#endif
	speed = 3; // RACE! if RACY
	return 0;
}

static const struct dev_pm_ops fan_pm_ops = { .runtime_suspend = fan_runtime_suspend };

static struct platform_driver fan_driver = {
	.probe = fan_probe,
	.remove = fan_remove,
	.driver = { .name = "fan", .pm = &fan_pm_ops },
};

module_platform_driver(fan_driver);
MODULE_LICENSE("GPL");
