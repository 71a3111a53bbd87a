/* What belongs to the device is given back after remove, the last one first: the interrupt is gone before the memory, and an
 * action stops what the interrupt started.
 *
 * With RACY: memory that belongs to the device is freed after remove, which stops one work item twice, and the other one
 * never. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>
#include <linux/timer.h>
#include <linux/slab.h>

struct meter {
	spinlock_t lock;
	struct work_struct report, reset;
	struct timer_list poll;
	int value, reports;
};

static void meter_report(struct work_struct *w)
{
	struct meter *m = container_of(w, struct meter, report);

	spin_lock_irq(&m->lock);
	m->reports += m->value; // NORACE
	spin_unlock_irq(&m->lock);
}

static void meter_reset(struct work_struct *w)
{
	struct meter *m = container_of(w, struct meter, reset);

	spin_lock_irq(&m->lock);
	m->value = 0; // RACE! if RACY
	spin_unlock_irq(&m->lock);
}

static void meter_poll(struct timer_list *t)
{
	struct meter *m = from_timer(m, t, poll);

	schedule_work(&m->reset);
	mod_timer(&m->poll, jiffies + HZ);
}

static irqreturn_t meter_irq(int irq, void *data)
{
	struct meter *m = data;

	spin_lock(&m->lock);
	m->value++; // NORACE
	spin_unlock(&m->lock);
	schedule_work(&m->report);
	return IRQ_HANDLED;
}

static void meter_stop(void *data)
{
	struct meter *m = data;

	cancel_work_sync(&m->report);
}

static int meter_probe(struct platform_device *pdev)
{
	struct meter *m = devm_kzalloc(&pdev->dev, sizeof(*m), GFP_KERNEL); // RACE! if RACY
	int err;

	if (!m)
		return -ENOMEM;
	spin_lock_init(&m->lock);
	INIT_WORK(&m->report, meter_report);
	INIT_WORK(&m->reset, meter_reset);
	timer_setup(&m->poll, meter_poll, 0);
	platform_set_drvdata(pdev, m);
	err = devm_add_action(&pdev->dev, meter_stop, m);
	if (err)
		return err;
	err = devm_request_irq(&pdev->dev, 5, meter_irq, 0, "meter", m);
	if (err)
		return err;
	mod_timer(&m->poll, jiffies + HZ);
	return 0;
}

static int meter_remove(struct platform_device *pdev)
{
	struct meter *m = platform_get_drvdata(pdev);

	del_timer_sync(&m->poll);
#ifdef RACY
	cancel_work_sync(&m->report);
#else
	cancel_work_sync(&m->reset);
#endif
	return 0;
}

static struct platform_driver driver = { .probe = meter_probe, .remove = meter_remove, .driver = { .name = "meter" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
