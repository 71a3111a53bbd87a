/* A helper asks for two interrupts. Each handler runs once at a time, and when as many
 * interrupts have been freed as there are handlers, none runs.
 *
 * With RACY: one of the two is freed. */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct gauge {
	int low, high;
};

static irqreturn_t gauge_low(int irq, void *data)
{
	struct gauge *g = data;

	g->low++; // RACE! if RACY
	return IRQ_HANDLED;
}

static irqreturn_t gauge_high(int irq, void *data)
{
	struct gauge *g = data;

	g->high++; // RACE! if RACY
	return IRQ_HANDLED;
}

static int gauge_ask(struct platform_device *pdev, irq_handler_t handler, int n, struct gauge *g)
{
	return request_irq(n, handler, 0, "gauge", g);
}

static int gauge_probe(struct platform_device *pdev)
{
	struct gauge *g = kzalloc(sizeof(*g), GFP_KERNEL);
	int err;

	if (!g)
		return -ENOMEM;
	platform_set_drvdata(pdev, g);
	err = gauge_ask(pdev, gauge_low, 5, g);
	if (err) {
		kfree(g);
		return err;
	}
	return gauge_ask(pdev, gauge_high, 6, g);
}

static int gauge_remove(struct platform_device *pdev)
{
	struct gauge *g = platform_get_drvdata(pdev);

	free_irq(5, g);
#ifndef RACY
	free_irq(6, g);
#endif
	kfree(g); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = gauge_probe,
	.remove = gauge_remove,
	.driver = { .name = "gauge" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
