/* A probe that fails gives back what the device had by then: memory is freed after what
 * started a work item is gone, and after the work item has ended.
 *
 * With RACY: the memory is freed while the work item may run. */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct dial {
	struct work_struct turn;
	int angle;
};

extern int dial_calibrate(struct platform_device *pdev);

static void dial_turn(struct work_struct *w)
{
	struct dial *d = container_of(w, struct dial, turn);

	d->angle++; // RACE! if RACY
}

static irqreturn_t dial_irq(int irq, void *data)
{
	struct dial *d = data;

	schedule_work(&d->turn);
	return IRQ_HANDLED;
}

static int dial_probe(struct platform_device *pdev)
{
	struct dial *d = devm_kzalloc(&pdev->dev, sizeof(*d), GFP_KERNEL); // RACE! if RACY
	int err;

	if (!d)
		return -ENOMEM;
	INIT_WORK(&d->turn, dial_turn);
	platform_set_drvdata(pdev, d);
	err = request_irq(7, dial_irq, 0, "dial", d);
	if (err)
		return err;
	err = dial_calibrate(pdev);
	if (err) {
		free_irq(7, d);
#ifndef RACY
		cancel_work_sync(&d->turn);
#endif
		return err;
	}
	return 0;
}

static int dial_remove(struct platform_device *pdev)
{
	struct dial *d = platform_get_drvdata(pdev);

	free_irq(7, d);
	cancel_work_sync(&d->turn);
	return 0;
}

static struct platform_driver driver = {
	.probe = dial_probe,
	.remove = dial_remove,
	.driver = { .name = "dial" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
