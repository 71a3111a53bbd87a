/* The work item is cancelled in remove, but the interrupt that starts it belongs to the device, and is freed after that. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct jack {
	struct mutex lock;
	struct work_struct detect;
	int on;
	int plugged;
};

static void jack_detect(struct work_struct *w)
{
	struct jack *j = container_of(w, struct jack, detect);

	mutex_lock(&j->lock);
	j->plugged = !j->plugged; // RACE!
	mutex_unlock(&j->lock);
}

static irqreturn_t jack_irq(int irq, void *data)
{
	struct jack *j = data;

	schedule_work(&j->detect);
	return IRQ_HANDLED;
}

static void jack_off(void *data)
{
	struct jack *j = data;

	j->on = 0;
}

static int jack_probe(struct platform_device *pdev)
{
	struct jack *j = devm_kzalloc(&pdev->dev, sizeof(*j), GFP_KERNEL); // RACE!
	int err;

	if (!j)
		return -ENOMEM;
	mutex_init(&j->lock);
	INIT_WORK(&j->detect, jack_detect);
	platform_set_drvdata(pdev, j);
	err = devm_add_action_or_reset(&pdev->dev, jack_off, j);
	if (err)
		return err;
	return devm_request_threaded_irq(&pdev->dev, 5, NULL, jack_irq, IRQF_ONESHOT, "jack", j);
}

static int jack_remove(struct platform_device *pdev)
{
	struct jack *j = platform_get_drvdata(pdev);

	cancel_work_sync(&j->detect);
	return 0;
}

static struct platform_driver driver = { .probe = jack_probe, .remove = jack_remove, .driver = { .name = "jack" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
